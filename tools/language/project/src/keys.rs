//! The keys of `tempo.toml` in one table. The reader, `tempo config` and the JSON schema all follow it.

/// A key of `tempo.toml`, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    Main,
    OutDir,
    LibDirs,
    Defines,
    Vars,
    Symbols,
    TestPaths,
    Jobs,
    MaxCycles,
    Map,
    System,
    RunArgs,
    Allow,
    Warn,
    Deny,
}

/// The required type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A path, relative to the file.
    Path,
    /// A list of paths.
    Paths,
    /// A list of names of preprocessor symbols.
    Names,
    /// A list of words of a command line.
    Words,
    /// A list of codes of warnings.
    Codes,
    /// A name of a machine.
    System,
    /// A list of words out of several.
    Choices(&'static [&'static str]),
    /// A whole number up to this one.
    Number(u64),
    /// A table of names with a text, a number or a truth value each.
    Values,
    /// A table of texts by text.
    Texts,
}

/// How a flag joins what the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joins {
    /// It takes its place.
    Replaces,
    /// It is added; in a table it takes the place of the same name.
    Adds,
    /// It is added in front.
    ComesFirst,
}

/// Everything known about a key.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    pub section: &'static str,
    pub name: &'static str,
    pub kind: Kind,
    /// The words of the value without file and flag: one, or as many as a list has.
    pub default: &'static [&'static str],
    /// The flag that does the same, and its command.
    pub flag: &'static str,
    pub about: &'static str,
}

/// The files of `build.symbols`.
pub const SYMBOL_FILES: &[&str] = &["kick", "vice"];

/// The sections, with what each is for.
pub const SECTIONS: &[(&str, &str)] = &[
    ("project", "What the project is"),
    ("build", "How the program is assembled"),
    ("test", "What `tempo test` runs, and how"),
    ("run", "Where `tempo run` runs the program"),
    ("lint", "Which warnings are given"),
];

impl Setting {
    pub const ALL: [Setting; 15] = [
        Setting::Main,
        Setting::OutDir,
        Setting::LibDirs,
        Setting::Defines,
        Setting::Vars,
        Setting::Symbols,
        Setting::TestPaths,
        Setting::Jobs,
        Setting::MaxCycles,
        Setting::Map,
        Setting::System,
        Setting::RunArgs,
        Setting::Allow,
        Setting::Warn,
        Setting::Deny,
    ];

    pub const fn key(self) -> Key {
        let (section, name, kind, default, flag, about): (_, _, _, &[&str], _, _) = match self {
            Setting::Main => (
                "project",
                "main",
                Kind::Path,
                &["main.asm"],
                "--main FILE",
                "The source that imports the rest of the program",
            ),
            Setting::OutDir => (
                "build",
                "out-dir",
                Kind::Path,
                &["build"],
                "--out-dir DIR",
                "The folder for everything that a build writes",
            ),
            Setting::LibDirs => (
                "build",
                "lib-dirs",
                Kind::Paths,
                &[],
                "-L, --lib-dir DIR",
                "Folders where imports are looked for after the importing file's own and the project's",
            ),
            Setting::Defines => (
                "build",
                "defines",
                Kind::Names,
                &[],
                "-D, --define NAME",
                "Preprocessor symbols, as #define sets them",
            ),
            Setting::Vars => (
                "build",
                "vars",
                Kind::Values,
                &[],
                "--var NAME=VALUE",
                "Entries of cmdLineVars, which sources read with cmdLineVars.get(\"name\")",
            ),
            Setting::Symbols => (
                "build",
                "symbols",
                Kind::Choices(SYMBOL_FILES),
                &["kick", "vice"],
                "--symbols KIND,…",
                "Symbol files beside the program: kick is importable source (.sym), vice labels for VICE (.vs)",
            ),
            Setting::TestPaths => (
                "test",
                "paths",
                Kind::Paths,
                &["tests"],
                "tempo test PATH…",
                "Suites, or folders that are searched for *.6502",
            ),
            Setting::Jobs => (
                "test",
                "jobs",
                Kind::Number(4096),
                &["0"],
                "-j, --jobs N",
                "Suites that run at the same time; 0 is one per core",
            ),
            Setting::MaxCycles => (
                "test",
                "max-cycles",
                Kind::Number(i64::MAX as u64),
                &["200000000"],
                "--max-cycles N",
                "Cycles after which a test without a timeout fails; 0 is never",
            ),
            Setting::Map => (
                "test",
                "map",
                Kind::Texts,
                &[],
                "--map FROM=TO",
                "Suites look for files below the one folder in the other",
            ),
            Setting::System => (
                "run",
                "system",
                Kind::System,
                &["c64"],
                "--system SYSTEM",
                "The machine: a C64, or a CPU without one",
            ),
            Setting::RunArgs => (
                "run",
                "args",
                Kind::Words,
                &[],
                "tempo run OPTIONS",
                "Further options of `tempo run`, in front of those on the command line",
            ),
            Setting::Allow => {
                ("lint", "allow", Kind::Codes, &[], "-A, --allow CODE", "Warnings that are not given, or all")
            }
            Setting::Warn => (
                "lint",
                "warn",
                Kind::Codes,
                &[],
                "-W, --warn CODE",
                "Warnings that are given although `allow` covers them, or `style` for those that must be asked for",
            ),
            Setting::Deny => {
                ("lint", "deny", Kind::Codes, &[], "--deny CODE", "Warnings that are errors, or all")
            }
        };
        Key { section, name, kind, default, flag, about }
    }

    /// How a flag joins what the file says.
    pub const fn joins(self) -> Joins {
        match self {
            Setting::Main
            | Setting::OutDir
            | Setting::Symbols
            | Setting::TestPaths
            | Setting::Jobs
            | Setting::MaxCycles
            | Setting::System => Joins::Replaces,
            Setting::LibDirs => Joins::ComesFirst,
            Setting::Defines
            | Setting::Vars
            | Setting::Map
            | Setting::RunArgs
            | Setting::Allow
            | Setting::Warn
            | Setting::Deny => Joins::Adds,
        }
    }

    /// `build.out-dir`.
    pub fn path(self) -> String {
        let key = self.key();
        format!("{}.{}", key.section, key.name)
    }

    /// The keys of a section.
    pub fn of(section: &str) -> impl Iterator<Item = Setting> {
        Setting::ALL.into_iter().filter(move |setting| setting.key().section == section)
    }
}

impl Kind {
    /// The required type of a value, for messages.
    pub fn wanted(self) -> &'static str {
        match self {
            Kind::Path => "a path in quotes",
            Kind::Paths => "a list of paths, as in [\"lib\"]",
            Kind::Names => "a list of names, as in [\"DEBUG\"]",
            Kind::Words => "a list of words, as in [\"--frames\", \"100\"]",
            Kind::Codes => "a list of codes, as in [\"W0102\"]",
            Kind::System => "a word in quotes",
            Kind::Choices(_) => "a list of words",
            Kind::Number(_) => "a whole number",
            Kind::Values => "a table, as in { level = 3 }",
            Kind::Texts => "a table of texts, as in { \"/code\" = \".\" }",
        }
    }

    /// Whether there is one value, not a list or a table.
    pub const fn is_single(self) -> bool {
        matches!(self, Kind::Path | Kind::System | Kind::Number(_))
    }

    /// Whether values have names.
    pub const fn is_table(self) -> bool {
        matches!(self, Kind::Values | Kind::Texts)
    }
}
