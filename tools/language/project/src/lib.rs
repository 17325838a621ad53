//! A project: what `tempo.toml` says, with flags on top, and what is wrong with the file. Opens no file: the caller reads
//! it and says where it lies. Knows no command line; a flag comes as a setting with values.
//!
//! Paths in the file are relative to it, paths of flags to the working directory.

mod assets;
mod keys;
mod read;
mod release;
mod run_options;
mod schema;

use std::io;
use std::path::{Path, PathBuf};

use tempo_assembler::Lints;
use tempo_assembler::search::clean;
use tempo_diagnostics::{Diagnostic, NoCode, Source, Span};
use tempo_emu::System;
use tempo_kickass::Job;

pub use assets::Asset;
pub use keys::{Joins, Key, Kind, SECTIONS, SYMBOL_FILES, Setting};
pub use read::{LIST_OF_CODES, check};
pub use release::{Bank, Crt, Disk, Outputs, PACK_FORMATS, Pack, Placed, Target};
pub use run_options::{Effect, RUN_OPTIONS, effect, refused};
pub use schema::schema;

/// The name of the file.
pub const FILE: &str = "tempo.toml";

/// A longer file is none that a person wrote.
pub const LIMIT: u64 = 1 << 20;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Default,
    /// Line and column in `tempo.toml`.
    File {
        line: u32,
        column: u32,
    },
    /// The option that gave it.
    Flag(&'static str),
}

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Path(PathBuf),
    Number(u64),
}

impl Value {
    /// The value as a person writes it.
    pub fn text(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Path(path) => path.to_string_lossy().into_owned(),
            Value::Number(number) => number.to_string(),
        }
    }
}

/// A value of a setting, with its name in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub name: Option<String>,
    pub value: Value,
    pub origin: Origin,
}

/// Everything a setting holds: one value, or those of a list or table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    pub items: Vec<Item>,
    /// Where the whole of it comes from; it matters if there are no items.
    pub origin: Origin,
}

impl Program {
    /// The name of its files, without extension.
    pub fn name(&self) -> String {
        self.job.program.clone().unwrap_or_else(|| release::stem(&self.main))
    }
}

/// The settings in force, and where they come from.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder of the project, as the working directory sees it; empty if it is the working directory.
    base: PathBuf,
    /// The same, absolute.
    root: PathBuf,
    /// The working directory.
    folder: PathBuf,
    /// `tempo.toml`, if there is one.
    file: Option<PathBuf>,
    values: read::Values,
    contents: read::Contents,
}

/// A program of the project.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its source, as the working directory sees it.
    pub main: PathBuf,
    /// Where `tempo.toml` names it, if that is in `[[target]]`.
    pub place: Option<Span>,
    /// Its assembly.
    pub job: Job,
    /// The parts of a release beside the program.
    pub outputs: Outputs,
}

impl Project {
    /// Without a `tempo.toml`: every setting has its default, relative to the working directory.
    pub fn without_file(folder: PathBuf) -> Project {
        let root = clean(&folder);
        Project {
            base: PathBuf::new(),
            root,
            folder,
            file: None,
            values: read::Values::new(),
            contents: read::Contents::default(),
        }
    }

    /// Reads the `tempo.toml` in a folder, which is at `base` as the working directory `folder` sees it.
    pub fn read(base: PathBuf, folder: PathBuf, bytes: &[u8]) -> Result<Project, Faults> {
        let root = clean(&folder.join(&base));
        let file = base.join(FILE);
        let contents = contents(&file, bytes)?;
        Ok(Project { base, root, folder, file: Some(file), values: contents.values.clone(), contents })
    }

    /// The project around a folder. `None` without a `tempo.toml`, and if it cannot be read.
    pub fn around(
        folder: &Path,
        is_there: impl Fn(&Path) -> bool,
        read: impl FnOnce(&Path, u64) -> io::Result<Vec<u8>>,
    ) -> Option<Result<Project, Faults>> {
        let root = nearest(folder, is_there)?;
        let bytes = read(&root.join(FILE), LIMIT).ok()?;
        Some(Project::read(root.to_path_buf(), root.to_path_buf(), &bytes))
    }

    /// Whether a file, an absolute path, is the project's program.
    pub fn is_main(&self, file: &Path) -> bool {
        clean(file) == self.absolute(&self.single(Setting::Main))
    }

    /// Whether there is a `tempo.toml`.
    pub fn is_there(&self) -> bool {
        self.file.is_some()
    }

    /// `tempo.toml`, as the working directory sees it.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The folder of the project, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the project, as the working directory sees it; empty if it is the working directory.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// The working directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The value of a setting.
    pub fn given(&self, setting: Setting) -> Given {
        if let Some(given) = self.values.get(&setting) {
            return given.clone();
        }
        let key = setting.key();
        let item = |word: &&str| Item {
            name: None,
            value: match key.kind {
                keys::Kind::Number(_) => Value::Number(word.parse().expect("the default is a number")),
                keys::Kind::Path | keys::Kind::Paths => Value::Path(word.into()),
                _ => Value::Text((*word).to_owned()),
            },
            origin: Origin::Default,
        };
        Given { items: key.default.iter().map(item).collect(), origin: Origin::Default }
    }

    /// Whether the file or a flag has a value.
    pub fn is_given(&self, setting: Setting) -> bool {
        self.values.contains_key(&setting)
    }

    /// Whether the value is the file's.
    pub fn is_from_file(&self, setting: Setting) -> bool {
        self.values.get(&setting).is_some_and(|given| matches!(given.origin, Origin::File { .. }))
    }

    /// Whether the value is one that the user typed.
    fn is_flag(&self, setting: Setting) -> bool {
        self.values.get(&setting).is_some_and(|given| matches!(given.origin, Origin::Flag(_)))
    }

    /// The folder for everything that a build writes, absolute; `None` if the user typed one.
    pub fn own_out_dir(&self) -> Option<PathBuf> {
        (!self.is_flag(Setting::OutDir)).then(|| self.absolute(&self.single(Setting::OutDir)))
    }

    /// Puts the values of a flag over those of the file.
    pub fn set(
        &mut self,
        setting: Setting,
        flag: &'static str,
        values: impl IntoIterator<Item = (Option<String>, Value)>,
    ) {
        let origin = Origin::Flag(flag);
        let items: Vec<Item> = values.into_iter().map(|(name, value)| Item { name, value, origin }).collect();
        let mut given = self.given(setting);
        match setting.joins() {
            Joins::Replaces => given = Given { items, origin },
            _ if items.is_empty() => return,
            Joins::ComesFirst => given.items.splice(..0, items).for_each(drop),
            Joins::Adds => {
                given
                    .items
                    .retain(|item| item.name.is_none() || items.iter().all(|other| other.name != item.name));
                given.items.extend(items);
            }
        }
        self.values.insert(setting, given);
    }

    /// The value of a setting that has one.
    fn single(&self, setting: Setting) -> Item {
        self.given(setting).items.pop().expect("a setting of one value has a default")
    }

    /// A path as the working directory sees it.
    fn located(&self, item: &Item) -> PathBuf {
        let Value::Path(path) = &item.value else { return PathBuf::from(item.value.text()) };
        match item.origin {
            Origin::Flag(_) => path.clone(),
            _ => self.base.join(path),
        }
    }

    /// The same as an absolute path.
    fn absolute(&self, item: &Item) -> PathBuf {
        clean(&self.folder.join(self.located(item)))
    }

    fn texts(&self, setting: Setting) -> Vec<String> {
        self.given(setting).items.iter().map(|item| item.value.text()).collect()
    }

    fn pairs(&self, setting: Setting) -> Vec<(String, String)> {
        let items = self.given(setting).items;
        items.into_iter().map(|item| (item.name.unwrap_or_default(), item.value.text())).collect()
    }

    /// The source that imports the rest, as the working directory sees it.
    pub fn main(&self) -> PathBuf {
        self.located(&self.single(Setting::Main))
    }

    /// Folders where imports are looked for, absolute.
    pub fn lib_dirs(&self) -> Vec<PathBuf> {
        self.given(Setting::LibDirs).items.iter().map(|item| self.absolute(item)).collect()
    }

    /// Preprocessor symbols.
    pub fn defines(&self) -> Vec<String> {
        self.texts(Setting::Defines)
    }

    /// Entries of `cmdLineVars`.
    pub fn vars(&self) -> Vec<(String, String)> {
        self.pairs(Setting::Vars)
    }

    /// Suites and folders of suites, as the working directory sees them.
    pub fn test_paths(&self) -> Vec<PathBuf> {
        self.given(Setting::TestPaths).items.iter().map(|item| self.located(item)).collect()
    }

    /// Suites at the same time; 0 is one per core.
    pub fn jobs(&self) -> usize {
        self.number(Setting::Jobs) as usize
    }

    /// The limit of a test in cycles; 0 is none.
    pub fn max_cycles(&self) -> u64 {
        self.number(Setting::MaxCycles)
    }

    fn number(&self, setting: Setting) -> u64 {
        match self.single(setting).value {
            Value::Number(number) => number,
            _ => unreachable!("the reader takes numbers only"),
        }
    }

    /// Folders that suites name, and where they are; those of the file are relative to it.
    pub fn map(&self) -> Vec<(String, String)> {
        let items = self.given(Setting::Map).items;
        let to = |item: &Item| match item.origin {
            Origin::Flag(_) => item.value.text(),
            _ => {
                let path = clean(&self.base.join(item.value.text()));
                if path.as_os_str().is_empty() { ".".to_owned() } else { path.to_string_lossy().into_owned() }
            }
        };
        items.iter().map(|item| (item.name.clone().unwrap_or_default(), to(item))).collect()
    }

    /// The machine that runs the program.
    pub fn system(&self) -> System {
        System::find(&self.single(Setting::System).value.text())
            .expect("the reader takes the names of systems")
    }

    /// Graphics files, and the parts of them that a build writes.
    pub fn assets(&self) -> &[Asset] {
        &self.contents.assets
    }

    /// Further options of `tempo run`.
    pub fn run_args(&self) -> Vec<String> {
        self.texts(Setting::RunArgs)
    }

    /// The assembly of a source beside the program, with the settings of the project: it writes nothing.
    pub fn job_of(&self, source: &Path) -> Job {
        let whole = clean(&self.folder.join(source));
        let mut job = self.plain_job();
        if let Some(target) = self.targets().iter().find(|target| self.absolute(&target.main) == whole) {
            self.add_target(&mut job, target);
        }
        job.folder = self.folder.clone();
        job.source = source.to_path_buf();
        job.write_files = false;
        if self.is_there() {
            job.library_folders.push(self.root.clone());
        } else {
            job.options.lints = Lints::default();
        }
        job.keep_symbols = true;
        job
    }

    /// The assembly of the program: source, folders, symbols, variables, warnings and outputs.
    pub fn job(&self) -> Job {
        self.program().job
    }

    /// The program of the project.
    pub fn program(&self) -> Program {
        let main = self.absolute(&self.single(Setting::Main));
        let target = self.targets().iter().find(|target| self.absolute(&target.main) == main);
        let mut job = self.plain_job();
        let mut outputs = Outputs::default();
        if let Some(target) = target {
            self.add_target(&mut job, target);
            outputs = target.outputs.clone();
        }
        Program {
            main: self.main(),
            place: target.map(|target| target.main_span),
            job,
            outputs: outputs.or(&self.contents.outputs),
        }
    }

    /// All programs: that of the project, and those of `[[target]]`. If the user names a source, it is the only one.
    pub fn programs(&self) -> Vec<Program> {
        let first = self.program();
        if self.is_flag(Setting::Main) {
            return vec![first];
        }
        let others = self.targets().iter().filter(|target| Some(target.main_span) != first.place);
        let others = others.map(|target| {
            let mut job = self.plain_job();
            self.add_target(&mut job, target);
            job.source = self.inner(self.absolute(&target.main));
            // A disk and a cartridge are those of one program.
            let pack = Outputs { pack: self.contents.outputs.pack.clone(), ..Outputs::default() };
            let outputs = target.outputs.clone().or(&pack);
            Program { main: self.located(&target.main), place: Some(target.main_span), job, outputs }
        });
        let others: Vec<Program> = others.collect();
        std::iter::once(first).chain(others).collect()
    }

    /// The tables `[[target]]`.
    pub fn targets(&self) -> &[Target] {
        &self.contents.targets
    }

    /// The place of the sources of all programs, absolute.
    pub fn mains(&self) -> Vec<PathBuf> {
        let programs = self.programs().into_iter();
        programs.map(|program| clean(&self.folder.join(program.main))).collect()
    }

    /// A path below the output folder of the file, relative to that folder: flags may have chosen another.
    pub fn in_out_dir(&self, path: &Path) -> Option<PathBuf> {
        let named = self.contents.values.get(&Setting::OutDir).and_then(|given| given.items.first().cloned());
        let named = named.unwrap_or_else(|| {
            let value = Value::Path(Setting::OutDir.key().default[0].into());
            Item { name: None, value, origin: Origin::Default }
        });
        let folder = self.absolute(&named);
        clean(&self.root.join(path)).strip_prefix(folder).ok().map(Path::to_path_buf)
    }

    /// Puts the settings of a target between those of the file and those of flags.
    fn add_target(&self, job: &mut Job, target: &Target) {
        job.program = Some(target.name.value.clone());
        let is_flag = |item: &&Item| matches!(item.origin, Origin::Flag(_));
        let vars = self.given(Setting::Vars).items;
        let flags: Vec<&Item> = vars.iter().filter(is_flag).collect();
        let is_named =
            |name: &str, items: &[&Item]| items.iter().any(|item| item.name.as_deref() == Some(name));
        let added = target.vars.iter().filter(|(name, _)| !is_named(name, &flags));
        let added: Vec<(String, String)> = added.cloned().collect();
        job.options.variables.retain(|(name, _)| added.iter().all(|(other, _)| other != name));
        job.options.variables.extend(added);
        job.options.defines.extend(target.defines.iter().cloned());
    }

    fn inner(&self, path: PathBuf) -> PathBuf {
        path.strip_prefix(&self.root).map(Path::to_path_buf).unwrap_or(path)
    }

    /// The assembly of the main source without what a target says.
    fn plain_job(&self) -> Job {
        let mut job = Job::new(self.root.clone());
        job.source = self.inner(self.absolute(&self.single(Setting::Main)));
        job.output_folder = Some(self.inner(self.absolute(&self.single(Setting::OutDir))));
        // A folder that the user typed may be anywhere.
        job.root = (!self.is_flag(Setting::OutDir)).then(|| self.root.clone());
        job.library_folders = self.lib_dirs();
        job.options.defines = self.defines();
        job.options.variables = self.vars();
        job.options.lints = self.lints();
        let symbols = self.texts(Setting::Symbols);
        job.symbols = symbols.iter().any(|kind| kind == "kick").then_some(None);
        job.vice_symbols = symbols.iter().any(|kind| kind == "vice").then_some(None);
        job
    }

    /// The codes of a setting, those of the file or those of flags.
    fn codes(&self, setting: Setting, is_flag: bool) -> impl Iterator<Item = tempo_kickass::Warnings> {
        let items = self.given(setting).items.into_iter();
        items
            .filter(move |item| matches!(item.origin, Origin::Flag(_)) == is_flag)
            .filter_map(|item| tempo_kickass::warnings(&item.value.text()).ok())
    }

    /// The warnings given. Those of flags come last, so that they win; a warning that a flag denies is given, but
    /// `--deny all` is about those that are given anyway.
    pub fn lints(&self) -> Lints {
        let mut lints = Lints::all();
        for is_flag in [false, true] {
            if is_flag {
                let named =
                    self.codes(Setting::Deny, true).filter(|codes| *codes != tempo_kickass::Warnings::all());
                named.for_each(|codes| codes.turn_on(&mut lints));
            }
            self.codes(Setting::Allow, is_flag).for_each(|codes| codes.turn_off(&mut lints));
            self.codes(Setting::Warn, is_flag).for_each(|codes| codes.turn_on(&mut lints));
        }
        lints
    }

    /// The warnings that are errors. One that the file denies and a flag warns about is a warning.
    pub fn denied(&self) -> Vec<tempo_assembler::Code> {
        let mut denied: Vec<_> = self.codes(Setting::Deny, false).flat_map(|codes| codes.0).collect();
        let warned: Vec<_> = self.codes(Setting::Warn, true).flat_map(|codes| codes.0).collect();
        denied.retain(|code| !warned.contains(code));
        denied.extend(self.codes(Setting::Deny, true).flat_map(|codes| codes.0));
        denied
    }
}

/// The nearest folder from here upwards that has a `tempo.toml`.
pub fn nearest(folder: &Path, is_there: impl Fn(&Path) -> bool) -> Option<&Path> {
    folder.ancestors().find(|folder| is_there(&folder.join(FILE)))
}

/// A `tempo.toml` and what is wrong with it.
pub type Faults = (Source, Vec<Diagnostic>);

fn contents(file: &Path, bytes: &[u8]) -> Result<read::Contents, Faults> {
    let source = Source::from_bytes(file.to_string_lossy(), bytes);
    let contents = match std::str::from_utf8(bytes) {
        Ok(_) => read::read(&source),
        Err(err) => {
            let at = err.valid_up_to();
            let message = "this is not text: a byte is not UTF-8";
            Err(vec![Diagnostic::error(NoCode, Span::new(at, at + 1), message)])
        }
    };
    contents.map_err(|faults| (source, faults))
}

#[cfg(test)]
mod tests;
