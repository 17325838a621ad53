//! Texts that are being written: every beginning of a source has answers, and the answers after edits are those of a
//! fresh start.

use std::sync::Arc;

use tempo_assembler::{Lints, MemoryFiles, Options};
use tempo_diagnostics::Span;
use tempo_editor::{CompletionKind, HintKinds, Place, SharedFiles, Snapshot};
use tempo_random::Random;

const ALL: HintKinds = HintKinds { addresses: true, cycles: true, macro_size: true, values: true };

fn options() -> Options {
    Options { lints: Lints::with_style(), ..Options::default() }
}

fn ask_everything(snapshot: &Snapshot, text: &str, offset: u32) {
    let place = Place { file: "main.asm", offset };
    let whole = Span { start: 0, end: text.len() as u32 };
    tempo_editor::completions(snapshot, place, &|_| Vec::new());
    tempo_editor::hover(snapshot, place);
    tempo_editor::signature_help(snapshot, place);
    tempo_editor::definition(snapshot, place);
    tempo_editor::highlights(snapshot, place);
    tempo_editor::selection(snapshot, place);
    tempo_editor::routine_at(snapshot, place);
    let _ = tempo_editor::prepare_rename(snapshot, place);
    tempo_editor::outline(snapshot, "main.asm");
    tempo_editor::folds(snapshot, "main.asm");
    tempo_editor::semantic_tokens(snapshot, "main.asm", whole);
    tempo_editor::hints(snapshot, "main.asm", whole, ALL);
    tempo_editor::actions(snapshot, "main.asm", Span::at(offset));
    let half = (0..=offset / 2).rev().find(|&at| text.is_char_boundary(at as usize)).unwrap_or(0);
    tempo_editor::actions(snapshot, "main.asm", Span { start: half, end: offset });
    tempo_editor::lenses(snapshot, "main.asm");
}

#[test]
fn every_beginning_of_a_source_has_answers() {
    let mut random = Random::new(tempo_testing::seed());
    let sources = tempo_testing::files_with_extension(&tempo_testing::fixtures().join("asm/ok"), "asm");
    for _ in 0..tempo_testing::rounds(12) {
        // Some are in another encoding on purpose.
        let text = String::from_utf8(tempo_testing::bytes(&sources[random.index(sources.len())]))
            .unwrap_or_default();
        if text.len() > 1500 {
            continue;
        }
        for (end, _) in text.char_indices().step_by(3) {
            let start = &text[..end];
            let files: MemoryFiles = [("main.asm", start)].into_iter().collect();
            let snapshot = Snapshot::new(Arc::new(files), options()).with_roots(["main.asm"]);
            ask_everything(&snapshot, start, end as u32);
        }
    }
}

#[test]
fn every_beginning_of_a_suite_is_answered() {
    let text =
        tempo_testing::text(&tempo_testing::fixtures().join("editor/places/suite.6502")).replace('‸', "");
    let program = tempo_testing::text(&tempo_testing::fixtures().join("editor/places/suite.lib"));
    for (end, _) in text.char_indices() {
        let texts = [("main.6502", text[..end].to_owned()), ("main.asm", program.clone())];
        let files: MemoryFiles = texts.into_iter().collect();
        let snapshot = Snapshot::new(Arc::new(files), options())
            .with_roots(["main.asm"])
            .with_suites([("main.6502", true)]);
        let place = Place { file: "main.6502", offset: end as u32 };
        snapshot.problems();
        tempo_editor::completions(&snapshot, place, &|_| Vec::new());
        tempo_editor::hover(&snapshot, place);
        tempo_editor::definition(&snapshot, place);
        tempo_editor::lenses(&snapshot, "main.6502");
        tempo_editor::tests(&snapshot, "main.6502");
    }
}

/// The answers about a text and some places in it, as one text to compare.
fn summary(snapshot: &Snapshot, text: &str, places: &[u32]) -> String {
    let whole = Span { start: 0, end: text.len() as u32 };
    let file = "main.asm";
    let tokens = tempo_editor::semantic_tokens(snapshot, file, whole);
    let mut all = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        snapshot.problems(),
        tempo_editor::outline(snapshot, file),
        tokens.iter().map(|token| (token.span, token.kind)).collect::<Vec<_>>(),
        tempo_editor::find_symbols(snapshot, ""),
        tempo_editor::folds(snapshot, file),
        tempo_editor::links(snapshot, file),
        tempo_editor::colours(snapshot, file),
    );
    for &offset in places {
        let place = Place { file, offset };
        let completions = tempo_editor::completions(snapshot, place, &|_| Vec::new());
        // Addresses and members are found by values; see below.
        let by_name = completions.iter().filter(|completion| {
            let is_member = matches!(completion.kind, CompletionKind::Field | CompletionKind::Method);
            !is_member && !completion.label.starts_with('$')
        });
        all += &format!(
            "\n{offset} {:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
            by_name.collect::<Vec<_>>(),
            tempo_editor::signature_help(snapshot, place),
            tempo_editor::definition(snapshot, place),
            tempo_editor::references(snapshot, place, true),
            tempo_editor::highlights(snapshot, place),
            tempo_editor::selection(snapshot, place),
            tempo_editor::prepare_rename(snapshot, place),
        );
    }
    // While a text has errors, values and addresses are those from before: there a fresh start knows less.
    if snapshot.roots().iter().all(|root| root.evaluated().is_good()) {
        let hints = tempo_editor::hints(snapshot, file, whole, ALL);
        all += &format!("\n{hints:?}\n{tokens:?}\n{:?}", tempo_editor::lenses(snapshot, file));
        for &offset in places {
            let place = Place { file, offset };
            all += &format!(
                "\n{:?}\n{:?}\n{:?}",
                tempo_editor::hover(snapshot, place),
                tempo_editor::completions(snapshot, place, &|_| Vec::new()),
                tempo_editor::actions(snapshot, file, Span::at(offset)),
            );
        }
    }
    all
}

#[test]
fn answers_after_edits_are_those_of_a_fresh_start() {
    let mut random = Random::new(tempo_testing::seed());
    let library = "lib: rts\n.macro Wait(n) { ldx #n\n!: dex\n bne !- }\n";
    let mut text = tempo_testing::text(&tempo_testing::fixtures().join("editor/places/hints.asm"));
    text.push_str("#import \"lib.asm\"\n");
    let words = [
        "lda #1\n",
        " }",
        "{ ",
        "\n",
        "loop: ",
        ".byte 1,",
        "!",
        "$d020",
        "\"",
        "/*",
        "Wait(2)\n",
        ".",
        "jsr lib\n",
        "ä€😀",
    ];
    let files = |text: &str| -> SharedFiles {
        Arc::new([("main.asm", text), ("lib.asm", library)].into_iter().collect::<MemoryFiles>())
    };
    let mut snapshot = Snapshot::new(files(&text), options()).with_roots(["main.asm"]);
    let (first, mut good) = (text.clone(), 0);
    for round in 0..200 {
        let mut start = random.index(text.len() + 1);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (start + random.index(12)).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let word = if random.index(3) == 0 { "" } else { words[random.index(words.len())] };
        text.replace_range(start..end, word);
        if round % 25 == 24 {
            // Everything is undone: a text without errors.
            (text, start) = (first.clone(), 0);
        }
        if text.len() > 4000 {
            text.truncate(text.char_indices().nth(400).map_or(0, |(at, _)| at));
        }
        snapshot = snapshot.changed([files(&text)], &|path| path == "main.asm");
        ask_everything(&snapshot, &text, start as u32);
        if round % 5 == 4 {
            let fresh = Snapshot::new(files(&text), options()).with_roots(["main.asm"]);
            fresh.problems();
            let places: Vec<u32> = (0..4)
                .map(|_| text.floor_char_boundary(random.index(text.len() + 1)) as u32)
                .chain([start as u32])
                .collect();
            let (after, new) = (summary(&snapshot, &text, &places), summary(&fresh, &text, &places));
            assert_eq!(after, new, "round {round}:\n{text}");
            good += usize::from(fresh.roots()[0].evaluated().is_good());
        }
    }
    println!("{good} of 40 texts were without errors");
    assert!(good > 0);
}

#[test]
fn while_a_text_is_broken_the_last_values_serve() {
    let good = "*=$1000\nstart: lda #1\n.const SIZE = 40\n jmp start\n";
    let files =
        |text: &str| -> SharedFiles { Arc::new([("main.asm", text)].into_iter().collect::<MemoryFiles>()) };
    let snapshot = Snapshot::new(files(good), options()).with_roots(["main.asm"]);
    snapshot.problems();
    let broken = good.replace(".const", " lda #,\n.const");
    let snapshot = snapshot.changed([files(&broken)], &|_| true);
    let place = |word: &str| Place { file: "main.asm", offset: broken.find(word).unwrap() as u32 + 1 };
    let hover = tempo_editor::hover(&snapshot, place("SIZE")).unwrap();
    assert!(hover.text.contains("$28") && hover.text.contains("before the last edits"), "{}", hover.text);
    let hover = tempo_editor::hover(&snapshot, place("jmp")).unwrap();
    assert!(hover.text.contains("$1002: 4C 00 10"), "{}", hover.text);
}
