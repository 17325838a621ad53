//! Which program runs: the project's, which is built, or the file on the command line. Sources are assembled here.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::parser::ValueSource;
use clap::{Args as _, CommandFactory, FromArgMatches};
use tempo_emu::System;
use tempo_formats::symbols::Symbols;
use tempo_formats::vsf::Snapshot;
use tempo_host::files::{self, Outlet};
use tempo_host::{Exit, output};
use tempo_kickass::Done;
use tempo_project::Effect;
use tempo_source_commands::asm::{self, MessageFormat, Says, host::Noted};
use tempo_source_commands::build;
use tempo_source_commands::project::{self, Project, Setting};
use tempo_source_commands::watch::Seen;

use super::{Args, Built, source, terminal};

/// Makes the program ready. What is wrong is printed.
pub fn prepare(mut args: Args, seen: &Seen) -> Result<Args, Exit> {
    if args.load_state.is_some() {
        return Ok(args);
    }
    if args.file.is_none() && args.machine.cart.is_some() {
        args.file = args.machine.cart.clone();
    }
    let Some(file) = args.file.clone() else { return of_project(args, seen) };
    seen.note(&file);
    if source::is_snapshot(&file) && args.load.is_none() {
        let snapshot = source::snapshot(&file).map_err(output::complain)?;
        args.system = Some(snapshot_system(&snapshot, args.system).map_err(output::complain)?);
        args.snapshot = Some(Rc::new(snapshot));
        return Ok(args);
    }
    if source::is_source(&file) && args.load.is_none() {
        if args.vice {
            return Err(output::complain(format_args!(
                "--vice runs the program of a project, a .prg or a .d64; for this source: tempo run --vice --main {}",
                file.display()
            )));
        }
        project::note(args.source.project.as_deref(), seen);
        files::allow(file.parent().unwrap_or(Path::new("")));
        let project = args.source.project()?;
        let mut job = project.job_of(&file);
        job.options.analysis = args.system().is_whole();
        asm::check_source(&job).map_err(output::complain)?;
        let done = asm::build(asm::Build {
            job: &job,
            denied: &[],
            folder: project.folder(),
            format: MessageFormat::Human,
            says: Says::Remarks,
            files: &Noted(seen),
        })?;
        args.built = Some(built(done, &file)?);
    }
    Ok(args)
}

/// The machine of a snapshot: the one that it names, or that of the command line, or else PAL.
fn snapshot_system(snapshot: &Snapshot, typed: Option<System>) -> Result<System, String> {
    let Some(model) = tempo_c64::model_of(snapshot) else {
        let system = typed.unwrap_or(System::C64Pal);
        return match system.c64() {
            Some(_) => Ok(system),
            None => Err(format!("the snapshot is that of a C64, not of {}", system.name())),
        };
    };
    let system = System::ALL.into_iter().find(|system| system.c64() == Some(model)).unwrap_or(System::C64Pal);
    match typed {
        Some(other) if other != system => {
            Err(format!("the snapshot is that of {}; leave --system {} out", system.name(), other.name()))
        }
        _ => Ok(system),
    }
}

fn built(done: Done, source: &Path) -> Result<Built, Exit> {
    let none = || output::complain(format_args!("{}: the source makes no bytes", source.display()));
    let prg = done.output.prg().ok_or_else(none)?;
    let symbols = Symbols::from_program(&done.output.program);
    Ok(Built { prg, symbols, output: Rc::new(done.output) })
}

/// The program of the project, built, with the machine and the options that the project asks for.
fn of_project(args: Args, seen: &Seen) -> Result<Args, Exit> {
    project::note(args.source.project.as_deref(), seen);
    let project = args.source.project()?;
    let mut args = with_options(args, &project)?;
    let mut program = project.program();
    let job = &mut program.job;
    job.keep_symbols = true;
    job.options.analysis = args.system.map_or(project.system(), |system| system).is_whole();
    if args.vice {
        job.vice_symbols = Some(None);
    }
    let done = build::build(&project, &program, MessageFormat::Human, Says::Remarks, seen)?;
    args.file = Some(if args.vice { done.places.main.clone() } else { project.main() });
    args.built = Some(built(done, &project.main())?);
    if args.system.is_none() {
        args.system = Some(project.system());
    }
    if args.system().is_whole() {
        show(&mut args);
    }
    Ok(args)
}

/// A run without a request to show anything is shown all the same: played in a terminal, or else its screen printed.
fn show(args: &mut Args) {
    let machine = &mut args.machine;
    if args.vice
        || args.on.is_some()
        || args.trace
        || machine.first_output().is_some()
        || args.save_state.is_some()
        || machine.terminal
    {
        return;
    }
    if machine.frames.is_none() && args.until.is_empty() && terminal::check().is_ok() {
        machine.terminal = true;
    } else {
        machine.screen = true;
    }
}

/// The command line again, with the options of the project in front: those that come later win.
fn with_options(args: Args, project: &Project) -> Result<Args, Exit> {
    let words = project.run_args();
    if words.is_empty() {
        return Ok(args);
    }
    let words = located(words, project.base());
    let command = || {
        Args::command()
            .arg(tempo_source_commands::confine_flag())
            .args_override_self(true)
            .no_binary_name(true)
    };
    let refuse = |message: &str, help| Err(project::complain(project, Setting::RunArgs, message, help));
    let of_file = match command().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(err) => {
            let text = err.to_string();
            let line = text.lines().next().unwrap_or_default();
            return refuse(&format!("`args`: {}", line.strip_prefix("error: ").unwrap_or(line)), None);
        }
    };
    for argument in command().get_arguments() {
        let id = argument.get_id().as_str();
        if of_file.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let Some(name) = argument.get_long() else {
            return refuse(
                "`args` has a word that is not an option; the program is `main` of [project]",
                None,
            );
        };
        // The reader refuses the words; this looks at what they mean.
        if let Some((message, help)) = tempo_project::refused(name) {
            return refuse(&format!("`args` {message}"), Some(help));
        }
        if tempo_project::effect(name) == Some(Effect::Reads) {
            let paths = of_file.get_raw(id).into_iter().flatten();
            for path in paths.map(Path::new) {
                if let Err(err) = reads_inside(project, path) {
                    let help = format!("write it on the command line: tempo run --{name}");
                    return refuse(&format!("`args` cannot read '{}': {err}", path.display()), Some(help));
                }
            }
        }
    }
    let typed = std::env::args_os().skip_while(|word| word != "run").skip(1);
    let words: Vec<OsString> = words.into_iter().chain(typed).collect();
    let read = command().try_get_matches_from(words).and_then(|matches| Args::from_arg_matches(&matches));
    read.map_err(|err| {
        output::complain(err.to_string().trim_start_matches("error: ").trim_end());
        Exit::CannotRun
    })
}

/// Whether a file that the settings name is one of the project.
fn reads_inside(project: &Project, path: &Path) -> std::io::Result<()> {
    let whole = tempo_assembler::search::clean(&project.folder().join(path));
    Outlet::open(project.root(), "on the command line")?.admits(&whole)
}

/// The words with paths as the working directory sees them.
fn located(words: Vec<String>, base: &Path) -> Vec<OsString> {
    let command = Args::augment_args(clap::Command::new("run"));
    let is_path = |option: &str| {
        let Some(name) = option.strip_prefix("--") else { return false };
        let found = command.get_arguments().find(|argument| argument.get_long() == Some(name));
        found.is_some_and(|argument| argument.get_value_parser().type_id() == TypeId::of::<PathBuf>())
    };
    let moved = |option: &str, value: &str| -> OsString {
        if is_path(option) { base.join(value).into() } else { value.into() }
    };
    let mut result: Vec<OsString> = Vec::with_capacity(words.len());
    let mut last = String::new();
    for word in words {
        result.push(match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => joined(option, moved(option, value)),
            _ => moved(&last, &word),
        });
        last = word;
    }
    result
}

fn joined(name: &str, value: impl Into<OsString>) -> OsString {
    let mut word = OsString::from(format!("{name}="));
    word.push(value.into());
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn paths_of_options_are_those_of_the_project() {
        let words = "--frames 5 --kernal a.rom --symbols=b.sym --keys=a=b --load-state /x/s --screen x=y";
        let expected =
            "--frames 5 --kernal ../a.rom --symbols=../b.sym --keys=a=b --load-state /x/s --screen x=y";
        let words = located(words.split_whitespace().map(String::from).collect(), Path::new(".."));
        assert_eq!(words, expected.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn every_option_has_its_effect_in_the_table() {
        let command = Args::augment_args(clap::Command::new("run"));
        let mut names: Vec<&str> =
            command.get_arguments().filter_map(|argument| argument.get_long()).collect();
        let mut known: Vec<&str> = tempo_project::RUN_OPTIONS.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, names);
        for argument in command.get_arguments() {
            let Some(name) = argument.get_long() else { continue };
            // A path is read, written or started, never nothing.
            let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
            assert!(!is_path || tempo_project::effect(name) != Some(Effect::Nothing), "--{name}");
        }
    }
}
