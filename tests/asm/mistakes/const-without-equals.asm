.const X 5
.label Y $d020 // border
