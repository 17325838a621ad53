// The disk: a loader, two parts and a line of art in the directory.
#if RELEASE
    .const title = "TEMPO DEMO"
#else
    .const title = "WORK IN PROGRESS"
#endif

.segmentdef Bars [start=$0900]
.segmentdef Scroll [start=$2000]
.segmentdef ScrollData [startAfter="Scroll", align=$100]
.segmentdef Notes [start=0]

#import "parts/bars.asm"
#import "parts/scroll.asm"

.segment Notes
.encoding "petscii_upper"
.text "VERSION " + cmdLineVars.get("version") + @"\$0d"

.disk [filename="demo.d64", name=title, id="27 2A", interleave=8, showInfo] {
    [name="DEMO", type="prg", prgFiles="loader.prg"],
    [name="BARS", type="prg", segments="Bars", modify="BasicUpstart", _start=bars.start],
    [name="SCROLL", type="prg<", segments="Scroll, ScrollData"],
    [name="--------------", type="del"],
    [name="NOTES", type="seq", segments="Notes"]
}
