//! Writes the parser from `grammar.js`: `cargo run --manifest-path tools/editors/tree-sitter/generate/Cargo.toml`.
//! Needs Node, which reads the grammar.

use std::path::Path;
use std::process::ExitCode;

/// The version of the parser's tables: every editor of today reads it.
const ABI: usize = 14;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the grammar's folder");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (out, grammar) = (path("src"), path("grammar.js"));
    match tree_sitter_generate::generate_parser_in_directory(
        folder,
        Some(&out),
        Some(&grammar),
        ABI,
        None,
        Some("node"),
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
