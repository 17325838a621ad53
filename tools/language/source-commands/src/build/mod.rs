//! `tempo build`: assembles the programs of the project with its settings.

mod release;

use std::path::Path;

use clap::Parser;
use tempo_diagnostics::nearest;
use tempo_host::files::Outlet;
use tempo_host::{Exit, output};
use tempo_kickass::Done;
use tempo_project::Program;

use crate::asm::{self, MessageFormat, Says, host::Noted};
use crate::import::{self, project::Writes};
use crate::project::{self, BuildFlags, Project, Setting, SourceFlags};
use crate::watch::{self, Round, Seen};

/// Assemble the programs of the project
///
/// The main source and how it is assembled come from tempo.toml, which is looked for in the working directory and
/// above it; each of its keys is also a flag here, and flags win. The program, its symbol files and whatever the source
/// writes go to the output folder (build). Further programs are the targets of tempo.toml. Without a tempo.toml,
/// main.asm of the working directory is the program.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo build                      writes build/main.prg with main.sym and main.vs
  tempo build --release            also the packed program, the disk and the cartridge of tempo.toml
  tempo build --target intro       one program of several
  tempo build --watch              again after every change of a source
  tempo build -D DEBUG --out-dir debug
  tempo build --main src/intro.asm --memory-map
  tempo build --message-format short   for the error list of an editor
  tempo config                     shows the settings and where they come from

`tempo init` makes a project, and `tempo asm` assembles a single source without one.

Exit codes: 0 assembled; 1 the source has errors (nothing is written); 2 the command could not run.")]
pub struct Args {
    /// Build again whenever a source changes
    #[arg(long)]
    watch: bool,

    /// Make what `pack`, `d64` and `crt` of the project ask for, too
    #[arg(long)]
    release: bool,

    /// Build this program of the project only; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "main")]
    target: Vec<String>,

    /// Check only: assemble, report, write nothing
    #[arg(long)]
    check: bool,

    /// Print the memory map
    #[arg(long)]
    memory_map: bool,

    /// The form of errors and warnings
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    message_format: MessageFormat,

    /// Print nothing on success: no warnings, no lines of .print
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    source: SourceFlags,

    #[command(flatten)]
    build: BuildFlags,
}

pub fn run(args: Args) -> Exit {
    if !args.watch {
        return once(&args, &Seen::default());
    }
    watch::repeat(
        |seen| match once(&args, seen) {
            // Standard output is gone: there is no one to watch.
            _ if output::has_failed() => Round::End(Exit::CannotRun),
            _ => Round::Wait,
        },
        Vec::new,
    )
}

fn once(args: &Args, seen: &Seen) -> Exit {
    project::note(args.source.project.as_deref(), seen);
    let result = args.source.project().and_then(|mut project| {
        args.build.apply(&mut project);
        all(args, &project, seen)
    });
    match result {
        Ok(()) => Exit::Fine,
        Err(exit) => exit,
    }
}

/// Builds the programs that the command line asks for, and their release.
fn all(args: &Args, project: &Project, seen: &Seen) -> Result<(), Exit> {
    let mut programs = chosen(args, project)?;
    for program in &mut programs {
        program.job.write_files = !args.check;
        program.job.show_memory_map = args.memory_map;
        check_main(project, program, seen)?;
    }
    prepare(project, !args.check, seen)?;
    let says = if args.quiet { Says::Errors } else { Says::Everything };
    let mut built = Vec::new();
    let mut failure = None;
    for program in programs {
        match assemble(project, &program, args.message_format, says, seen) {
            Ok(done) => built.push(release::Built { program, done }),
            // The messages about one program are no reason to keep those about another.
            Err(exit) => failure = failure.or(Some(exit)),
        }
    }
    match failure {
        Some(exit) => Err(exit),
        None if args.release => {
            let mode = match args.check {
                true => release::Mode::Checks,
                false => release::Mode::Writes { is_quiet: args.quiet },
            };
            release::release(project, &built, mode, seen)
        }
        None => Ok(()),
    }
}

/// The programs of `--target`, or all.
fn chosen(args: &Args, project: &Project) -> Result<Vec<Program>, Exit> {
    let mut programs = project.programs();
    for wanted in &args.target {
        if !programs.iter().any(|program| program.name() == *wanted) {
            let names: Vec<String> = programs.iter().map(Program::name).collect();
            let help = match nearest(wanted, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("there are {}", names.join(", ")),
            };
            return Err(output::complain(format_args!(
                "--target {wanted}: no program has this name; {help}"
            )));
        }
    }
    programs.retain(|program| args.target.is_empty() || args.target.contains(&program.name()));
    Ok(programs)
}

/// Builds a program of a project: it is written, and everything there is to say is said.
pub fn build(
    project: &Project,
    program: &Program,
    format: MessageFormat,
    says: Says,
    seen: &Seen,
) -> Result<Done, Exit> {
    check_main(project, program, seen)?;
    prepare(project, program.job.write_files, seen)?;
    assemble(project, program, format, says, seen)
}

/// Checks the output folder and writes the parts of graphics files.
fn prepare(project: &Project, is_writing: bool, seen: &Seen) -> Result<(), Exit> {
    if is_writing {
        check_out_dir(project)?;
    }
    let writes = if is_writing { Writes::Parts } else { Writes::Nothing };
    import::project::write(project, seen, writes)
}

fn assemble(
    project: &Project,
    program: &Program,
    format: MessageFormat,
    says: Says,
    seen: &Seen,
) -> Result<Done, Exit> {
    let denied = project.denied();
    asm::build(asm::Build {
        job: &program.job,
        denied: &denied,
        folder: project.folder(),
        format,
        says,
        files: &Noted(seen),
    })
}

/// Refuses an output folder of the file that leads out of the project, by its words or through a link.
fn check_out_dir(project: &Project) -> Result<(), Exit> {
    let Some(folder) = project.own_out_dir() else { return Ok(()) };
    let outlet = Outlet::open(project.root(), "--out-dir DIR")
        .map_err(|err| output::complain(format_args!("cannot open {}: {err}", project.root().display())))?;
    outlet.admits(&folder).map_err(|err| {
        let name = folder.strip_prefix(project.root()).unwrap_or(&folder).display();
        let message = format!("the output folder '{name}' leads out of the project: {err}");
        project::complain(project, Setting::OutDir, &message, None)
    })
}

/// Says what is wrong with the source of a program where it is named.
fn check_main(project: &Project, program: &Program, seen: &Seen) -> Result<(), Exit> {
    let job = &program.job;
    let main = job.folder.join(&job.source);
    seen.note(&main);
    let name = program.main.display();
    let complain = |message: &str, help: Option<String>| match program.place {
        Some(place) => project::complain_at(project, place, message, help),
        None => project::complain(project, Setting::Main, message, help),
    };
    match main.metadata() {
        Ok(_) => asm::check_source(job).map_err(|problem| complain(&problem, None)),
        Err(_) if !project.is_there() && !project.is_given(Setting::Main) => {
            Err(output::complain(format_args!(
                "there is no {} here or above, and no {name}; `tempo init` makes a project, --main FILE names a source",
                project::FILE
            )))
        }
        Err(_) => {
            let near = main.parent().and_then(|folder| similar(folder, &main));
            let help = near.map(|near| format!("its folder has {near}"));
            Err(complain(&format!("there is no source {name}"), help))
        }
    }
}

/// The file of a folder that has the most similar name, or its only source.
fn similar(folder: &Path, path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_string_lossy();
    let names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .take(1000)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if let Some(near) = nearest(&wanted, names.iter().map(String::as_str)) {
        return Some(near.to_owned());
    }
    let mut sources = names.into_iter().filter(|name| name.ends_with(".asm"));
    sources.next().filter(|_| sources.next().is_none())
}
