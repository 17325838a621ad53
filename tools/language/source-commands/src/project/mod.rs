//! The project around the working directory: `tempo.toml`, found upwards, with flags on top. A command flattens
//! [`SourceFlags`] into its arguments and asks them for the [`Project`]; what is wrong is printed on the way.

mod flags;

use std::path::{Path, PathBuf};

use tempo_diagnostics::{Colour, Diagnostic, NoCode, Renderer, Source, Span};
use tempo_host::{Exit, files, output, term};
use tempo_project::LIMIT;

use crate::watch::Seen;

pub use flags::{BuildFlags, RunFlags, SourceFlags, TestFlags, parse_map};
pub use tempo_project::{
    FILE, Faults, Given, Item, LIST_OF_CODES, Origin, Project, SECTIONS, Setting, Value, schema,
};

/// The project at a path, or else around the working directory. Without a `tempo.toml` every setting has its default,
/// relative to the working directory.
pub fn find(at: Option<&Path>) -> Result<Project, Exit> {
    let folder = std::env::current_dir()
        .map_err(|err| output::complain(format_args!("the working directory is gone: {err}")))?;
    let base = match at {
        Some(path) if path.is_dir() => path.to_path_buf(),
        Some(path) if path.file_name().is_some_and(|name| name == FILE) => {
            path.parent().map(Path::to_path_buf).unwrap_or_default()
        }
        Some(path) => {
            let shown = path.display();
            return Err(output::complain(format_args!(
                "--project {shown}: this is neither a folder nor a {FILE}"
            )));
        }
        None => match upwards(&folder) {
            Some(base) => base,
            None => return Ok(Project::without_file(folder)),
        },
    };
    if at.is_some() {
        files::allow(&base);
    }
    let file = base.join(FILE);
    let name = file.to_string_lossy();
    let bytes = files::read_limited(&file, LIMIT)
        .map_err(|err| output::complain(format_args!("cannot read {name}: {err}")))?;
    Project::read(base, folder, &bytes).map_err(|(source, faults)| {
        show(&source, &faults);
        let errors = tempo_diagnostics::plural(faults.len(), "error");
        output::warn(&output::visible(&format!("{name}: {errors}, nothing done\n")));
        Exit::CannotRun
    })
}

/// The project around a folder, for callers that show what is wrong in another way than printing it. `None` without a
/// `tempo.toml`, and if it cannot be read.
pub fn around(folder: &Path) -> Option<Result<Project, Faults>> {
    Project::around(folder, is_there, files::read_limited)
}

/// Whether a file is the project's program.
pub fn is_main(project: &Project, file: &Path) -> bool {
    std::path::absolute(file).is_ok_and(|file| project.is_main(&file))
}

/// Prints what is wrong with a value of the file at its place, or with a flag.
pub fn complain(project: &Project, setting: Setting, message: &str, help: Option<String>) -> Exit {
    let (Origin::File { line, .. }, Some(file)) = (project.given(setting).origin, project.file()) else {
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        return output::complain(format_args!("{message}{help}"));
    };
    let Ok(bytes) = files::read_limited(file, LIMIT) else { return output::complain(message) };
    let source = Source::from_bytes(file.to_string_lossy(), &bytes);
    let start = source.line_start(line).unwrap_or(0);
    let line = source.line(line);
    let margin = line.len() - line.trim_start().len();
    let span = Span { start: start + margin as u32, end: start + line.trim_end().len() as u32 };
    complain_at(project, span, message, help)
}

/// Prints what is wrong with something in the file.
pub fn complain_at(project: &Project, span: Span, message: &str, help: Option<String>) -> Exit {
    let bytes = project.file().and_then(|file| Some((file, files::read_limited(file, LIMIT).ok()?)));
    let Some((file, bytes)) = bytes else { return output::complain(message) };
    let source = Source::from_bytes(file.to_string_lossy(), &bytes);
    // The file may have changed since it was read.
    if source.span().end < span.end {
        return output::complain(message);
    }
    show(&source, &[Diagnostic::error(NoCode, span, message).help(help)]);
    Exit::CannotRun
}

/// Notes the `tempo.toml` that [`find`] is going to read, or would read if it were there.
pub fn note(at: Option<&Path>, seen: &Seen) {
    let base = match at {
        Some(path) if path.is_dir() => path.to_path_buf(),
        Some(path) => path.parent().map(Path::to_path_buf).unwrap_or_default(),
        None => std::env::current_dir().ok().and_then(|folder| upwards(&folder)).unwrap_or_default(),
    };
    seen.note(&base.join(FILE));
}

/// The folder of the project around the working directory, as that one sees it.
fn upwards(folder: &Path) -> Option<PathBuf> {
    let root = tempo_project::nearest(folder, is_there)?;
    let above = folder.ancestors().take_while(|folder| *folder != root).count();
    Some(std::iter::repeat_n("..", above).collect())
}

/// The root of the project around the working directory, or that directory itself.
pub fn root_here() -> PathBuf {
    std::env::current_dir().ok().and_then(|folder| upwards(&folder)).unwrap_or_default()
}

/// A link that leads nowhere counts: it is the file that a person sees.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// More faults than a person reads at once.
const MOST_SHOWN: usize = 20;

fn show(source: &Source, faults: &[Diagnostic]) {
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    for fault in faults.iter().take(MOST_SHOWN) {
        output::warn(&Renderer::new(source).colour(colour).human(fault));
    }
}
