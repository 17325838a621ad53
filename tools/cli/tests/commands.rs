//! The commands as a user calls them: one program with a module for each subject, because linking a program for each
//! takes longer than compiling it. The name of a module is a filter: `cargo test -p tempo --test commands outputs::`.

mod common;

mod asm_cli;
mod c64_commands;
mod cpu_commands;
mod cycles;
mod debug_commands;
mod enochian;
mod fmt;
mod foreign;
mod fuzz;
mod game_commands;
mod hardware;
mod hostile;
mod import;
mod kill;
mod lint;
mod mcp;
mod outputs;
mod play_command;
mod project;
mod projects;
mod prove;
mod raster;
mod readme;
mod recordings;
mod release;
mod rules_commands;
mod scaling;
mod send;
mod snapshots;
mod stranger;
mod test_command;
mod testbench;
mod trade;

/// A file that no `mod` names would not be compiled, and its tests would pass.
#[test]
fn every_file_is_a_module() {
    let source = include_str!("commands.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).expect("the folder of this file") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("UTF-8");
        // These two are programs.
        let is_module = path.extension().is_some_and(|extension| extension == "rs")
            && !["asm", "commands"].contains(&name);
        assert!(
            !is_module || source.contains(&format!("\nmod {name};\n")),
            "add `mod {name};` to commands.rs"
        );
    }
}
