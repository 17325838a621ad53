//! What changes the state: notifications about documents, files and folders, and the snapshots that follow from them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use lsp_server::{Notification, RequestId, Response};
use lsp_types::FileChangeType;
use lsp_types::notification::{self, Notification as _};
use serde_json::Value;

use super::documents::Document;
use super::files::WorkspaceFiles;
use super::pool::guarded;
use super::requests::custom;
use super::server::{Programs, Server, Task};
use super::settings::{FromProject, Settings};
use super::workspace::is_suite;
use super::{dispatch, uri};
use crate::project;

impl Server {
    /// Takes a notification; those that nobody knows are ignored.
    pub(super) fn notification(&mut self, message: Notification) {
        fn read<N: notification::Notification>(params: Value) -> Option<N::Params> {
            serde_json::from_value(params).ok()
        }
        let params = message.params;
        match &message.method[..] {
            notification::DidOpenTextDocument::METHOD => {
                let Some(params) = read::<notification::DidOpenTextDocument>(params) else { return };
                let item = params.text_document;
                let Some(path) = uri::to_path(&item.uri).map(|path| self.client.inside(&path)) else {
                    return;
                };
                let name = path.to_string_lossy().into_owned();
                let document = Document::new(item.uri, item.version, &name, item.text);
                Arc::make_mut(&mut self.documents).insert(path.clone(), document);
                self.programs = None;
                self.text_changed(&path);
            }
            notification::DidChangeTextDocument::METHOD => {
                let Some(params) = read::<notification::DidChangeTextDocument>(params) else { return };
                let id = params.text_document;
                let Some(path) = uri::to_path(&id.uri).map(|path| self.client.inside(&path)) else { return };
                let columns = self.client.columns;
                let documents = Arc::make_mut(&mut self.documents);
                let Some(document) = documents.get_mut(&path) else { return };
                // An edit of a text that was replaced since would garble the newer one.
                if id.version < document.version {
                    return;
                }
                document.change(id.version, params.content_changes, columns);
                self.text_changed(&path);
            }
            notification::DidCloseTextDocument::METHOD => {
                let Some(params) = read::<notification::DidCloseTextDocument>(params) else { return };
                let path = uri::to_path(&params.text_document.uri).map(|path| self.client.inside(&path));
                let Some(path) = path else { return };
                Arc::make_mut(&mut self.documents).remove(&path);
                self.programs = None;
                self.disk_changed(&[path]);
            }
            notification::DidSaveTextDocument::METHOD => {
                let Some(params) = read::<notification::DidSaveTextDocument>(params) else { return };
                self.due = Some(Instant::now());
                self.note_project(&uri::to_path(&params.text_document.uri).into_iter().collect::<Vec<_>>());
            }
            notification::DidChangeWatchedFiles::METHOD => {
                let Some(params) = read::<notification::DidChangeWatchedFiles>(params) else { return };
                let mut paths = Vec::new();
                for change in params.changes {
                    let path = uri::to_path(&change.uri).map(|path| self.client.inside(&path));
                    if let (Some(path), Some(scan)) = (&path, &mut self.scan)
                        && change.typ == FileChangeType::DELETED
                    {
                        let scan = Arc::make_mut(scan);
                        scan.sources.remove(path);
                        scan.suites.remove(path);
                        self.programs = None;
                    }
                    paths.extend(path);
                }
                self.disk_changed(&paths);
                self.note_project(&paths);
            }
            notification::DidChangeConfiguration::METHOD => {
                let value = params.get("settings").filter(|value| value.is_object()).cloned();
                match value {
                    Some(value) => self.apply_settings(&value),
                    None => self.configure(),
                }
            }
            notification::DidChangeWorkspaceFolders::METHOD => {
                let Some(params) = read::<notification::DidChangeWorkspaceFolders>(params) else { return };
                let real = |folder: &lsp_types::WorkspaceFolder| {
                    let path = uri::to_path(&folder.uri)?;
                    Some(path.canonicalize().unwrap_or(path))
                };
                let removed: Vec<PathBuf> = params.event.removed.iter().filter_map(real).collect();
                self.programs = None;
                self.folders.retain(|folder| !removed.contains(folder));
                self.folders.extend(params.event.added.iter().filter_map(real));
                self.read_project();
                self.scan_folders();
            }
            custom::Tested::METHOD => {
                let Some(params) = read::<custom::Tested>(params) else { return };
                let Ok(path) = self.context().path(&params.uri) else { return };
                let mut tested = self.tested.lock().unwrap_or_else(PoisonError::into_inner);
                let tests = tested.entry(path).or_default();
                tests.extend(params.tests.into_iter().map(|test| (test.id, test.cycles)));
                drop(tested);
                self.refresh_views(false);
            }
            notification::Cancel::METHOD => {
                let Some(params) = read::<notification::Cancel>(params) else { return };
                let id = match params.id {
                    lsp_types::NumberOrString::Number(id) => RequestId::from(id),
                    lsp_types::NumberOrString::String(id) => RequestId::from(id),
                };
                if self.pending.remove(&id).is_some() {
                    let response = Response::new_err(id, dispatch::CANCELLED, "cancelled".to_owned());
                    let _ = self.sender.send(response.into());
                }
            }
            _ => {}
        }
    }

    pub(super) fn search(&self) -> assembler::SearchPath {
        assembler::SearchPath {
            folder: self.folders.first().cloned().unwrap_or_default(),
            library_folders: self.settings.library_folders(),
            replacements: Vec::new(),
        }
    }

    pub(super) fn files(&self) -> WorkspaceFiles {
        let text = |(path, document): (&PathBuf, &Document)| (path.clone(), document.source.shared_text());
        WorkspaceFiles {
            search: self.search(),
            disk: self.disk.clone(),
            open: Arc::new(self.documents.iter().map(text).collect()),
            loaded: self.loaded.clone(),
        }
    }

    pub(super) fn note_imports(&mut self, path: &Path, text: &str, search: &assembler::SearchPath) {
        let Some(scan) = &mut self.scan else { return };
        if is_suite(path) {
            if !scan.suites.contains(path) {
                Arc::make_mut(scan).suites.insert(path.to_owned());
                self.programs = None;
            }
            return;
        }
        // Most edits change no import, and then nothing has to be copied or worked out again.
        let imports = scan.imports(path, text, search);
        if scan.sources.get(path) != Some(&imports) {
            Arc::make_mut(scan).sources.insert(path.to_owned(), imports);
            self.programs = None;
        }
    }

    /// Reads `tempo.toml` again if it is among files that changed.
    fn note_project(&mut self, paths: &[PathBuf]) {
        if paths.iter().any(|path| path.ends_with(project::FILE)) {
            self.read_project();
        }
    }

    /// Takes what `tempo.toml` says: that of the first folder, where imports are looked for, too.
    fn read_project(&mut self) {
        let project = self.folders.first().map(|folder| FromProject::of(folder)).unwrap_or_default();
        self.set_settings(Settings { project, ..(*self.settings).clone() });
    }

    /// The text of an open document is another one.
    fn text_changed(&mut self, path: &Path) {
        // What is asked about the text from before is answered as such: the client asks again.
        let stale: Vec<RequestId> = (self.pending.iter())
            .filter(|(_, about)| about.as_deref() == Some(path))
            .map(|(id, _)| id.clone())
            .collect();
        for id in stale {
            self.pending.remove(&id);
            let text = "the text has changed".to_owned();
            let _ = self.sender.send(Response::new_err(id, dispatch::MODIFIED, text).into());
        }
        if let Some(document) = self.documents.get(path).cloned() {
            let search = self.search();
            self.note_imports(path, document.source.text(), &search);
        }
        self.refresh(&|changed| Path::new(changed) == path);
    }

    /// Files on disk may be others.
    fn disk_changed(&mut self, paths: &[PathBuf]) {
        let search = self.search();
        for path in
            paths.iter().filter(|path| !self.documents.contains_key(*path)).cloned().collect::<Vec<_>>()
        {
            if let Ok(bytes) = crate::files::read_limited(&path, 4 << 20) {
                self.note_imports(&path, &assembler::decode(bytes.into()), &search);
            }
        }
        self.refresh(&|changed| paths.iter().any(|path| Path::new(changed) == path));
    }

    /// Begins a new state of the workspace.
    pub(super) fn refresh(&mut self, is_changed: &dyn Fn(&str) -> bool) {
        if self.programs.is_none() {
            self.programs = Some(self.find_programs());
        }
        let (roots, suites) = self.programs.clone().unwrap_or_default();
        let files = Arc::new(self.files());
        let snapshot = self.snapshot.changed(files, is_changed).with_roots(roots).with_suites(suites);
        self.set_snapshot(snapshot);
        self.generation += 1;
        if self.scan.is_some() {
            self.due = Some(Instant::now() + Duration::from_millis(self.settings.delay_ms));
        }
    }

    /// The roots and suites that matter: those of open documents, or those of the settings.
    fn find_programs(&self) -> Programs {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let folder = self.folders.first().cloned().unwrap_or_default();
        let set = self.settings.roots.iter().map(|root| assembler::search::clean(&folder.join(root)));
        let mut roots: Vec<PathBuf> = set.collect();
        // A program that something else imports, a test perhaps, is one all the same.
        let main = self.settings.project.main.as_ref().filter(|_| self.settings.roots.is_empty());
        let mut suites = Vec::new();
        for path in self.documents.keys() {
            if is_suite(path) {
                suites.push(path.clone());
                continue;
            }
            let found = match &self.scan {
                Some(scan) if self.settings.roots.is_empty() => scan.roots_of(path),
                _ if self.settings.roots.is_empty() => vec![path.clone()],
                _ => Vec::new(),
            };
            roots.extend(found);
            let leads_to = |main: &&PathBuf| match &self.scan {
                Some(scan) => scan.is_reached(path, main),
                None => path == *main,
            };
            roots.extend(main.filter(leads_to).cloned());
        }
        if let Some(scan) = &self.scan {
            suites.extend(scan.suites.iter().cloned());
        }
        roots.sort();
        roots.dedup();
        suites.sort();
        suites.dedup();
        let is_open = |path: PathBuf| {
            let is_open = self.documents.contains_key(&path);
            (text(path), is_open)
        };
        (roots.into_iter().map(text).collect(), suites.into_iter().map(is_open).collect())
    }

    /// Assembles everything again on a worker.
    pub(super) fn evaluate(&mut self) {
        self.due = None;
        let (context, tasks, generation) = (self.context(), self.tasks.clone(), self.generation);
        self.pool.run(move || {
            if let Ok(found) = guarded(|| super::publish::find(&context, generation)) {
                let _ = tasks.send(Task::Problems(Box::new(found)));
            }
        });
    }

    /// Watches the data that programs load, too.
    pub(super) fn watch_data(&mut self) {
        let workspace = self.client.capabilities.workspace.clone().unwrap_or_default();
        if workspace.did_change_watched_files.is_none_or(|watch| watch.dynamic_registration != Some(true)) {
            return;
        }
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_data = |path: &PathBuf| self.scan.as_ref().is_none_or(|scan| !scan.sources.contains_key(path));
        let news: Vec<PathBuf> =
            loaded.into_iter().filter(is_data).filter(|path| !self.watched.contains(path)).collect();
        if !news.is_empty() {
            let patterns: Vec<String> = news.iter().map(|path| path.to_string_lossy().into_owned()).collect();
            self.watched.extend(news);
            self.watch(&patterns);
        }
    }
}
