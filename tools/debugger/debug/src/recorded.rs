//! The files of a recording: a log of what the assembler and the suite asked for, and its answers again on another
//! computer. A request is answered by what it was answered with then, however files were searched for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tempo_assembler::{FileError, Files, Loaded};
use tempo_rig::file::{Ask, SourceSet};

/// Files with a log of every request.
pub struct Log<'f> {
    under: &'f dyn Files,
    asked: Mutex<Vec<Asked>>,
}

struct Asked {
    name: String,
    from: Option<String>,
    answer: Option<(String, Arc<Vec<u8>>)>,
}

impl<'f> Log<'f> {
    /// Nothing was asked for yet.
    pub fn new(under: &'f dyn Files) -> Log<'f> {
        Log { under, asked: Mutex::default() }
    }

    /// Notes a file that was read otherwise.
    pub fn note(&self, path: &str, bytes: &[u8]) {
        self.add(path, None, Some((path.to_string(), Arc::new(bytes.to_vec()))));
    }

    fn add(&self, name: &str, from: Option<&str>, answer: Option<(String, Arc<Vec<u8>>)>) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(Asked { name: name.to_string(), from: from.map(str::to_string), answer });
    }

    /// The requests and the files, under the names that `rename` gives to their paths.
    pub fn sources(&self, rename: &dyn Fn(&str) -> String) -> SourceSet {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sources = SourceSet::default();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for one in asked.iter() {
            let file = one.answer.as_ref().map(|(path, bytes)| {
                *known.entry(path).or_insert_with(|| {
                    sources.files.push((rename(path), bytes.to_vec()));
                    sources.files.len() - 1
                })
            });
            let is_path = |name: &str| known.contains_key(name);
            let name = if is_path(&one.name) { rename(&one.name) } else { one.name.clone() };
            let ask = Ask { name, from: one.from.as_deref().map(rename), file };
            if !sources.asks.contains(&ask) {
                sources.asks.push(ask);
            }
        }
        sources
    }
}

impl Files for Log<'_> {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let result = self.under.read(name, from);
        let answer = result.as_ref().ok().map(|loaded| (loaded.path.clone(), loaded.bytes.clone()));
        self.add(name, from, answer);
        result
    }

    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        self.under.searched(name, from)
    }
}

/// The answers of a log.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    files: HashMap<String, Arc<Vec<u8>>>,
    asks: HashMap<(String, Option<String>), Option<String>>,
}

impl Answers {
    /// The answers that a recording has.
    pub fn new(sources: &SourceSet) -> Answers {
        let files = sources.files.iter();
        let asks = sources.asks.iter().map(|ask| {
            let path = ask.file.and_then(|file| sources.files.get(file)).map(|(path, _)| path.clone());
            ((ask.name.clone(), ask.from.clone()), path)
        });
        Answers {
            files: files.map(|(path, bytes)| (path.clone(), Arc::new(bytes.clone()))).collect(),
            asks: asks.collect(),
        }
    }

    /// The file that a name most likely leads to: in the folder of the referring file, at the name itself, or the only one
    /// whose path ends with it.
    fn search(&self, name: &str, from: Option<&str>) -> Option<String> {
        let beside =
            from.and_then(|from| from.rsplit_once('/')).map(|(folder, _)| format!("{folder}/{name}"));
        for path in beside.into_iter().chain([name.to_string()]) {
            let path = tempo_assembler::search::clean(path.as_ref()).to_string_lossy().into_owned();
            if self.files.contains_key(&path) {
                return Some(path);
            }
        }
        let tail = name.rsplit("../").next()?.trim_start_matches("./");
        let mut found = self.files.keys().filter(|path| path.ends_with(tail));
        let first = found.find(|path| path[..path.len() - tail.len()].ends_with('/'))?;
        let is_alone = !found.any(|path| path[..path.len() - tail.len()].ends_with('/'));
        is_alone.then(|| first.clone())
    }

    /// A file by its path.
    pub fn get(&self, path: &str) -> Option<&Arc<Vec<u8>>> {
        self.files.get(path)
    }
}

impl Files for Answers {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let key = (name.to_string(), from.map(str::to_string));
        let path = match self.asks.get(&key) {
            Some(Some(path)) => path.clone(),
            Some(None) => return Err(FileError::NotFound),
            // It was not noted how the files were asked for, or this version asks otherwise.
            None => self.search(name, from).ok_or(FileError::NotFound)?,
        };
        let bytes = self.files.get(&path).ok_or(FileError::NotFound)?.clone();
        Ok(Loaded { path, identity: None, shown: None, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_assembler::MemoryFiles;

    #[test]
    fn what_was_asked_for_is_answered_again_under_its_new_name() {
        let disk: MemoryFiles =
            [("home/game/main.asm", "main"), ("home/lib/lib.asm", "lib"), ("home/secret", "no")]
                .into_iter()
                .collect();
        let log = Log::new(&disk);
        assert!(log.read("home/game/main.asm", None).is_ok());
        assert!(log.read("home/lib/lib.asm", Some("home/game/main.asm")).is_ok());
        assert!(log.read("gone.asm", Some("home/game/main.asm")).is_err());
        let sources = log.sources(&|path| path.replace("home/", "x/"));
        assert_eq!(sources.files.len(), 2, "files that were not read are not in it");
        let answers = Answers::new(&sources);
        let loaded = answers.read("x/lib/lib.asm", Some("x/game/main.asm")).expect("a file");
        assert_eq!((&loaded.path[..], &loaded.bytes[..]), ("x/lib/lib.asm", &b"lib"[..]));
        assert_eq!(answers.read("gone.asm", Some("x/game/main.asm")).err(), Some(FileError::NotFound));
    }
}
