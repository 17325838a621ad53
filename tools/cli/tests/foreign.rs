//! Programs of other assemblers: what ca65, 64tass and ACME made of one routine is tested by its labels and debugged by
//! its lines. The files are those of `tests/foreign/make`; CI makes them anew.

use pretty_assertions::assert_eq;

use crate::common::Scratch;

fn scratch() -> Scratch {
    let scratch = Scratch::new(&[]);
    let folder = tempo_testing::fixtures().join("foreign");
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        scratch.write(&name, &tempo_testing::bytes(&path));
    }
    scratch
}

#[test]
fn programs_are_tested_by_their_labels() {
    let ran = scratch().tempo("test sum.6502");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("3 passed"), "{}", ran.out);
}

#[test]
fn programs_are_debugged_by_their_lines() {
    let scratch = scratch();
    // The line of `sta result`, and that of the macro's call before it.
    for (name, source, info, store) in
        [("ca65", "s", "dbg", 17), ("64tass", "asm", "lst", 14), ("acme", "asm", "lst", 14)]
    {
        let file = format!("sum-{name}.{source}");
        let line = format!(
            "debug sum-{name}.prg --symbols sum-{name}.lbl --debug-info sum-{name}.{info} --break {file}:{store} -x continue -x back -x next"
        );
        let ran = scratch.tempo(&line);
        assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.out, ran.err);
        let stops: Vec<&str> = ran.out.lines().filter(|line| line.contains(&file)).collect();
        assert!(
            stops.iter().any(|stop| stop.contains(&format!("{file}:{store}")) && stop.contains("sta result")),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("A=14"), "{}", ran.out);
    }
}

#[test]
fn what_is_not_debug_information_is_refused() {
    let scratch = scratch();
    for (file, part) in
        [("sum.6502", "it is none of these"), ("sum-ca65.prg", "not a text file"), ("no.dbg", "cannot read")]
    {
        let ran = scratch.tempo(&format!("debug sum-ca65.prg --debug-info {file} -x continue"));
        assert!(ran.code == Some(1) && ran.err.contains(part), "{file}: {}{}", ran.out, ran.err);
    }
    scratch.write("cut.dbg", b"version\tmajor=2,minor=0\nspan\tid=1,seg\n");
    let ran = scratch.tempo("debug sum-ca65.prg --debug-info cut.dbg -x continue");
    assert!(ran.code == Some(1) && ran.err.contains("line 2 is not one of a .dbg"), "{}", ran.err);
}
