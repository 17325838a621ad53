//! The files of the page, found as a folder on a disk is searched: beside the referring file, then from the top.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tempo_assembler::search::clean;
use tempo_assembler::{FileError, Files, Loaded};

/// Files in memory, by their path from the top.
#[derive(Debug, Clone, Default)]
pub struct PageFiles(pub BTreeMap<String, Arc<Vec<u8>>>);

impl Files for PageFiles {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let folder = from.and_then(|from| from.rsplit_once('/')).map_or("", |(folder, _)| folder);
        for path in [Path::new(folder).join(name), name.into()] {
            let path = clean(&path).to_string_lossy().into_owned();
            if let Some(bytes) = self.0.get(&path) {
                return Ok(Loaded { path, identity: None, shown: None, bytes: bytes.clone() });
            }
        }
        Err(FileError::NotFound)
    }
}

impl PageFiles {
    /// The entries of the folders that the beginning of a path means, for completion.
    pub fn list(&self, beginning: &str) -> Vec<(String, bool)> {
        let folder = beginning.rsplit_once('/').map_or("", |(folder, _)| folder);
        let inside = self.0.keys().filter_map(|path| match folder {
            "" => Some(path.as_str()),
            _ => path.strip_prefix(folder)?.strip_prefix('/'),
        });
        let mut entries: Vec<(String, bool)> = inside
            .map(|rest| match rest.split_once('/') {
                Some((folder, _)) => (folder.to_string(), true),
                None => (rest.to_string(), false),
            })
            .collect();
        entries.dedup();
        entries
    }
}
