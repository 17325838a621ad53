// disk.asm - the disk with the packed program; `make` builds both
//
// Uses:     build/chess.prg (written by `tempo pack`)
.disk [filename="chess.d64", name="TEMPO CHESS", id="64 2A"] {
    [name="CHESS", type="prg", prgFiles="../build/chess.prg"]
}
