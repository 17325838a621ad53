//! `docs/machines.md` lists the machines of the registry; `UPDATE=1` writes the list anew.

#![allow(clippy::disallowed_methods, reason = "a test of a file")]

use tempo_emu::System;

const BEGIN: &str = "<!-- machines: begin -->\n";
const END: &str = "<!-- machines: end -->";

fn table() -> String {
    let mut text = String::from("| name | in suites | other spellings | machine |\n|---|---|---|---|\n");
    for system in System::ALL {
        let aliases: Vec<String> = system.aliases().iter().map(|alias| format!("`{alias}`")).collect();
        let (name, suite, title) = (system.name(), system.suite_name(), system.title());
        text += &format!("| `{name}` | `{suite}` | {} | {title} |\n", aliases.join(", "));
    }
    text
}

#[test]
fn the_page_lists_every_machine() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/machines.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (head, rest) = page.split_once(BEGIN).expect("the list begins");
    let (found, tail) = rest.split_once(END).expect("the list ends");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, format!("{head}{BEGIN}{}{END}{tail}", table())).expect("the page is written");
    } else {
        assert_eq!(found, table(), "run this test with UPDATE=1");
    }
}
