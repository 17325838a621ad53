// ask: completion hover signature
.plu‸gin "se.booze.kick‸ass.CruncherPlugins"
.segmentdef Code [start=$4000, sta‸]
.segmentdef Packed [segments="Code", mod‸ify="B‸2", _sta‸rtAddressForValidation=$8000, ‸]
.segmentdef Odd [segments="Code", modify="RawExomizer", _‸]
.segmentout [‸]
.file [name="x.prg", ‸]
.disk [filename="x.d64", ‸] {
        [name="A", ‸],
}
.modify B‸2(‸) { nop }
.modify MemExomizer(true, ‸) { nop }
.filemodify D‸
.plugin "‸"
