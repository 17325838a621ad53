//! `tempo init`: a new project, written from a template. The texts are files in `templates/`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Parser, ValueEnum};
use serde_json::{Map, json};
use tempo_assembler::decrunch::DEPACKERS;
use tempo_assembler::search::clean;
use tempo_emu::System;
use tempo_host::files::{Outlet, Outputs, WriteError};
use tempo_host::{Exit, output};
use tempo_source_commands::project::{self, Project};

/// Create a C64 project: sources, tests and settings
///
/// The project builds (`tempo build`), runs in the emulator (`tempo run`) and passes its tests (`tempo test`) as it is.
/// Nothing is overwritten: if a file is in the way, it is named, and nothing is written.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo init                           a game in the working directory
  tempo init pong --template game      a game with joystick, points and tests, in the new folder pong
  tempo init math --template library   routines for other programs, with an example
  tempo init show --template demo      a raster interrupt, bars of colour, a scroller
  tempo init pong --vscode             also tasks, problem matchers and launch settings for VS Code
  tempo init --vscode                  those alone, in a folder that has a tempo.toml
  tempo init --agents                  an AGENTS.md alone, in a folder that has a tempo.toml
  tempo init pong --with zx0           also src/decrunch/zx0.asm, which unpacks what `tempo pack --format zx0` packs
  tempo init --with zx0 --with b2      these alone, in a folder that has a tempo.toml

Exit codes: 0 made, 2 something is in the way or cannot be written.")]
pub struct Args {
    /// The folder of the project; it is made if it is not there
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true)]
    folder: PathBuf,

    /// Project template [default: game]
    #[arg(long, short, value_enum, value_name = "TEMPLATE")]
    template: Option<Template>,

    /// Write .vscode/tasks.json and launch.json; in a folder that is a project already, only these
    #[arg(long)]
    vscode: bool,

    /// Write an AGENTS.md that tells coding agents how to use `tempo mcp`; in a folder that is a project already, only this
    #[arg(long)]
    agents: bool,

    /// Copy a depacker to src/decrunch, to be changed; in a folder that is a project already, only this
    #[arg(long, value_name = "DEPACKER", value_parser = depackers())]
    with: Vec<String>,
}

/// The depackers that can be copied.
fn depackers() -> PossibleValuesParser {
    PossibleValuesParser::new(DEPACKERS.iter().map(|(file, _)| file.trim_end_matches(".asm")))
}

/// A project to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Template {
    /// Catch the stars with the joystick
    #[default]
    Game,
    /// Products and quotients, with an example program
    Library,
    /// A raster interrupt, bars of colour, a scroller
    Demo,
}

/// Names of files and what is in them.
type Texts = &'static [(&'static str, &'static str)];

macro_rules! template {
    ($folder:literal: $($file:literal),+ $(,)?) => {
        &[$(($file, include_str!(concat!("../../templates/", $folder, "/", $file)))),+]
    };
}

const GAME: Texts = template!("game": "tempo.toml", "README.md", "src/main.asm", "src/player.asm", "src/screen.asm",
    "src/stars.asm", "tests/game.6502", "tests/player.6502");
const LIBRARY: Texts = template!("library": "tempo.toml", "README.md", "lib/math.asm", "src/example.asm",
    "tests/example.6502", "tests/math.6502");
const DEMO: Texts = template!("demo": "tempo.toml", "README.md", "src/main.asm", "src/bars.asm", "src/c64.asm",
    "src/scroller.asm", "tests/demo.6502");
const IGNORED: &str = include_str!("../../templates/gitignore");
const AGENTS: &str = include_str!("../../templates/agents.md");
const AGENTS_FILE: &str = "AGENTS.md";
const TASKS: &str = include_str!("../../templates/vscode/tasks.json");

/// The files for VS Code.
const VSCODE: [&str; 2] = [".vscode/tasks.json", ".vscode/launch.json"];

impl Template {
    fn texts(self) -> Texts {
        match self {
            Template::Game => GAME,
            Template::Library => LIBRARY,
            Template::Demo => DEMO,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Template::Game => "game",
            Template::Library => "library",
            Template::Demo => "demo",
        }
    }
}

pub fn run(args: Args) -> Exit {
    match init(&args) {
        Ok(()) => Exit::Fine,
        Err(exit) => exit,
    }
}

fn init(args: &Args) -> Result<(), Exit> {
    let working = std::env::current_dir()
        .map_err(|err| output::complain(format_args!("the working directory is gone: {err}")))?;
    let folder = clean(&working.join(&args.folder));
    let is_project = folder.join(project::FILE).symlink_metadata().is_ok();
    let template = match args.template {
        None if (args.vscode || args.agents || !args.with.is_empty()) && is_project => None,
        template => Some(template.unwrap_or_default()),
    };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = tempo_diagnostics::escaped(name.as_deref().unwrap_or("A C64 project")).into_owned();
    let mut texts: Vec<(&str, String)> = Vec::new();
    if let Some(template) = template {
        texts.extend(template.texts().iter().map(|(file, text)| (*file, text.replace("{{name}}", &name))));
        texts.push((".gitignore", IGNORED.to_owned()));
    }
    if args.agents {
        texts.push((AGENTS_FILE, AGENTS.replace("{{name}}", &name)));
    }
    let depackers: Vec<(String, &str)> = DEPACKERS
        .iter()
        .filter(|(file, _)| args.with.iter().any(|name| *name == file.trim_end_matches(".asm")))
        .map(|(file, text)| (format!("src/decrunch/{file}"), *text))
        .collect();
    texts.extend(depackers.iter().map(|(file, text)| (&file[..], (*text).to_owned())));
    let mut names: Vec<&str> = texts.iter().map(|(file, _)| *file).collect();
    if args.vscode {
        names.extend(VSCODE);
    }
    refuse_what_is_there(&args.folder, &folder, &names)?;
    write(&args.folder, &folder, &texts)?;
    if args.vscode {
        let project = project::find(Some(&folder))?;
        let launch = format!("{:#}\n", launch(&project));
        write(&args.folder, &folder, &[(VSCODE[0], TASKS.to_owned()), (VSCODE[1], launch)])?;
    }
    say(args, template, &names);
    Ok(())
}

/// Names everything that is where a file or a folder has to go.
fn refuse_what_is_there(given: &Path, folder: &Path, names: &[&str]) -> Result<(), Exit> {
    let cannot = |path: &Path, err: &std::io::Error| {
        output::complain(format_args!("cannot look at {}: {err}", path.display()))
    };
    match std::fs::metadata(folder) {
        Ok(found) if !found.is_dir() => {
            return Err(output::complain(format_args!("{} exists and is not a folder", given.display())));
        }
        Err(err) if !matches!(err.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(cannot(given, &err));
        }
        _ => {}
    }
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let path = folder.join(name);
        // A file where a folder goes is in the way, and so is a link: it may lead out of the project.
        let folders = path.ancestors().skip(1).take_while(|above| *above != folder);
        for above in folders {
            if above.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
                let above = above.strip_prefix(folder).unwrap_or(above).display().to_string();
                if !taken.contains(&above) {
                    taken.push(above);
                }
            }
        }
        match path.symlink_metadata() {
            Ok(_) => taken.push((*name).to_owned()),
            Err(err) if matches!(err.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(err) => return Err(cannot(&given.join(name), &err)),
        }
    }
    if taken.is_empty() {
        return Ok(());
    }
    let place = if given == Path::new(".") { "here".to_owned() } else { format!("in {}", given.display()) };
    let help = match taken.iter().any(|name| name == project::FILE) {
        true => "; this is a project already: `tempo config` shows its settings",
        false => "; move it away, or name another folder: tempo init DIR",
    };
    Err(output::complain(format_args!(
        "in the way {place}, so nothing is written: {}{help}",
        taken.join(", ")
    )))
}

fn write(given: &Path, folder: &Path, texts: &[(&str, String)]) -> Result<(), Exit> {
    let outlet = Outlet::make(folder, "tempo init DIR")
        .map_err(|err| output::complain(format_args!("cannot write {}: {err}", given.display())))?;
    let mut outputs = Outputs::with_folders();
    texts.iter().for_each(|(name, text)| outputs.add_within(&outlet, &folder.join(name), text.clone()));
    outputs.write().map_err(|WriteError { path, error }| {
        let name = path.strip_prefix(folder).map_or_else(|_| path.clone(), |name| given.join(name));
        output::complain(format_args!("cannot write {}: {error}", name.display()))
    })
}

/// How VS Code starts the debugger of the extension, or any other client of the protocol.
fn launch(project: &Project) -> serde_json::Value {
    let inner = |path: PathBuf| {
        let path = path.strip_prefix(project.root()).map(Path::to_path_buf).unwrap_or(path);
        format!("${{workspaceFolder}}/{}", path.to_string_lossy().replace('\\', "/"))
    };
    let vars: Map<String, serde_json::Value> =
        project.vars().into_iter().map(|(name, value)| (name, value.into())).collect();
    let mut program = json!({
        "type": "tempo",
        "request": "launch",
        "name": "Debug the program",
        "program": inner(clean(&project.root().join(project.job().source))),
        "libDirs": project.lib_dirs().into_iter().map(inner).collect::<Vec<_>>(),
        "defines": project.defines(),
        "vars": vars,
    });
    if project.system() != System::default() {
        program["system"] = project.system().name().into();
    }
    let suite = json!({"type": "tempo", "request": "launch", "name": "Debug a test of this suite", "suite": "${file}"});
    json!({"version": "0.2.0", "configurations": [program, suite]})
}

fn say(args: &Args, template: Option<Template>, names: &[&str]) {
    let place = args.folder.display().to_string();
    let place = if place == "." { "this folder".to_owned() } else { place };
    let mut text = match template {
        Some(template) => format!("made a {} in {place}:\n", template.name()),
        None => format!("added to {place}:\n"),
    };
    for name in names {
        text += &format!("  {name}\n");
    }
    if template.is_some() {
        text += "next:\n";
        if args.folder != Path::new(".") {
            text += &format!("  cd {}\n", tempo_harness::report::shell_word(&args.folder.to_string_lossy()));
        }
        text += "  tempo build        assemble it\n  tempo run          run it on a C64 here\n  tempo test         run its tests\n";
    }
    output::say(&output::visible(&text));
}
