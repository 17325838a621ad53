//! `tempo fmt`: puts Kick source into columns. The formatter is in `editor`; here are the files, and the proof that a
//! program stays what it is.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use serde_json::json;
use tempo_assembler::{FileError, Files, Loaded, Options, Output, Overlay, SearchPath, assemble};
use tempo_diagnostics::{Colour, Columns, Diagnostic, Renderer, Source, SourceMap};
use tempo_editor::{Case, Style, Unformattable};
use tempo_host::files::{self, Outlet, Outputs};
use tempo_host::{Exit, Format, input, output, term};
use tempo_source_commands::project;

/// Larger sources are refused.
const LIMIT: u64 = 64 << 20;
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Put Kick Assembler sources into columns
///
/// Labels, instructions, operands and comments get their columns, statements of the script language are indented by
/// their braces, and blanks at the ends of lines go. Nothing else changes: statements are never joined, split or
/// reordered. A file that assembles by itself is assembled before and after, and nothing is written unless all bytes
/// are the same.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo fmt                            # all sources of the project, in place
  tempo fmt --check                    # for CI: all of them
  tempo fmt main.asm lib               # a source, and those in a folder
  tempo fmt --check src/*.asm          # for CI: list what would change, exit 1 if anything would
  tempo fmt - < main.asm               # for editors: from standard input to standard output
  tempo fmt --comment-column 40 --hex upper main.asm

A source with syntax errors is left as it is; the others are formatted all the same.

Exit codes: 0 all files are in shape now, 1 a source has errors or (with --check) would change, 2 a file cannot be \
read or written.")]
pub struct Args {
    /// Sources to format, or folders of them; `-` for standard input [default: the project]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write nothing; list the files that would change and exit with 1 if there are any
    #[arg(long)]
    check: bool,

    /// Where instructions, data and macro calls begin
    #[arg(long, value_name = "COLUMN", default_value_t = Style::default().code, value_parser = column())]
    code_column: u32,

    /// Where operands begin; 0 for one blank after the mnemonic
    #[arg(long, value_name = "COLUMN", default_value_t = Style::default().operand, value_parser = column())]
    operand_column: u32,

    /// Where comments after code begin
    #[arg(long, value_name = "COLUMN", default_value_t = Style::default().comment, value_parser = column())]
    comment_column: u32,

    /// Columns for each open brace
    #[arg(long, value_name = "COLUMNS", default_value_t = Style::default().indent, value_parser = column())]
    indent: u32,

    /// The case of the digits of hexadecimal numbers
    #[arg(long, value_enum, default_value_t, value_name = "CASE")]
    hex: HexCase,

    /// Where imports are looked for when a file is assembled for comparison
    #[arg(long, value_name = "DIR")]
    lib_dir: Vec<PathBuf>,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the results")]
    format: Format,
}

fn column() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=200)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum HexCase {
    /// As they are written
    #[default]
    Leave,
    /// $d020
    Lower,
    /// $D020
    Upper,
}

/// A source, and what becomes of it.
struct Work {
    path: PathBuf,
    text: String,
    tidy: Result<String, Unformattable>,
}

impl Work {
    fn changed(&self) -> Option<&str> {
        self.tidy.as_deref().ok().filter(|tidy| *tidy != self.text)
    }
}

pub fn run(args: Args) -> Exit {
    let style = Style {
        code: args.code_column,
        operand: args.operand_column,
        comment: args.comment_column,
        indent: args.indent,
        hex: match args.hex {
            HexCase::Leave => Case::Leave,
            HexCase::Lower => Case::Lower,
            HexCase::Upper => Case::Upper,
        },
    };
    let is_stdin = args.files.iter().any(|path| path == Path::new("-"));
    if is_stdin && args.files.len() > 1 {
        return output::complain("standard input is formatted alone, without other files");
    }
    let mut works = Vec::new();
    let mut seen = HashSet::new();
    let mut lib_dirs = args.lib_dir.clone();
    let named = match sources(&args.files, &mut lib_dirs) {
        Ok(named) => named,
        Err(exit) => return exit,
    };
    for path in &named.files {
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            continue;
        }
        match read(path) {
            Ok(text) => works.push(Work { path: path.clone(), tidy: tidied(&text, &style), text }),
            Err(problem) => return output::complain(problem),
        }
    }
    if let Err(problem) = unchanged(&works, &lib_dirs) {
        return output::complain(problem);
    }
    if !args.check && !is_stdin {
        // Files that were not typed stay in the project.
        let outlet = match named.root.as_deref().map(|root| Outlet::open(root, "tempo fmt FILE")).transpose()
        {
            Ok(outlet) => outlet,
            Err(err) => return output::complain(format_args!("cannot open the project: {err}")),
        };
        let mut outputs = Outputs::default();
        for work in &works {
            let Some(tidy) = work.changed() else { continue };
            if let Some(outlet) = &outlet {
                outputs.add_within(outlet, &work.path, tidy);
                continue;
            }
            if let Err(problem) = check_place(&work.path) {
                return output::complain(problem);
            }
            outputs.add(&work.path, tidy);
        }
        if let Err(err) = outputs.write() {
            return output::complain(format_args!("cannot write '{}': {}", err.path.display(), err.error));
        }
    }
    report(&args, &works, is_stdin)
}

/// The files to format.
struct Sources {
    files: Vec<PathBuf>,
    /// The folder of the project, if its sources were not typed.
    root: Option<PathBuf>,
}

/// The sources that are meant: those named, those in folders that are named, or all of the project.
fn sources(named: &[PathBuf], lib_dirs: &mut Vec<PathBuf>) -> Result<Sources, Exit> {
    if named.is_empty() {
        let project = project::find(None)?;
        if !project.is_there() {
            return Err(output::complain(format_args!(
                "there is no {} here or above: name sources or folders to format",
                project::FILE
            )));
        }
        lib_dirs.extend(project.lib_dirs());
        let made = project.own_out_dir();
        let base = if project.base().as_os_str().is_empty() { Path::new(".") } else { project.base() };
        return Ok(Sources { files: below(base, made.as_deref()), root: Some(base.to_path_buf()) });
    }
    let mut all = Vec::new();
    for path in named {
        match path.is_dir() {
            true => all.extend(below(path, None)),
            false => all.push(path.clone()),
        }
    }
    Ok(Sources { files: all, root: None })
}

/// The sources in a folder and those below it, in order. Links are left alone, and so are hidden folders, folders of
/// packages and the output folder.
fn below(folder: &Path, made: Option<&Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
            let Ok(kind) = entry.file_type() else { continue };
            let is_hidden = name.to_string_lossy().starts_with('.') || name == "node_modules";
            let is_made = || made.is_some_and(|made| path.canonicalize().is_ok_and(|path| path == made));
            if kind.is_dir() && !is_hidden && !is_made() {
                open.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "asm") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Refuses a link in the project or the working directory that leads out of it: a shell that expands `*.asm` types it for
/// the user, but the link is the project's.
fn check_place(path: &Path) -> Result<(), String> {
    let cannot = |err: std::io::Error| format!("cannot write '{}': {err}", path.display());
    let here = std::env::current_dir().map_err(cannot)?;
    let root = tempo_project::nearest(&here, |file| file.symlink_metadata().is_ok()).unwrap_or(&here);
    let whole = tempo_assembler::search::clean(&here.join(path));
    if !whole.starts_with(root) {
        return Ok(());
    }
    let outlet = Outlet::open(root, "tempo fmt with the path of the file itself").map_err(cannot)?;
    outlet.admits(&whole).map_err(cannot)
}

fn read(path: &Path) -> Result<String, String> {
    let name = path.display();
    if path.extension().is_some_and(|extension| extension == "6502") {
        return Err(format!("'{name}' is a suite of tests; fmt knows Kick Assembler sources"));
    }
    let bytes = if path == Path::new("-") {
        let bytes =
            input::read_stdin(LIMIT as usize).map_err(|err| format!("cannot read standard input: {err}"))?;
        bytes.ok_or_else(|| format!("standard input is larger than the limit of {LIMIT} bytes"))?
    } else {
        files::read_own(path, LIMIT).map_err(|err| format!("cannot read '{name}': {err}"))?
    };
    String::from_utf8(bytes).map_err(|err| {
        let at = err.utf8_error().valid_up_to();
        format!("'{name}' is no UTF-8 text: byte {at} is part of no character")
    })
}

/// The text in shape; a mark of the byte order stays in front.
fn tidied(text: &str, style: &Style) -> Result<String, Unformattable> {
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => tempo_editor::format(rest, style).map(|tidy| format!("{BYTE_ORDER_MARK}{tidy}")),
        None => tempo_editor::format(text, style),
    }
}

/// Sources of the disk; they stay outputs of this run.
struct Disk(SearchPath);

impl Files for Disk {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        self.0.read(name, from, Path::is_dir, files::read_own, |path| path.canonicalize().ok())
    }
}

/// Assembles every file that changes, and that assembles by itself, with all changes and without.
fn unchanged(works: &[Work], lib_dirs: &[PathBuf]) -> Result<(), String> {
    let works: Vec<(&Work, &str)> =
        works.iter().filter_map(|work| work.changed().map(|tidy| (work, tidy))).collect();
    let folder = std::env::current_dir().map_err(|err| format!("the working directory is gone: {err}"))?;
    let search =
        SearchPath { folder: folder.clone(), library_folders: lib_dirs.to_vec(), ..SearchPath::default() };
    let disk = Disk(search);
    let name = |work: &Work| {
        let path = tempo_assembler::search::clean(&folder.join(&work.path));
        path.to_string_lossy().into_owned()
    };
    let (mut before, mut after) = (Overlay::new(&disk), Overlay::new(&disk));
    for (work, tidy) in &works {
        before.insert(name(work), &work.text);
        after.insert(name(work), tidy);
    }
    let options = Options { symbols: false, source_map: false, ..Options::default() };
    for (work, _) in &works {
        let old = assemble(&before, &name(work), &options);
        if old.has_errors() {
            continue;
        }
        let new = assemble(&after, &name(work), &options);
        let made = |output: &Output| (output.image.clone(), output.files.clone(), output.console.clone());
        if new.has_errors() || made(&old) != made(&new) {
            let name = work.path.display();
            return Err(format!("formatting would change what '{name}' assembles to; nothing is written"));
        }
    }
    Ok(())
}

/// Says what was done.
fn report(args: &Args, works: &[Work], is_stdin: bool) -> Exit {
    let mut exit = Exit::Fine;
    for work in works {
        let name = if is_stdin { "<stdin>".to_owned() } else { work.path.to_string_lossy().into_owned() };
        let is_changed = work.changed().is_some();
        if is_changed && args.check {
            exit = Exit::Failed;
        }
        match &work.tidy {
            Err(problem) => {
                exit = Exit::Failed;
                complain(args, &name, &work.text, problem);
            }
            Ok(tidy) if is_stdin && !args.check => output::say(tidy),
            Ok(_) if args.format == Format::Json => {
                let written = is_changed && !args.check;
                output::say(&format!(
                    "{}\n",
                    json!({"file": name, "changed": is_changed, "written": written})
                ));
            }
            Ok(_) if is_changed => {
                let what = if args.check { "would be formatted" } else { "formatted" };
                output::say(&format!("{}: {what}\n", output::visible(&name)));
            }
            Ok(_) => {}
        }
    }
    exit
}

/// Says why a file is left alone.
fn complain(args: &Args, name: &str, text: &str, problem: &Unformattable) {
    let source = Source::new(name, text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
    if args.format == Format::Json {
        let place = source.locate(problem.span.start, Columns::Characters);
        let (line, column) = place.map_or((1, 1), |place| (place.line, place.column));
        let error = json!({"code": problem.code.as_str(), "message": problem.message, "line": line, "column": column});
        output::say(&format!(
            "{}\n",
            json!({"file": name, "changed": false, "written": false, "error": error})
        ));
        return;
    }
    let diagnostic = Diagnostic::error(problem.code, problem.span, problem.message.as_str())
        .help("sources with syntax errors are left as they are");
    let renderer = Renderer::new(&source).colour(Colour::when(term::stderr_colour()));
    output::warn(&renderer.human(&diagnostic));
}
