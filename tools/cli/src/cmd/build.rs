//! `tempo build`: assembles the main source of the project with its settings.

use std::path::Path;

use clap::Parser;
use tempo_diagnostics::nearest;
use tempo_host::files::Outlet;
use tempo_host::{Exit, output};
use tempo_kickass::{Done, Job};

use crate::cmd::asm::{self, MessageFormat, Says, host::Noted};
use crate::cmd::import::{self, project::Writes};
use crate::project::{self, BuildFlags, Project, Setting, SourceFlags};
use crate::watch::{self, Round, Seen};

/// Assemble the program of the project
///
/// The main source and how it is assembled come from tempo.toml, which is looked for in the working directory and
/// above it; each of its keys is also a flag here, and flags win. The program, its symbol files and whatever the source
/// writes go to the output folder (build). Without a tempo.toml, main.asm of the working directory is the program.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo build                      writes build/main.prg with main.sym and main.vs
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
        let mut job = project.job();
        job.write_files = !args.check;
        job.show_memory_map = args.memory_map;
        let says = if args.quiet { Says::Errors } else { Says::Everything };
        build(&project, &job, args.message_format, says, seen)
    });
    match result {
        Ok(_) => Exit::Fine,
        Err(exit) => exit,
    }
}

/// Builds a project: the program is written, and everything there is to say is said.
pub fn build(
    project: &Project,
    job: &Job,
    format: MessageFormat,
    says: Says,
    seen: &Seen,
) -> Result<Done, Exit> {
    let main = job.folder.join(&job.source);
    seen.note(&main);
    check_main(project, job, &main)?;
    if job.write_files {
        check_out_dir(project)?;
    }
    let writes = if job.write_files { Writes::Parts } else { Writes::Nothing };
    import::project::write(project, seen, writes)?;
    let denied = project.denied();
    asm::build(asm::Build {
        job,
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

/// Says what is wrong with the main source where it is named.
fn check_main(project: &Project, job: &Job, main: &Path) -> Result<(), Exit> {
    let name = project.main();
    let name = name.display();
    match main.metadata() {
        Ok(_) => asm::check_source(job)
            .map_err(|problem| project::complain(project, Setting::Main, &problem, None)),
        Err(_) if !project.is_there() && !project.is_given(Setting::Main) => {
            Err(output::complain(format_args!(
                "there is no {} here or above, and no {name}; `tempo init` makes a project, --main FILE names a source",
                project::FILE
            )))
        }
        Err(_) => {
            let near = main.parent().and_then(|folder| similar(folder, main));
            let help = near.map(|near| format!("its folder has {near}"));
            Err(project::complain(project, Setting::Main, &format!("there is no source {name}"), help))
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
