//! `tempo sym`: symbol files from one form to another.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;
use tempo_formats::symbols::{Symbol, Symbols};
use tempo_host::{Exit, files, output};

/// Far more than any program has names for.
const LIMIT: u64 = 64 << 20;

/// Convert symbol files
///
/// Reads Kick Assembler's .sym, VICE's label commands and the debug dump, detected by content. Several files are
/// joined; if a name occurs twice, the first value wins. Names that a .sym file cannot hold, as `@loop`, are left out of it
/// with a warning.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  tempo sym game.sym --to vice -o game.vs       for `x64sc -moncommands game.vs`
  tempo sym game.vs --to sym > game.sym         for `#import` and `.import source`
  tempo sym game.dbg --to json | jq '.[] | select(.value > 49152)'

Exit codes: 0 done, 1 a file is not a symbol file, 2 it cannot be read or written.")]
pub struct Args {
    /// Symbol files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The form to write
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Kick Assembler's source of labels and namespaces
    Sym,
    /// Label commands of VICE's monitor
    Vice,
    /// A list of paths and values
    Json,
}

pub fn run(args: Args) -> Exit {
    let mut entries: Vec<Symbol> = Vec::new();
    let mut exit = Exit::Fine;
    for path in &args.files {
        let bytes = match files::read_limited(path, LIMIT) {
            Ok(bytes) => bytes,
            Err(err) => {
                exit = output::complain(format_args!("{}: {err}", path.display()));
                continue;
            }
        };
        match Symbols::parse(&String::from_utf8_lossy(&bytes)) {
            Ok(table) => entries.extend(table.iter().cloned()),
            Err(err) => {
                output::complain(format_args!("{}: {err}", path.display()));
                if exit == Exit::Fine {
                    exit = Exit::Failed;
                }
            }
        }
    }
    // A table without the names of a file is not what was asked for.
    if exit != Exit::Fine {
        return exit;
    }
    let mut seen = std::collections::HashSet::new();
    entries.retain(|symbol| seen.insert(symbol.path.clone()));
    if matches!(args.to, Form::Sym) {
        leave_out(&mut entries);
    }
    let table: Symbols = entries.into_iter().collect();
    let text = write(&table, args.to);
    let Some(out) = args.out else {
        output::say(&text);
        return Exit::Fine;
    };
    match files::write_atomic(&out, text.as_bytes()) {
        Ok(()) => Exit::Fine,
        Err(err) => output::complain(format_args!("{}: {err}", out.display())),
    }
}

/// More names than a person reads at once.
const MOST_SHOWN: usize = 20;

/// Takes the names away that Kick Assembler's form cannot hold, and says which: other assemblers allow `@loop`.
fn leave_out(entries: &mut Vec<Symbol>) {
    let is_kept = |symbol: &Symbol| symbol.path.split('.').all(tempo_formats::sym::is_name);
    let gone: Vec<&str> =
        entries.iter().filter(|symbol| !is_kept(symbol)).map(|symbol| symbol.path.as_str()).collect();
    if gone.is_empty() {
        return;
    }
    let more = gone.len().saturating_sub(MOST_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names = gone.iter().take(MOST_SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    output::warn(&format!(
        "warning: {}\n",
        output::visible(&format!("left out, because a .sym file cannot hold such names: {names}{more}"))
    ));
    entries.retain(is_kept);
}

fn write(table: &Symbols, form: Form) -> String {
    match form {
        Form::Sym => tempo_formats::sym::write(&table.to_scope()),
        Form::Vice => {
            table.iter().map(|Symbol { path, value }| format!("al C:{:x} .{path}\n", *value as u32)).collect()
        }
        Form::Json => {
            let list: Vec<_> =
                table.iter().map(|Symbol { path, value }| json!({ "path": path, "value": value })).collect();
            format!("{}\n", json!(list))
        }
    }
}
