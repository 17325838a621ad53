//! The commands around sources and files of programs: `tempo asm`, `build`, `import`, `pack`, `crt`, `disk` and `sym`. Each is
//! a module with `Args` (clap) and `run(Args) -> Exit`. With them is what every command shares: the project around the
//! working directory, watching, machines and CPUs on the command line.

pub mod asm;
pub mod build;
pub mod cpus;
pub mod crt;
pub mod disk;
pub mod import;
pub mod pack;
pub mod project;
pub mod revision;
pub mod sym;
pub mod systems;
pub mod watch;

/// `--confine`, which every command has.
pub fn confine_flag() -> clap::Arg {
    clap::Arg::new(CONFINE)
        .long(CONFINE)
        .global(true)
        .action(clap::ArgAction::SetTrue)
        .help(
            "Read only files of the project, of library folders and those named here [env: TEMPO_CONFINE=1]",
        )
        .help_heading("Safety")
}

/// The name of that flag.
pub const CONFINE: &str = "confine";
