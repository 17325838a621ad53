//! Scripts do things in the order in which they are written, whatever the values are: receivers before arguments,
//! arguments from left to right, rounds and branches of loops in functions and outside of them.

use tempo_assembler::{MemoryFiles, Options, Output, assemble};

/// Runs a script, also as an editor does, which notes more on the way. What it prints has to be the same.
fn run(source: &str) -> Output {
    let mut files = MemoryFiles::default();
    files.insert("main.asm", source);
    let run = |analysis| assemble(&files, "main.asm", &Options { analysis, ..Options::default() });
    let (output, noted) = (run(false), run(true));
    assert_eq!(output.console, noted.console);
    let messages = |output: &Output| -> Vec<String> {
        output.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect()
    };
    assert_eq!(messages(&output), messages(&noted));
    output
}

/// The output of a script without errors.
#[track_caller]
fn prints(source: &str, expected: &[&str]) {
    let output = run(source);
    assert!(!output.has_errors(), "{:?}", output.diagnostics);
    assert_eq!(lines(&output), expected);
}

/// The output of a script, without leading blanks.
fn lines(output: &Output) -> Vec<&str> {
    output.console.iter().map(|line| line.trim()).collect()
}

/// The first message of a script.
#[track_caller]
fn fails(source: &str, expected: &str) {
    let output = run(source);
    let message = output.diagnostics.first().map(|diagnostic| diagnostic.message.as_str());
    assert!(message.is_some_and(|message| message.contains(expected)), "{message:?}");
}

#[test]
fn arguments_of_methods_are_evaluated_from_left_to_right() {
    let script = "
        .var log = List()
        .function note(n) {
            .eval log.add(n)
            .return n
        }
        .var list = List().add(0, 0, 0)
        .var table = Hashtable()
        .eval list.set(note(1), note(2))
        .eval table.put(note(3), note(4))
        .eval list.add(note(5))
        .print log
        .print list
        .print table.get(3)";
    prints(script, &["[1,2,3,4,5]", "[0,2,0,5]", "4"]);
}

#[test]
fn the_receiver_is_the_value_from_before_the_arguments() {
    let script = "
        .var first = List().add(0)
        .var second = List().add(0)
        .var list = first
        .function other(n) {
            .eval list = second
            .return n
        }
        .eval list.add(other(7))
        .eval list = first
        .eval list.set(0, other(8))
        .print first
        .print second
        .var table = Hashtable()
        .var old = table
        .function fresh(n) {
            .eval table = Hashtable()
            .return n
        }
        .eval table.put(1, fresh(2))
        .print old.get(1)
        .print table.containsKey(1)";
    prints(script, &["[8,7]", "[0]", "2", "false"]);
}

#[test]
fn arguments_may_change_the_receiver() {
    let script = "
        .var list = List()
        .function grow() {
            .eval list.add(1)
            .return list.size()
        }
        .eval list.add(grow())
        .eval list.set(list.size() - 1, grow())
        .print list
        .var table = Hashtable()
        .function put(n) {
            .eval table.put(n, 1)
            .return n
        }
        .eval table.put(put(5), table.containsKey(5))
        .print table.get(5)";
    prints(script, &["[1,3,1]", "true"]);
}

#[test]
fn lists_and_hashtables_take_values_of_all_types() {
    let script = "
        .struct Point { x, y }
        .var list = List()
        .for (var i = 0; i < 2; i++) {
            .eval list.add(i)
            .eval list.add(\"text\" + i)
            .eval list.add(i == 0)
            .eval list.add('a')
            .eval list.add(null)
            .eval list.add(List().add(i))
            .eval list.add(Point(i, 2))
        }
        .eval list.set(1.9, \"new\")
        .eval list.set(2, List())
        .eval list.set(0, Point(3, 4))
        .print list.size()
        .print list.get(1) + list.get(8) + list.get(9) + list.get(12).get(0)
        .print list.get(0).x + list.get(6).y + list.get(3)
        .print list.get(2).size()
        .var table = Hashtable()
        .for (var i = 0; i < 2; i++) {
            .eval table.put(5, \"number\")
            .eval table.put(\"6\", i)
            .eval table.put(true, List().add(i, i))
            .eval table.put('c', Point(i, 9))
            .eval table.put(i, null)
        }
        .print table.get(\"5\") + table.get(6)
        .print table.get(\"true\").size()
        .print table.get(\"c\").y
        .print table.get(1) == null
        .print table.keys().size()";
    prints(script, &["14", "newtext1false1", "6", "0", "number1", "2", "9", "true", "6"]);
}

#[test]
fn changes_give_their_receiver() {
    let script = "
        .var list = List()
        .var table = Hashtable()
        .var same = list.add(1)
        .eval same.add(2)
        .print list
        .print table.put(1, 2).put(3, 4).keys().size() + table.get(3)
        .print list.set(0, 5).size()";
    prints(script, &["[1,2]", "6", "2"]);
}

#[test]
fn a_key_that_was_removed_is_not_found_again() {
    let script = "
        .var table = Hashtable()
        .eval table.put(7, 1)
        .print table.containsKey(7)
        .print table.get(7)
        .eval table.remove(7)
        .print table.containsKey(7)
        .eval table.put(8, 2)
        .eval table.put(7, 3)
        .print table.get(7) * 10 + table.get(8)";
    prints(script, &["true", "1", "false", "32"]);
}

#[test]
fn mistakes_in_changes_are_reported() {
    fails(".var list = List().add(1).lock()\n.eval list.add(2)", "You can't modify a locked value");
    fails(".var list = List().add(1)\n.eval list.set(1, 2)", "Index out of bound : 1");
    fails(".var list = List().add(1)\n.eval list.set(-1, 2)", "Index out of bound : -1");
    fails(".var list = List().add(1)\n.eval list.set(\"a\", 2)", "a value of type String");
    fails(".var list = List()\n.eval list.put(1, 2)", "put");
    fails(".var number = 5\n.eval number.add(1)", "add");
    fails("*=$1000\n.var list = List()\n.eval list.add(end)\n.word list.get(0)\nend: nop", "accross passes");
}

#[test]
fn loops_and_branches_go_on_where_they_are_written_to() {
    let script = "
        .function walk(limit) {
            .var text = \"\"
            .for (var i = 0; i < limit; i++) {
                .var odd = mod(i, 2)
                .if (odd == 1) {
                    .var j = 0
                    .while (j < 2) {
                        .if (j == 0) { .eval text = text + \"o\" } else .eval text = text + \"p\"
                        .eval j++
                    }
                } else {
                    .if (i == 4) .return text + \"!\"
                    .eval text = text + i
                }
                .eval text = text + \",\"
            }
            .return text
        }
        .print walk(3)
        .print walk(9)
        .var count = 0
        .for (var i = 0; i < 3; i++) {
            .for (var j = 10; j > i; j -= 3) {
                .if (j == 7) { .eval i = i + 0 } else { .eval count = count + j }
            }
            .for (var a = 0, var b = 5; a < b; a++, b--) .eval count = count + 100
        }
        .print count";
    prints(script, &["0,op,2,", "0,op,2,op,!", "943"]);
}

#[test]
fn an_error_in_a_round_does_not_end_the_loop() {
    let script = "
        .var list = List().add(1)
        .var count = 0
        .for (var i = 0; i < 3; i++) {
            .if (i == 1) { .eval list.set(5, i) } else { .eval count++ }
            .eval count = count + 10
        }
        .print count";
    let output = run(script);
    assert_eq!(output.diagnostics.len(), 1, "{:?}", output.diagnostics);
    assert_eq!(lines(&output), ["32"]);
}

/// Assembles a program in so many passes.
#[track_caller]
fn assembles(source: &str, bytes: &[u8], passes: u32) {
    let output = run(source);
    assert!(!output.has_errors(), "{:?}", output.diagnostics);
    assert_eq!((output.prg().as_deref(), output.stats.passes), (Some(bytes), passes));
}

#[test]
fn sums_of_a_later_label_and_of_what_is_known_need_no_second_pass() {
    let program = "
        *=$1000
        .for (var i=0; i<2; i++) {
            lda table + i*2,x
            lda #<table + i
            lda #>(i + table - 1)
            .word table - i
            .byte <(table + i)
        }
        table: .byte 1";
    #[rustfmt::skip]
    let bytes = [
        0x00, 0x10,
        0xbd, 0x14, 0x10, 0xa9, 0x14, 0xa9, 0x10, 0x14, 0x10, 0x14,
        0xbd, 0x16, 0x10, 0xa9, 0x15, 0xa9, 0x10, 0x13, 0x10, 0x15,
        1,
    ];
    assembles(program, &bytes, 1);
    let branches = "*=$1000\n.for (var i=0; i<2; i++) { beq done + i }\ndone: nop\n nop";
    assembles(branches, &[0x00, 0x10, 0xf0, 2, 0xf0, 1, 0xea, 0xea], 1);
    // A part of an address and a product are evaluated when the label is known.
    let half = "*=$1000\n.for (var i=1; i<2; i++) { lda table + i/2 }\ntable: nop";
    assembles(half, &[0x00, 0x10, 0xad, 0x03, 0x10, 0xea], 2);
    let product = "*=$1000\n.for (var i=1; i<2; i++) { .word table * i }\ntable: nop";
    assembles(product, &[0x00, 0x10, 0x02, 0x10, 0xea], 2);
}

#[test]
fn faults_of_sums_are_those_of_their_operands() {
    fails("*=$1000\n.for (var i=0; i<2; i++) { beq far + i }\n.fill 200, 0\nfar: nop", "too far: 202");
    fails(".for (var i=0; i<2; i++) { lda x + i }\n.label x = y\n.label y = x", "can't be resolved");
}
