//! Texts for people have one style of hexadecimal numbers: `$D020`. This reads the sources of the project.

use tempo_testing::{files_with_extension, root, text};

/// Sources that write for another program, which has its own style.
const FOR_PROGRAMS: [&str; 8] = [
    // Symbol files, dumps and the memory map of Kick Assembler, and its messages.
    "tools/base/formats/src/",
    "tools/language/assembler/src/layout/image.rs",
    // Lines and errors of its plugins for packing.
    "tools/language/assembler/src/crunch.rs",
    // Conditions of VICE's monitor.
    "tools/debugger/dap/src/vice/",
    // The text of that monitor, which clients match.
    "tools/debugger/monitor/src/",
    // Addresses in JSON, as the fixtures of cartridges have them.
    "tools/language/source-commands/src/crt.rs",
    // Source text and symbols that are read by ourselves.
    "tools/language/source-commands/src/pack/mod.rs",
    "tools/games/bridge/src/source.rs",
];

#[test]
fn numbers_for_people_have_capital_digits() {
    let mut small = Vec::new();
    for path in files_with_extension(&root().join("tools"), "rs") {
        let name =
            path.strip_prefix(root()).expect("in the project").display().to_string().replace('\\', "/");
        if name.contains("/tests/") || FOR_PROGRAMS.iter().any(|known| name.starts_with(known)) {
            continue;
        }
        for (number, line) in text(&path).lines().enumerate() {
            // `${…:04x}` of a format string.
            let formatted = line.split("${").skip(1).filter_map(|rest| rest.split('}').next());
            if formatted.into_iter().any(|spec| spec.contains(':') && spec.ends_with('x')) {
                small.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(small.is_empty(), "write these with capital digits:\n{}", small.join("\n"));
}
