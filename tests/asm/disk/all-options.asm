// Three disks with every option of .disk. Each file of the disks is written beside them too, as NAME.file, so that
// whoever reads a disk can compare file by file.

.segmentdef Code [start=$0801]
.segmentdef Data [start=$4000]
.segmentdef Big [start=$1000]
.segmentdef Odd [start=$c000]
.segmentdef Exact [start=$2000]

.disk [filename="plain.d64", name="PLAIN DISK", id="2026A", showInfo] {
    [name="----------------", type="del"],
    [name="GAME", type="prg", segments="Code"],
    [name="TABLES", type="prg<", segments="Data"],
    [name="BIG", type="prg", segments="Big", interleave=7],
    [name="NOTES", type="seq", segments="Odd"],
    [name="RAW", type="prg", segments="Exact", noStartAddr],
    [name="HIDDEN", type="prg", segments="Code", hide],
    [name="USER", type="usr", segments="Data"],
    [name="BOTH", type="prg", segments="Code, Data"]
}

.disk [filename="speed.d64", name="SPEEDDOS", format="speeddos", interleave=4, dontSplitFilesOverDir] {
    [name="BIG1", type="prg", segments="Big"], [name="BIG2", type="prg", segments="Big"],
    [name="BIG3", type="prg", segments="Big"], [name="BIG4", type="prg", segments="Big"],
    [name="BIG5", type="prg", segments="Big"], [name="GAME", type="prg", segments="Code"]
}

.disk [filename="dolphin.d64", name="DOLPHINDOS", format="dolphindos", storeFilesInDir] {
    [name="BIG1", type="prg", segments="Big"], [name="BIG2", type="prg", segments="Big"],
    [name="BIG3", type="prg", segments="Big"], [name="BIG4", type="prg", segments="Big"],
    [name="BIG5", type="prg", segments="Big"], [name="GAME", type="prg", segments="Code"]
}

.file [name="GAME.file", segments="Code"]
.file [name="TABLES.file", segments="Data"]
.file [name="BIG.file", segments="Big"]
.file [name="NOTES.file", type="bin", segments="Odd"]
.file [name="RAW.file", type="bin", segments="Exact"]
.file [name="USER.file", type="bin", segments="Data"]
.file [name="BOTH.file", segments="Code, Data"]

.segment Code
        BasicUpstart(start)
* = $0810
start:  inc $d020
        jmp start

.segment Data
        .fill 1000, round(127.5 + 127.5*sin(toRadians(i*360/1000)))

.segment Big
        .fill 21000, i*7

.segment Odd
        .encoding "petscii_upper"
        .text "A FILE WITHOUT LOAD ADDRESS"

.segment Exact                  // fills its two sectors to the last byte
        .fill 508, 255-i
