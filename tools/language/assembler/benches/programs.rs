//! Generated programs of any length, for benches and for measuring memory. The same length gives the same text.

use std::fmt::Write;

/// A typical line of a generated program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Labels, branches, tables, constants, comments; no scripts.
    Plain,
    /// Loops, lists and functions that make tables.
    Script,
    /// Macros and pseudo commands, also in each other.
    Macro,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Plain, Kind::Script, Kind::Macro];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Script => "script",
            Kind::Macro => "macro",
        }
    }
}

/// A program of about this many lines.
pub fn program(kind: Kind, lines: usize) -> String {
    let mut text = String::with_capacity(lines * 24);
    match kind {
        Kind::Plain => plain(lines, &mut text),
        Kind::Script => script(lines, &mut text),
        Kind::Macro => macros(lines, &mut text),
    }
    text
}

// Writing to a String cannot fail; the results are dropped below.

/// Routines of 25 lines. A block of its own every 500 routines keeps the addresses below 64 KB.
fn plain(lines: usize, text: &mut String) {
    text.push_str(".const BORDER = $d020\n.const SCREEN = $0400\n.label zpPointer = $fb\n");
    for routine in 0..lines / 25 {
        if routine % 500 == 0 {
            let _ = writeln!(text, ".segment S{routine} [start=$1000]");
        }
        let next = if (routine + 1) * 25 < lines - lines % 25 { routine + 1 } else { 0 };
        let _ = write!(
            text,
            "// routine {routine} adds and copies\n\
             Routine{routine}:\n\
             \x20       lda #{low}\n\
             \x20       sta zpPointer\n\
             \x20       lda #>Table{routine}\n\
             \x20       sta zpPointer+1\n\
             \x20       ldx #0\n\
             loop{routine}:\n\
             \x20       lda Table{routine},x\n\
             \x20       clc\n\
             \x20       adc #$10 + {low}\n\
             \x20       sta SCREEN + {routine}*2,x\n\
             \x20       inx\n\
             \x20       cpx #8\n\
             \x20       bne loop{routine}       // eight bytes\n\
             \x20       lda (zpPointer),y\n\
             \x20       beq done{routine}\n\
             \x20       inc BORDER\n\
             \x20       jsr Routine{next}\n\
             done{routine}:\n\
             \x20       rts\n\
             Table{routine}:\n\
             \x20       .byte 1, 2, 3, 4, $10, $20, %1010, {low}\n\
             \x20       .word Routine{routine}, loop{routine} + 3\n\
             \x20       .text \"ROUTINE\"\n",
            low = routine % 200,
        );
    }
}

/// Tables of 10 lines each.
fn script(lines: usize, text: &mut String) {
    text.push_str(
        ".function scale(v, factor) {\n    .var result = v*factor\n    .if (result>255) .return 255\n    .return result\n}\n",
    );
    for table in 0..lines / 10 {
        if table % 100 == 0 {
            let _ = writeln!(text, ".segment T{table} [start=$1000]");
        }
        let _ = write!(
            text,
            ".var list{table} = List()\n\
             .for (var i=0; i<16; i++) {{\n\
             \x20   .eval list{table}.add(round(127.5 + 127.5*sin(toRadians(i*360/16))))\n\
             }}\n\
             table{table}:\n\
             .for (var i=0; i<list{table}.size(); i++) {{\n\
             \x20   .byte scale(list{table}.get(i), 0.{digit}) & $ff\n\
             }}\n\
             .fill 16, i*{digit} + {table}\n\
             .if (mod({table}, 2) == 0) .text \"T\" + toIntString({table})\n",
            digit = table % 9 + 1,
        );
    }
}

/// Calls of five macros and commands.
fn macros(lines: usize, text: &mut String) {
    text.push_str(
        ".macro SetBorder(colour) {\n    lda #colour\n    sta $d020\n}\n\
         .macro Wait(count) {\n    ldx #count\nloop: dex\n    bne loop\n}\n\
         .macro Flash(a, b) {\n    SetBorder(a)\n    Wait(10)\n    SetBorder(b)\n}\n\
         .pseudocommand mov source:target {\n    lda source\n    sta target\n}\n\
         .pseudocommand add16 value:target {\n    clc\n    mov value : target\n    adc target\n    sta target\n}\n",
    );
    for group in 0..lines / 5 {
        if group % 1000 == 0 {
            let _ = writeln!(text, ".segment M{group} [start=$1000]");
        }
        let _ = write!(
            text,
            "group{group}:\n\
             \x20       Flash({a}, {b})\n\
             \x20       mov #{a} : $d021\n\
             \x20       add16 #{b} : $fb\n\
             \x20       Wait({a})\n",
            a = group % 16,
            b = (group + 7) % 16,
        );
    }
}
