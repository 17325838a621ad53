// The bytes of a segment are known at the end, after the data around them were packed.
.plugin "se.booze.kickass.CruncherPlugins"
.segmentdef Other
.segment Other
        .byte 1, 2, 3
.segment Default
        .modify B2() {
        .byte 4
        .segmentout [segments="Other"] // error: '.segmentout' is not allowed in data that a modifier packs
        }
