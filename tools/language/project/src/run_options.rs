//! The options of `tempo run` and what each can do to the computer. `run.args` of a `tempo.toml` comes from a stranger
//! as often as not: it may hold only options that write nothing and read nothing outside of the project.
//! A test of the command holds this table to its command line, and an option without a row is refused.

/// Effects of an option of `tempo run` beyond the run itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it chooses how the program runs or what is printed.
    Nothing,
    /// It reads a file; in `run.args` one of the project.
    Reads,
    /// It writes files.
    Writes,
    /// It starts a program.
    Starts,
    /// It changes the build, for which the file has another place.
    Settles(&'static str),
}

/// Every option with a long name.
pub const RUN_OPTIONS: &[(&str, Effect)] = &[
    ("load", Effect::Nothing),
    ("start", Effect::Nothing),
    ("until", Effect::Nothing),
    ("max-cycles", Effect::Nothing),
    ("ok-on-timeout", Effect::Nothing),
    ("trace", Effect::Nothing),
    ("symbols", Effect::Reads),
    ("cpu", Effect::Nothing),
    ("system", Effect::Nothing),
    ("format", Effect::Nothing),
    ("watch", Effect::Nothing),
    ("web", Effect::Starts),
    ("open", Effect::Starts),
    ("port", Effect::Nothing),
    ("vice", Effect::Starts),
    ("vice-path", Effect::Starts),
    ("vice-arg", Effect::Starts),
    ("monitor", Effect::Starts),
    ("on", Effect::Starts),
    ("password-file", Effect::Starts),
    ("project", Effect::Settles("this file is the project")),
    ("main", Effect::Settles("write `main` of [project]")),
    ("lib-dir", Effect::Settles("write `lib-dirs` of [build]")),
    ("define", Effect::Settles("write `defines` of [build]")),
    ("var", Effect::Settles("write `vars` of [build]")),
    ("frames", Effect::Nothing),
    ("terminal", Effect::Nothing),
    ("keys", Effect::Nothing),
    ("hold", Effect::Nothing),
    ("joystick1", Effect::Nothing),
    ("joystick2", Effect::Nothing),
    ("disk", Effect::Writes),
    ("load-name", Effect::Nothing),
    ("kernal", Effect::Reads),
    ("basic", Effect::Reads),
    ("chargen", Effect::Reads),
    ("drive-rom", Effect::Reads),
    ("save-disk", Effect::Writes),
    ("screen", Effect::Nothing),
    ("screenshot", Effect::Writes),
    ("aspect", Effect::Nothing),
    ("record", Effect::Writes),
    ("wav", Effect::Writes),
    ("cart", Effect::Reads),
    ("reu", Effect::Nothing),
    ("sid2", Effect::Nothing),
    ("warp", Effect::Nothing),
    ("save-state", Effect::Writes),
    ("load-state", Effect::Reads),
    ("dump-memory", Effect::Writes),
];

/// The effect of an option, by its long name without dashes.
pub fn effect(name: &str) -> Option<Effect> {
    RUN_OPTIONS.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect)
}

/// Why `run.args` cannot hold an option, by its long name, and what to do instead. An option that is not in the table may
/// do anything.
pub fn refused(name: &str) -> Option<(String, String)> {
    let why = match effect(name) {
        Some(Effect::Nothing | Effect::Reads) => return None,
        Some(Effect::Starts) => "the settings of a project start no program",
        Some(Effect::Writes) => "the settings of a project choose no file to write",
        Some(Effect::Settles(where_else)) => {
            return Some((format!("cannot hold --{name}: {where_else}"), on_command_line(name)));
        }
        None => "it is not an option that the settings of a project may use",
    };
    Some((format!("cannot hold --{name}: {why}"), on_command_line(name)))
}

fn on_command_line(name: &str) -> String {
    format!("write it on the command line: tempo run --{name}")
}
