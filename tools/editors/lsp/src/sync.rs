//! Changes of the state: notifications about documents, files and folders, and the snapshots that follow from them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use lsp_server::{Notification, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use serde_json::Value;
use tempo_editor::{Folder, SharedFiles, Snapshot};
use tempo_project as project;

use crate::context::path_of;
use crate::documents::Document;
use crate::files::WorkspaceFiles;
use crate::pool::guarded;
use crate::requests::custom;
use crate::server::{Programs, Server, Task, with_real};
use crate::settings::{Area, Settings};
use crate::workspace::{Searches, is_source, is_suite};
use crate::{dispatch, uri};

/// Folders with their own project that are told apart; a collection of projects has more than a person works on.
const MAX_PROJECTS: usize = 200;

impl Server {
    /// Takes a notification; unknown ones are ignored.
    pub(super) fn notification(&mut self, message: Notification) {
        fn read<N: notification::Notification>(params: Value) -> Option<N::Params> {
            serde_json::from_value(params).ok()
        }
        let params = message.params;
        match &message.method[..] {
            notification::DidOpenTextDocument::METHOD => {
                let Some(params) = read::<notification::DidOpenTextDocument>(params) else { return };
                let item = params.text_document;
                // A text of ours, which is not part of any program.
                if item.uri.as_str().starts_with("tempo-builtin:") {
                    return;
                }
                let folder = self.folders.first().cloned().unwrap_or_else(|| PathBuf::from("/"));
                let unsaved = || uri::unsaved_path(&item.uri, item.language_id == "tempo-suite", &folder);
                let path = self.path_of(&item.uri).unwrap_or_else(unsaved);
                let name = path.to_string_lossy().into_owned();
                let document = Document::new(item.uri, item.version, &name, item.text);
                Arc::make_mut(&mut self.documents).insert(path.clone(), document);
                self.programs = None;
                self.text_changed(&path);
            }
            notification::DidChangeTextDocument::METHOD => {
                let Some(params) = read::<notification::DidChangeTextDocument>(params) else { return };
                let id = params.text_document;
                let Some(path) = self.path_of(&id.uri) else { return };
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
                let Some(path) = self.path_of(&params.text_document.uri) else { return };
                Arc::make_mut(&mut self.documents).remove(&path);
                let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
                tokens.remove(&*path.to_string_lossy());
                drop(tokens);
                self.programs = None;
                self.disk_changed(&[path]);
            }
            notification::DidSaveTextDocument::METHOD => {
                let Some(params) = read::<notification::DidSaveTextDocument>(params) else { return };
                // Other files may have changed as well, and such a client does not say so.
                if !self.is_watching() {
                    self.refresh(&|_| true);
                }
                self.due = Some(self.disk.host.now());
                self.note_project(&uri::to_path(&params.text_document.uri).into_iter().collect::<Vec<_>>());
            }
            notification::DidChangeWatchedFiles::METHOD => {
                let Some(params) = read::<notification::DidChangeWatchedFiles>(params) else { return };
                let mut paths = Vec::new();
                for change in params.changes {
                    paths.extend(self.path_of(&change.uri));
                }
                self.disk_changed(&paths);
                self.note_project(&paths);
            }
            notification::DidChangeConfiguration::METHOD => {
                let value = params.get("settings").filter(|value| value.is_object()).cloned();
                match value {
                    Some(value) if !self.is_configured() => self.apply_settings(&value),
                    _ => self.configure(),
                }
            }
            notification::DidChangeWorkspaceFolders::METHOD => {
                let Some(params) = read::<notification::DidChangeWorkspaceFolders>(params) else { return };
                let host = self.disk.host.clone();
                let real = |folder: &lsp_types::WorkspaceFolder| {
                    uri::to_path(&folder.uri).map(|path| with_real(&*host, path))
                };
                let removed: Vec<_> = params.event.removed.iter().filter_map(real).collect();
                let added: Vec<_> = params.event.added.iter().filter_map(real).collect();
                self.programs = None;
                let folders = Arc::make_mut(&mut self.folders);
                folders.retain(|folder| !removed.iter().any(|(_, real)| real == folder));
                folders.extend(added.iter().map(|(_, real)| real.clone()));
                let client = Arc::make_mut(&mut self.client);
                client.folders.retain(|folder| !removed.contains(folder));
                client.folders.extend(added.into_iter().filter(|(own, real)| own != real));
                self.read_projects();
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
                if let Some(pending) = self.pending.remove(&id) {
                    pending.cancel.cancel();
                    let response = Response::new_err(id, dispatch::CANCELLED, "cancelled".to_owned());
                    let _ = self.sender.send(response.into());
                }
            }
            notification::SetTrace::METHOD => {
                let Some(params) = read::<notification::SetTrace>(params) else { return };
                self.trace = params.value;
            }
            _ => {}
        }
    }

    /// The path of a file or of an open document.
    pub(super) fn path_of(&self, uri: &lsp_types::Uri) -> Option<PathBuf> {
        path_of(&self.client, &self.documents, uri)
    }

    pub(super) fn searches(&self) -> Searches {
        Searches::of_settings(&self.settings, self.disk.host.clone())
    }

    /// The files of each area.
    fn files(&self) -> Vec<SharedFiles> {
        let text = |(path, document): (&PathBuf, &Document)| (path.clone(), document.source.shared_text());
        let open = Arc::new(self.documents.iter().map(text).collect());
        let files = |area: &Area| -> SharedFiles {
            Arc::new(WorkspaceFiles {
                search: self.settings.search(area),
                disk: self.disk.clone(),
                open: Arc::clone(&open),
                loaded: self.loaded.clone(),
            })
        };
        self.settings.areas.iter().map(files).collect()
    }

    /// A snapshot that knows the areas and nothing else.
    pub(super) fn begin_snapshot(&mut self) {
        let areas = self.settings.areas.iter().zip(self.files());
        let mut folders = areas.map(|(area, files)| Folder {
            path: area.folder.to_string_lossy().into_owned(),
            files,
            options: self.settings.options(area),
            system: area.project.system.unwrap_or(Folder::SYSTEM),
        });
        let first = folders.next().expect("there is an area");
        let snapshot = Snapshot::of_folders(first, folders);
        self.set_snapshot(snapshot);
    }

    pub(super) fn note_imports(&mut self, path: &Path, text: &str, searches: &Searches) {
        let Some(scan) = &mut self.scan else { return };
        if is_suite(path) {
            if !scan.suites.contains(path) {
                Arc::make_mut(scan).suites.insert(path.to_owned());
                self.programs = None;
            }
            return;
        }
        // Most edits change no import, and then nothing has to be copied or worked out again.
        let imports = scan.imports(path, text, searches);
        if scan.sources.get(path) != Some(&imports) {
            Arc::make_mut(scan).insert(path, imports, searches);
            self.programs = None;
        }
    }

    /// A file is not there any more, and neither open.
    fn note_gone(&mut self, path: &Path, searches: &Searches) {
        let Some(scan) = &mut self.scan else { return };
        if scan.sources.contains_key(path) || scan.suites.contains(path) {
            Arc::make_mut(scan).remove(path, searches);
            self.programs = None;
        }
    }

    /// Reads the `tempo.toml`s again if one is among files that changed.
    fn note_project(&mut self, paths: &[PathBuf]) {
        let mut is_one = false;
        for path in paths.iter().filter(|path| path.ends_with(project::FILE)) {
            is_one = true;
            let (Some(scan), Some(folder)) = (&mut self.scan, path.parent()) else { continue };
            let projects = &mut Arc::make_mut(scan).projects;
            match self.disk.host.is_file(path) && self.folders.iter().any(|root| folder.starts_with(root)) {
                true => projects.insert(folder.to_owned()),
                false => projects.remove(folder),
            };
        }
        if is_one {
            self.read_projects();
        }
    }

    /// Takes what each `tempo.toml` says. Imports of sources may lead elsewhere then, so they are looked for again.
    pub(super) fn read_projects(&mut self) {
        let below = self.scan.iter().flat_map(|scan| &scan.projects);
        let mut folders: Vec<PathBuf> = self.folders.to_vec();
        folders.extend(below.filter(|folder| !self.folders.contains(folder)).take(MAX_PROJECTS).cloned());
        let mut areas: Vec<Area> =
            folders.into_iter().map(|folder| Area::of(folder, &*self.disk.host)).collect();
        if areas.is_empty() {
            areas.push(Area::default());
        }
        let searched = |settings: &Settings| {
            let areas = settings.areas.iter();
            areas.map(|area| (area.folder.clone(), settings.search(area))).collect::<Vec<_>>()
        };
        let old = searched(&self.settings);
        self.set_settings(Settings { areas, ..(*self.settings).clone() });
        if searched(&self.settings) != old && self.scan.is_some() {
            self.scan_folders();
        }
    }

    /// The text of an open document is another one.
    fn text_changed(&mut self, path: &Path) {
        // What is asked about the text from before is answered as such: the client asks again.
        let stale: Vec<RequestId> = (self.pending.iter())
            .filter(|(_, pending)| pending.about.as_deref() == Some(path))
            .map(|(id, _)| id.clone())
            .collect();
        for id in stale {
            if let Some(pending) = self.pending.remove(&id) {
                pending.cancel.cancel();
            }
            let text = "the text has changed".to_owned();
            let _ = self.sender.send(Response::new_err(id, dispatch::MODIFIED, text).into());
        }
        if let Some(document) = self.documents.get(path).cloned() {
            let searches = self.searches();
            self.note_imports(path, document.source.text(), &searches);
        }
        self.refresh(&|changed| Path::new(changed) == path);
    }

    /// Files on disk may be others.
    fn disk_changed(&mut self, paths: &[PathBuf]) {
        let searches = self.searches();
        for path in
            paths.iter().filter(|path| !self.documents.contains_key(*path)).cloned().collect::<Vec<_>>()
        {
            match self.disk.host.read(&path, 4 << 20) {
                Ok(bytes) if is_suite(&path) || is_source(&path) => {
                    self.note_imports(&path, &tempo_assembler::decode(bytes.into()), &searches);
                }
                Ok(_) => {}
                Err(_) => self.note_gone(&path, &searches),
            }
        }
        // Which program loads which data is not kept: data changes rarely.
        let is_data = {
            let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            paths.iter().any(|path| !is_source(path) && !is_suite(path) && loaded.contains(path))
        };
        self.refresh(&|changed| is_data || paths.iter().any(|path| Path::new(changed) == path));
    }

    /// Begins a new state of the workspace.
    pub(super) fn refresh(&mut self, is_changed: &dyn Fn(&str) -> bool) {
        if self.programs.is_none() {
            self.programs = Some(self.find_programs());
        }
        let (roots, suites) = self.programs.clone().unwrap_or_default();
        let snapshot = self.snapshot.changed(self.files(), is_changed);
        let snapshot = snapshot.with_roots(roots).with_suites(suites);
        self.set_snapshot(snapshot);
        self.generation += 1;
        if self.scan.is_some() {
            self.due = Some(self.disk.host.now() + Duration::from_millis(self.settings.delay_ms));
        }
    }

    /// The roots and suites that matter: those of open documents, or those of the settings.
    fn find_programs(&self) -> Programs {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let mut roots: Vec<PathBuf> =
            self.settings.roots.iter().flat_map(|root| self.set_root(root)).collect();
        // The program of a project is one also if something else imports it, a test perhaps.
        let areas = self.settings.areas.iter().filter(|_| self.settings.roots.is_empty());
        let mains: Vec<&PathBuf> = areas.flat_map(|area| &area.project.mains).collect();
        let mut suites = Vec::new();
        for path in self.documents.keys() {
            if is_suite(path) {
                suites.push(path.clone());
                continue;
            }
            let leads_to = |main: &&PathBuf| match &self.scan {
                Some(scan) => scan.is_reached(path, main),
                None => path == *main,
            };
            let before = roots.len();
            roots.extend(mains.iter().copied().filter(leads_to).cloned());
            // The project names its program: what else imports the file is not assembled for it.
            if roots.len() > before {
                continue;
            }
            roots.extend(match &self.scan {
                Some(scan) if self.settings.roots.is_empty() => scan.roots_of(path),
                _ if self.settings.roots.is_empty() => vec![path.clone()],
                _ => Vec::new(),
            });
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

    /// The sources that a root of the settings means: those of its name in the folders of the workspace.
    fn set_root(&self, root: &str) -> Vec<PathBuf> {
        let host = &self.disk.host;
        let in_folder = |folder: &PathBuf| tempo_assembler::search::clean(&folder.join(root));
        let mut all: Vec<PathBuf> = self.folders.iter().map(in_folder).collect();
        if all.len() > 1 && all.iter().any(|path| host.is_file(path)) {
            all.retain(|path| host.is_file(path));
        } else {
            all.truncate(1);
        }
        if all.is_empty() {
            all.push(tempo_assembler::search::clean(Path::new(root)));
        }
        all
    }

    /// Assembles everything again on a worker.
    pub(super) fn evaluate(&mut self) {
        self.due = None;
        let (context, tasks, generation) = (self.context(), self.tasks.clone(), self.generation);
        self.pool.run(move || {
            let _ = tasks.send(match guarded(|| super::publish::find(&context, generation)) {
                Ok(found) => Task::Problems(Box::new(found)),
                Err(panic) => Task::Failed(panic),
            });
        });
    }

    /// Watches the data that programs load, too.
    pub(super) fn watch_data(&mut self) {
        if !self.is_watching() {
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
