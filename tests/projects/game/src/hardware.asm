#importonce
.label border = $d020
.label background = $d021
.namespace vic {
    .label raster = $d012
    .label control = $d011
}
.const SCREEN = $0400
