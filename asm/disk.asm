// disk.asm - the disk with the packed program, famous games and studies; `make` builds it
//
// Uses:     build/chess.prg (written by `tempo pack`)
// The games are those of the folder games.

.segment Immortal [start=$1000]
        .import binary "games/immortal.pgn"
.segment Evergreen [start=$1000]
        .import binary "games/evergreen.pgn"
.segment Opera [start=$1000]
        .import binary "games/opera.pgn"
.segment Steinitz [start=$1000]
        .import binary "games/steinitz.pgn"
.segment Rubinstein [start=$1000]
        .import binary "games/rubinstein.pgn"
.segment Reti [start=$1000]
        .import binary "games/reti.pgn"
.segment LaskerEd [start=$1000]
        .import binary "games/lasker-ed.pgn"
.segment Marshall [start=$1000]
        .import binary "games/marshall.pgn"
.segment Capablanca [start=$1000]
        .import binary "games/capablanca.pgn"
.segment Botvinnik [start=$1000]
        .import binary "games/botvinnik.pgn"
.segment Century [start=$1000]
        .import binary "games/century.pgn"
.segment Fischer [start=$1000]
        .import binary "games/fischer.pgn"
.segment Topalov [start=$1000]
        .import binary "games/topalov.pgn"
.segment RetiStudy [start=$1000]
        .import binary "games/reti-study.pgn"
.segment Saavedra [start=$1000]
        .import binary "games/saavedra.pgn"
.segment Lucena [start=$1000]
        .import binary "games/lucena.pgn"

.disk [filename="chess.d64", name="TEMPO CHESS", id="64 2A"] {
    [name="CHESS", type="prg", prgFiles="../build/chess.prg"],
    [name="IMMORTAL", type="seq", segments="Immortal"],
    [name="EVERGREEN", type="seq", segments="Evergreen"],
    [name="OPERA", type="seq", segments="Opera"],
    [name="STEINITZ", type="seq", segments="Steinitz"],
    [name="RUBINSTEIN", type="seq", segments="Rubinstein"],
    [name="RETI", type="seq", segments="Reti"],
    [name="LASKER-ED", type="seq", segments="LaskerEd"],
    [name="MARSHALL", type="seq", segments="Marshall"],
    [name="CAPABLANCA", type="seq", segments="Capablanca"],
    [name="BOTVINNIK", type="seq", segments="Botvinnik"],
    [name="CENTURY", type="seq", segments="Century"],
    [name="FISCHER", type="seq", segments="Fischer"],
    [name="TOPALOV", type="seq", segments="Topalov"],
    [name="RETI-STUDY", type="seq", segments="RetiStudy"],
    [name="SAAVEDRA", type="seq", segments="Saavedra"],
    [name="LUCENA", type="seq", segments="Lucena"],
}
