//! Results kept from call to call and from pass to pass change nothing: every program gives the same bytes, symbols,
//! lines and errors when each function, fill and loop runs again (`Options::evaluate_afresh`).
//!
//! The programs are the chess program, the conformance corpus, and random scripts made of what could go wrong:
//! functions that read variables, lists that are changed between calls, labels that are not known at first, and
//! calculations, errors included.
//! `FUZZ=100` makes a hundred times as many of these, `SEED=n` others.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::path::Path;

use tempo_assembler::{DiskFiles, Files, Limits, MemoryFiles, Options, assemble};
use tempo_random::Random;

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
    let root = tempo_testing::root().join("asm/main.asm");
    if let Err(difference) = compare(&DiskFiles::default(), &root.to_string_lossy()) {
        panic!("{}", &difference[..difference.len().min(2000)]);
    }
}

#[test]
fn the_conformance_corpus_is_the_same() {
    let sources = tempo_testing::files_with_extension(&tempo_testing::fixtures().join("conformance"), "asm");
    assert!(sources.len() > 1000, "{} sources", sources.len());
    for source in sources {
        // Most have neither scripts nor fills.
        let text = String::from_utf8_lossy(&tempo_testing::bytes(&source)).into_owned();
        if [".function", "fill", ".for", ".while", "List", "Hashtable"].iter().any(|word| text.contains(word))
        {
            corpus(&source);
        }
    }
}

#[test]
fn the_scripts_of_the_benches_are_the_same() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/scripts");
    let sources = tempo_testing::files_with_extension(&scripts, "asm");
    assert!(!sources.is_empty());
    for source in sources {
        let output = assemble(&DiskFiles::default(), &source.to_string_lossy(), &Options::default());
        assert!(!output.has_errors(), "{}: {:?}", source.display(), output.diagnostics);
        corpus(&source);
    }
}

fn corpus(source: &Path) {
    if let Err(difference) = compare(&DiskFiles::default(), &source.to_string_lossy()) {
        panic!("{}", &difference[..difference.len().min(2000)]);
    }
}

#[test]
fn random_scripts_are_the_same() {
    let mut random = Random::new(tempo_testing::seed());
    let mut good = 0;
    let rounds = tempo_testing::rounds(200);
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

#[test]
fn random_calculations_are_the_same() {
    let mut random = Random::new(tempo_testing::seed());
    let mut good = 0;
    let rounds = tempo_testing::rounds(150);
    for round in 0..rounds {
        let source = calculations(&mut random);
        let files: MemoryFiles = [("main.asm", source.as_str())].into_iter().collect();
        if let Err(difference) = compare(&files, "main.asm") {
            panic!("round {round}:\n{source}\n{difference}");
        }
        good += u64::from(!assemble(&files, "main.asm", &Options::default()).has_errors());
    }
    assert!(good > rounds / 4, "only {good} of {rounds} assemble: the comparison means little");
    assert!(good < rounds, "none has an error");
}

/// A program whose functions do nothing but calculate, called often with the same arguments. Some fail for some of them.
fn calculations(random: &mut Random) -> String {
    let mut source = String::from(
        "*=$1000\n.const fixed = 3\n.var list = List().add(3,1,4,1,5,9,2,6)\n.var locked = List().add(2,7,1,8).lock()\n\
         .var nest = List().add(List().add(1,2), List().add(3))\n.var mixed = List().add(1, true, \"t\", 2)\n",
    );
    for (name, function) in [("h", 0), ("h", 1), ("h", 2), ("g", 0), ("g", 1), ("g", 2)] {
        let mut text = String::new();
        if name == "g" {
            text.push_str(&format!(" .var v = {}\n", number(random, "xy", 1)));
            (0..1 + random.index(3)).for_each(|_| text.push_str(&body(random, 0)));
            text.push_str(&format!(" .return {}\n", number(random, "xyv", 2)));
        } else {
            text.push_str(&format!(" .return {}\n", number(random, "xy", 2)));
        }
        // Only those before it are called, so that all of them end.
        let later = (0..3).map(|index| ("g", index)).filter(|&(_, index)| name == "h" || index >= function);
        let later = later
            .chain((0..3).map(|index| ("h", index)).filter(|&(_, index)| name == "h" && index >= function));
        for (name, index) in later {
            text = text.replace(&format!("{name}{index}("), "max(");
        }
        source.push_str(&format!(".function {name}{function}(x, y) {{\n{text}}}\n"));
    }
    source.push_str(
        ".function down(x, y) {\n .if (x <= 0) .return y\n .var inner = down(x - 1, y + x)\n .return inner * 2\n}\n",
    );
    for _ in 0..5 {
        let line = match random.index(5) {
            0 | 1 => format!(" .fill 20, {}\n", number(random, "i", 3)),
            2 => format!(" .for (var k = 0; k < 12; k++) .byte [{}] & 255\n", number(random, "k", 3)),
            3 => format!(
                " .for (var k = 0; k < 9; k++) {{ .var w = {}\n .if ({}) .print \"\" + w + k }}\n",
                number(random, "k", 2),
                truth(random, "k", 2)
            ),
            _ => format!(" .print \"\" + ({} ? {} : 1)\n", truth(random, "f", 2), number(random, "f", 1)),
        };
        source.push_str(&line);
    }
    source.push_str("late: rts\n");
    source
}

/// A statement of a function with the variables x, y and v.
fn body(random: &mut Random, depth: usize) -> String {
    match random.index(if depth < 2 { 8 } else { 4 }) {
        0 => format!(" .eval v = {}\n", number(random, "xyv", 2)),
        1 => " .eval v++\n".to_owned(),
        2 => format!(" .eval v += {}\n", number(random, "xyv", 1)),
        3 => format!(" .if ({}) .return {}\n", truth(random, "xyv", 1), number(random, "xyv", 1)),
        4 => format!(
            " .if ({}) {{\n{} }} else {{\n{} }}\n",
            truth(random, "xyv", 2),
            body(random, depth + 1),
            body(random, depth + 1)
        ),
        5 => format!(
            " .for (var k = 0; k < {}; k++) {{\n .var m = {}\n{} .eval v = v + m }}\n",
            random.index(5),
            number(random, "xyvk", 1),
            body(random, depth + 1)
        ),
        6 => format!(
            " {{\n .var n = 0\n .while (n < 3) {{\n .eval n = n + 1\n{} }}\n }}\n",
            body(random, depth + 1)
        ),
        _ => format!(" {{\n .var b = {}\n .eval v = v + b\n }}\n", number(random, "xyv", 1)),
    }
}

/// An expression that is a number, mostly, of variables that have one letter.
fn number(random: &mut Random, variables: &str, depth: usize) -> String {
    if depth == 0 || random.index(5) == 0 {
        let variable = &variables[random.index(variables.len())..][..1];
        return match random.index(12) {
            0 => "fixed".to_owned(),
            1 => "2".to_owned(),
            2 => "0.5".to_owned(),
            3 if random.index(20) == 0 => "late".to_owned(),
            4 if random.index(40) == 0 => "\"t\"".to_owned(),
            5 => "'a'".to_owned(),
            6 => "list.size()".to_owned(),
            _ => {
                if variable == "f" {
                    "fixed".to_owned()
                } else {
                    variable.to_owned()
                }
            }
        };
    }
    let a = number(random, variables, depth - 1);
    let b = number(random, variables, depth - 1);
    match random.index(18) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("({a} * {b})"),
        3 => format!("({a} & {b})"),
        4 => format!("({a} >> 1 | {b})"),
        5 => format!("mod({a}, 1 + abs({b}))"),
        6 if random.index(40) == 0 => format!("mod({a}, {b})"),
        7 => format!("max({a}, floor({b}))"),
        8 => format!("({} ? {a} : {b})", truth(random, variables, depth - 1)),
        9 => format!("list.get(abs({a}) & 7)"),
        10 if random.index(40) == 0 => format!("list.get({a})"),
        11 => format!("locked.get(floor(abs({a})) & 3)"),
        12 => format!("nest.get([{a}] & 1).size()"),
        13 if random.index(40) == 0 => format!("mixed.get([{a}] & 3)"),
        14 => format!("h{}({a}, {b})", random.index(3)),
        15 => format!("g{}({a} & 7, {b} & 3)", random.index(3)),
        16 => format!("down([{a}] & 3, {b})"),
        _ => format!("<({a})"),
    }
}

/// An expression that is true or false.
fn truth(random: &mut Random, variables: &str, depth: usize) -> String {
    let a = number(random, variables, depth.min(1));
    let b = number(random, variables, 0);
    match random.index(if depth == 0 { 4 } else { 8 }) {
        0 => format!("{a} < {b}"),
        1 => format!("{a} == {b}"),
        2 => format!("{a} != {b}"),
        3 => format!("{a} >= {b}"),
        4 => {
            format!("({}) && ({})", truth(random, variables, depth - 1), truth(random, variables, depth - 1))
        }
        5 => {
            format!("({}) || ({})", truth(random, variables, depth - 1), truth(random, variables, depth - 1))
        }
        6 => format!("!({})", truth(random, variables, depth - 1)),
        _ => "true".to_owned(),
    }
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
