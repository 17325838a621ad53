//! What is kept from call to call and from pass to pass changes nothing: every program gives the same bytes, symbols,
//! lines and errors when each function, fill and loop runs again (`Options::evaluate_afresh`).
//!
//! The programs are the chess program, the conformance corpus, and random scripts made of what could go wrong:
//! functions that read variables, lists that are changed between calls, labels that are not known at first.
//! `FUZZ=100` makes a hundred times as many of these, `SEED=n` others.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::path::Path;

use random::Random;
use tempo_asm::{DiskFiles, Files, Limits, MemoryFiles, Options, assemble};

/// Everything a user sees of a run.
fn seen(files: &dyn Files, root: &str, evaluate_afresh: bool, analysis: bool) -> String {
    let limits = Limits { iterations: 100_000, ..Limits::default() };
    let options = Options { evaluate_afresh, analysis, limits, ..Options::default() };
    let mut output = assemble(files, root, &options);
    // The values of parameters and local variables are examples, from what the last pass executes.
    for symbol in output.analysis.iter_mut().flat_map(|analysis| &mut analysis.symbols) {
        symbol.values.clear();
        symbol.value_count = 0;
    }
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        output.diagnostics,
        output.console,
        output.image,
        output.files,
        output.program.symbols,
        output.stats,
        output.analysis
    )
}

fn compare(files: &dyn Files, root: &str) -> Result<(), String> {
    for analysis in [false, true] {
        let kept = seen(files, root, false, analysis);
        let fresh = seen(files, root, true, analysis);
        // A function that calls itself may end within its limits when its results are kept.
        if kept != fresh && !fresh.contains("TooManyIterations") {
            return Err(format!("{root}: with memo\n{kept}\nafresh\n{fresh}"));
        }
    }
    Ok(())
}

#[test]
fn the_chess_program_is_the_same() {
    let root = testing::root().join("asm/main.asm");
    if let Err(difference) = compare(&DiskFiles::default(), &root.to_string_lossy()) {
        panic!("{}", &difference[..difference.len().min(2000)]);
    }
}

#[test]
fn the_conformance_corpus_is_the_same() {
    let sources = testing::files_with_extension(&testing::fixtures().join("conformance"), "asm");
    assert!(sources.len() > 1000, "{} sources", sources.len());
    for source in sources {
        // Most have neither scripts nor fills.
        let text = String::from_utf8_lossy(&testing::bytes(&source)).into_owned();
        if [".function", "fill", ".for", ".while", "List", "Hashtable"].iter().any(|word| text.contains(word))
        {
            corpus(&source);
        }
    }
}

fn corpus(source: &Path) {
    if let Err(difference) = compare(&DiskFiles::default(), &source.to_string_lossy()) {
        panic!("{}", &difference[..difference.len().min(2000)]);
    }
}

#[test]
fn random_scripts_are_the_same() {
    let mut random = Random::new(testing::seed());
    let mut good = 0;
    let rounds = testing::rounds(200);
    for round in 0..rounds {
        let source = script(&mut random);
        let files: MemoryFiles = [("main.asm", source.as_str())].into_iter().collect();
        if let Err(difference) = compare(&files, "main.asm") {
            panic!("round {round}:\n{source}\n{difference}");
        }
        good += u64::from(!assemble(&files, "main.asm", &Options::default()).has_errors());
    }
    assert!(good > rounds / 3, "only {good} of {rounds} scripts assemble: the comparison means little");
}

/// A program whose functions, variables, lists and labels use each other.
fn script(random: &mut Random) -> String {
    let mut source = String::from(
        "*=$1000\n.var changing = 1\n.const fixed = 5\n.var list = List().add(1,2,3,4)\n\
         .var locked = List().add(4,3,2,1).lock()\n.var table = Hashtable().put(\"a\", 7)\n.struct S { a, b }\n\
         .var pair = S(1, 2)\n.const early = late\n.var nest = List().add(List().add(1))\n",
    );
    for function in 0..4 {
        source.push_str(&format!(".function f{function}(x, y) {{\n .var local = x\n"));
        for _ in 0..random.index(3) {
            let line = match random.index(6) {
                0 => format!(
                    " .for (var k = 0; k < 3; k++) .eval local = local + {}\n",
                    term(random, function)
                ),
                1 => format!(" .if (x > {}) .return {}\n", random.index(4), term(random, function)),
                2 => " .eval local++\n".to_owned(),
                3 => format!(" .eval local = local ^ {}\n", term(random, function)),
                4 => " .var own = List().add(x, y)\n .eval local = local + own.get(1)\n".to_owned(),
                _ => effect(random),
            };
            source.push_str(&line);
        }
        source.push_str(&format!(" .return local + {}\n}}\n", term(random, function)));
    }
    for line in 0..16 {
        let text = match random.index(13) {
            0 | 1 => format!("fill{line}: .fill {}, {}\n", 1 + random.index(9), call(random, "i")),
            2 => format!(" .lohifill {}, {}\n", 1 + random.index(5), call(random, "i")),
            3 => format!(" .byte {}, {}\n", call(random, "1"), call(random, "1")),
            4 => effect(random),
            5 => format!(" .for (var k = 0; k < 3; k++) {{ .fill 2, {} + k }}\n", call(random, "k")),
            6 => format!(" .print {}\n", call(random, "2")),
            8..=11 => statement(random),
            7 => format!(" .word {}\n", random.pick(&["late", "early", "fill0", "*", "late - early"])),
            _ => format!(" lda {}\n", random.pick(&["late", "changing", "fixed", "#<late"])),
        };
        source.push_str(&text);
    }
    source.push_str("fill0: nop\nlate: rts\n");
    source
}

/// A statement outside of functions that makes or changes what others read, often in a loop.
fn statement(random: &mut Random) -> String {
    let value =
        ["k", "changing", "late", "fixed", "list", "pair", "List().add(k)", "f1(k, 2)", "nest.size()"];
    let value = *random.pick(&value);
    let lines = [
        format!(" .for (var k = 0; k < 4; k++) .eval list.add({value})\n"),
        format!(" .for (var k = 0; k < 4; k++) {{ .eval nest.add(List().add({value})) }}\n"),
        format!(" .for (var k = 0; k < 3; k++) .eval table.put(\"b\" + k, {value})\n"),
        format!(" .for (var k = 0; k < 3; k++) .eval pair = S(k, {value})\n"),
        " .var k = 0\n .while (k < 3) { .eval k++\n .eval changing = changing + k }\n".to_owned(),
        " .eval nest = List().add(list, pair, table)\n".to_owned(),
        " .eval list = nest.get(0)\n".to_owned(),
        " .eval nest.add(list)\n".to_owned(),
        " .if (list.size() > 5) { .eval list.remove(0)\n .eval list = List().add(1, list.size()) }\n"
            .to_owned(),
        " .eval nest.get(0).add(changing)\n".to_owned(),
        " .eval changing = changing + nest.get(nest.size()-1).size()\n".to_owned(),
        " .eval table.remove(\"b1\")\n .print \"\" + table.keys()\n".to_owned(),
        " .eval changing = f2(list.size(), nest.size())\n".to_owned(),
        " .print \"\" + list.size() + nest.size() + changing + list.get(0)\n".to_owned(),
        " .byte list.size(), nest.size(), changing\n .fill list.size(), list.get(i)\n".to_owned(),
        " .eval nest.lock()\n".to_owned(),
    ];
    random.pick(&lines).clone()
}

/// A line that changes what others read.
fn effect(random: &mut Random) -> String {
    let lines = [
        " .eval changing = changing + 1\n",
        " .eval list.add(9)\n",
        " .eval list.set(0, changing)\n",
        " .eval table.put(\"a\", changing)\n",
        " .eval pair.a = changing\n",
        " .eval changing = random()\n",
        " .eval list.lock()\n",
        " .eval list = list\n",
    ];
    (*random.pick(&lines)).to_owned()
}

/// Something a function may read.
fn term(random: &mut Random, function: usize) -> String {
    match random.index(12 + function) {
        0 => "changing".to_owned(),
        1 => "list.get(0)".to_owned(),
        2 => "locked.get(mod(y, 4))".to_owned(),
        3 => "table.get(\"a\")".to_owned(),
        4 => "pair.a".to_owned(),
        5 => "late".to_owned(),
        6 => "<early".to_owned(),
        7 => "floor(random() * 4)".to_owned(),
        8 => "list.size()".to_owned(),
        9 => "[* & 3]".to_owned(),
        10 => "'a'".to_owned(),
        11 => "fixed".to_owned(),
        other => format!("f{}(x & 3, y & 1)", other - 12),
    }
}

fn call(random: &mut Random, argument: &str) -> String {
    format!("f{}({argument}, {})", random.index(4), random.index(3))
}
