//! The loop: reads messages, keeps documents, settings and the snapshot, hands out work and sends answers.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use editor::Snapshot;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{FileChangeType, InitializeParams};
use serde_json::{Value, json};

use super::context::{Client, Context};
use super::documents::Document;
use super::files::{Disk, WorkspaceFiles};
use super::pool::{Pool, guarded};
use super::publish::Published;
use super::settings::Settings;
use super::workspace::{Scan, WATCHED, is_suite};
use super::{dispatch, uri};
use crate::exit::Exit;

/// What workers send back.
pub enum Task {
    Answer(RequestId, Result<Value, dispatch::Error>),
    Scanned(Scan),
    Progress(usize),
    Problems(Box<super::publish::Found>),
}

/// What an answer to a request of ours is for.
enum Asked {
    Configuration,
    Nothing,
}

pub struct Server {
    sender: Sender<Message>,
    pub(super) client: Arc<Client>,
    pub(super) settings: Arc<Settings>,
    folders: Vec<PathBuf>,
    documents: Arc<HashMap<PathBuf, Document>>,
    pub(super) snapshot: Arc<Snapshot>,
    /// `None` until the folders were looked at.
    scan: Option<Arc<Scan>>,
    tokens: super::context::Tokens,
    disk: Arc<Disk>,
    loaded: Arc<Mutex<std::collections::BTreeSet<PathBuf>>>,
    watched: HashSet<PathBuf>,
    pool: Pool,
    tasks: Sender<Task>,
    /// Requests without an answer, with the text they are about.
    pending: HashMap<RequestId, Option<PathBuf>>,
    asked: HashMap<RequestId, Asked>,
    next_id: i32,
    /// Counts the states of the workspace.
    pub(super) generation: u64,
    /// When the programs are assembled again.
    due: Option<Instant>,
    /// When the client is asked to fetch hints and lenses again.
    pub(super) refresh_due: Option<Instant>,
    pub(super) published: Published,
    has_failed: bool,
    client_process: Option<u32>,
}

/// Serves one client until it says `exit` or goes away.
pub fn serve(connection: &Connection) -> Exit {
    let Ok((id, params)) = connection.initialize_start() else { return Exit::Failed };
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let text = format!("bad parameters of initialize: {error}");
            let _ = connection.sender.send(Response::new_err(id, dispatch::INVALID_PARAMS, text).into());
            return Exit::CannotRun;
        }
    };
    let (tasks, results) = unbounded();
    let mut server = Server::new(connection.sender.clone(), tasks, &params);
    let answer = dispatch::capabilities(&server.client);
    if connection.initialize_finish(id, answer).is_err() {
        return Exit::Failed;
    }
    server.start();
    server.run(connection, &results)
}

impl Server {
    fn new(sender: Sender<Message>, tasks: Sender<Task>, params: &InitializeParams) -> Server {
        let mut settings = Settings::default();
        if let Some(options) = &params.initialization_options {
            settings.read(options);
        }
        let own: Vec<PathBuf> = match &params.workspace_folders {
            Some(folders) => folders.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect(),
            None => {
                #[allow(deprecated)]
                let root = params.root_uri.as_ref().and_then(uri::to_path);
                root.into_iter().collect()
            }
        };
        let real = |path: &PathBuf| (path.clone(), path.canonicalize().unwrap_or_else(|_| path.clone()));
        let folders: Vec<(PathBuf, PathBuf)> = own.iter().map(real).collect();
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.clone()).unwrap_or_default();
        let has_utf8 = encodings.contains(&lsp_types::PositionEncodingKind::UTF8);
        let columns = if has_utf8 { diagnostics::Columns::Bytes } else { diagnostics::Columns::Utf16 };
        let client = Client {
            columns,
            capabilities: params.capabilities.clone(),
            folders: folders.iter().filter(|(own, real)| own != real).cloned().collect(),
        };
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4));
        let files = WorkspaceFiles {
            search: assembler::SearchPath::default(),
            disk: Arc::default(),
            open: Arc::default(),
            loaded: Arc::default(),
        };
        let disk = files.disk.clone();
        let loaded = files.loaded.clone();
        Server {
            sender,
            client: Arc::new(client),
            snapshot: Arc::new(Snapshot::new(Arc::new(files), settings.options())),
            settings: Arc::new(settings),
            folders: folders.into_iter().map(|(_, real)| real).collect(),
            documents: Arc::default(),
            scan: None,
            tokens: Arc::default(),
            disk,
            loaded,
            watched: HashSet::new(),
            pool: Pool::new(threads),
            tasks,
            pending: HashMap::new(),
            asked: HashMap::new(),
            next_id: 0,
            generation: 0,
            due: None,
            refresh_due: None,
            published: Published::default(),
            has_failed: false,
            client_process: params.process_id,
        }
    }

    /// The first things to do once the client listens.
    fn start(&mut self) {
        let workspace = self.client.capabilities.workspace.clone().unwrap_or_default();
        if workspace.did_change_watched_files.is_some_and(|watch| watch.dynamic_registration == Some(true)) {
            self.watch(&[WATCHED.to_owned()]);
        }
        self.configure();
        self.scan_folders();
    }

    fn configure(&mut self) {
        let workspace = self.client.capabilities.workspace.as_ref();
        if workspace.and_then(|workspace| workspace.configuration) == Some(true) {
            let params = json!({"items": [{"section": "tempo"}]});
            self.ask(request::WorkspaceConfiguration::METHOD, params, Asked::Configuration);
        }
    }

    fn watch(&mut self, patterns: &[String]) {
        let watchers: Vec<Value> = patterns.iter().map(|pattern| json!({"globPattern": pattern})).collect();
        let id = format!("tempo-watch-{}", self.next_id);
        let params = json!({"registrations": [{
            "id": id,
            "method": notification::DidChangeWatchedFiles::METHOD,
            "registerOptions": {"watchers": watchers},
        }]});
        self.ask(request::RegisterCapability::METHOD, params, Asked::Nothing);
    }

    fn scan_folders(&mut self) {
        let (folders, search, tasks) = (self.folders.clone(), self.search(), self.tasks.clone());
        if self.has_progress() {
            let token = json!({"token": "tempo-scan"});
            self.ask(request::WorkDoneProgressCreate::METHOD, token, Asked::Nothing);
            self.progress(json!({"kind": "begin", "title": "tempo", "message": "looking for sources"}));
        }
        self.pool.run(move || {
            let progress = tasks.clone();
            let report = move |count| drop(progress.send(Task::Progress(count)));
            let scan = guarded(|| Scan::of(&folders, &search, report)).unwrap_or_default();
            let _ = tasks.send(Task::Scanned(scan));
        });
    }

    fn has_progress(&self) -> bool {
        let window = self.client.capabilities.window.as_ref();
        window.and_then(|window| window.work_done_progress) == Some(true)
    }

    fn progress(&self, value: Value) {
        self.notify("$/progress", json!({"token": "tempo-scan", "value": value}));
    }

    fn run(mut self, connection: &Connection, results: &Receiver<Task>) -> Exit {
        loop {
            let timer = |due: Option<Instant>| match due {
                Some(due) => after(due.saturating_duration_since(Instant::now())),
                None => never(),
            };
            let (wake, refresh) = (timer(self.due), timer(self.refresh_due));
            let look = if self.client_process.is_some() { after(Duration::from_secs(5)) } else { never() };
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        match connection.handle_shutdown(&request) {
                            Ok(true) => return Exit::Fine,
                            Ok(false) => self.request(request),
                            Err(_) => return Exit::Failed,
                        }
                    }
                    Ok(Message::Notification(message)) if message.method == "exit" => return Exit::Failed,
                    Ok(Message::Notification(message)) => self.notification(message),
                    Ok(Message::Response(response)) => self.response(response),
                    Err(_) => return Exit::Failed,
                },
                recv(results) -> task => if let Ok(task) = task { self.task(task) },
                recv(wake) -> _ => self.evaluate(),
                recv(refresh) -> _ => self.refresh_hints(),
                recv(look) -> _ => if self.is_orphan() { return Exit::Failed },
            }
        }
    }

    /// Whether the process of the client is gone. Where there is no `/proc`, the end of the input tells.
    fn is_orphan(&self) -> bool {
        let processes = Path::new("/proc/self");
        self.client_process
            .is_some_and(|id| processes.exists() && !Path::new(&format!("/proc/{id}")).exists())
    }

    // --- sending

    pub(super) fn notify(&self, method: &str, params: Value) {
        let _ = self.sender.send(Notification::new(method.to_owned(), params).into());
    }

    fn ask(&mut self, method: &str, params: Value, asked: Asked) {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        self.asked.insert(id.clone(), asked);
        let _ = self.sender.send(Request::new(id, method.to_owned(), params).into());
    }

    /// Asks the client to ask again.
    pub(super) fn refresh_client(&mut self, method: &str) {
        self.ask(method, Value::Null, Asked::Nothing);
    }

    // --- receiving

    pub(super) fn context(&self) -> Context {
        Context {
            snapshot: self.snapshot.clone(),
            documents: self.documents.clone(),
            settings: self.settings.clone(),
            client: self.client.clone(),
            scan: self.scan.clone(),
            search: self.search(),
            tokens: self.tokens.clone(),
        }
    }

    fn request(&mut self, request: Request) {
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str);
        let path = uri.and_then(|uri| uri.parse().ok()).and_then(|uri| uri::to_path(&uri));
        let path = path.map(|path| self.client.inside(&path));
        self.pending.insert(request.id.clone(), path);
        let (context, tasks) = (self.context(), self.tasks.clone());
        self.pool.run(move || {
            let id = request.id.clone();
            let answer = guarded(|| dispatch::answer(&context, request));
            let answer = answer.unwrap_or_else(|panic| Err(dispatch::Error::internal(panic)));
            let _ = tasks.send(Task::Answer(id, answer));
        });
    }

    fn task(&mut self, task: Task) {
        match task {
            Task::Answer(id, answer) => self.answer(id, answer),
            Task::Scanned(scan) => {
                if self.has_progress() {
                    self.progress(json!({"kind": "end"}));
                }
                if scan.is_cut {
                    let text = "the workspace is too large to look at all of it; set tempo.roots";
                    self.notify("window/logMessage", json!({"type": 2, "message": text}));
                }
                self.scan = Some(Arc::new(scan));
                let (documents, search) = (self.documents.clone(), self.search());
                for (path, document) in documents.iter() {
                    self.note_imports(path, document.source.text(), &search);
                }
                self.refresh(&|_| false);
            }
            Task::Progress(count) => {
                let message = format!("{count} sources");
                self.progress(json!({"kind": "report", "message": message}));
            }
            Task::Problems(found) => {
                self.publish(*found);
                self.watch_data();
            }
        }
    }

    fn answer(&mut self, id: RequestId, answer: Result<Value, dispatch::Error>) {
        // An answer to a request that was cancelled is dropped: the cancellation is answered.
        if self.pending.remove(&id).is_none() {
            return;
        }
        if let Err(error) = &answer
            && error.code == dispatch::INTERNAL
            && !std::mem::replace(&mut self.has_failed, true)
        {
            let text = format!("tempo lsp met an internal error and goes on: {}", error.message);
            self.notify("window/showMessage", json!({"type": 1, "message": text}));
        }
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(error) => Response::new_err(id, error.code, error.message),
        };
        let _ = self.sender.send(response.into());
    }

    fn response(&mut self, response: Response) {
        if let Some(Asked::Configuration) = self.asked.remove(&response.id)
            && let Some(value) = response.response_result.as_ref().ok().and_then(|result| result.get(0))
        {
            self.apply_settings(&value.clone());
        }
    }

    fn apply_settings(&mut self, value: &Value) {
        let mut settings = (*self.settings).clone();
        settings.read(value);
        if settings != *self.settings {
            self.settings = Arc::new(settings);
            self.snapshot = Arc::new(Snapshot::new(Arc::new(self.files()), self.settings.options()));
            self.refresh(&|_| true);
        }
    }

    fn notification(&mut self, message: Notification) {
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
                self.disk_changed(&[path]);
            }
            notification::DidSaveTextDocument::METHOD => self.due = Some(Instant::now()),
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
                    }
                    paths.extend(path);
                }
                self.disk_changed(&paths);
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
                self.folders.retain(|folder| !removed.contains(folder));
                self.folders.extend(params.event.added.iter().filter_map(real));
                self.scan_folders();
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

    // --- the workspace

    fn search(&self) -> assembler::SearchPath {
        assembler::SearchPath {
            folder: self.folders.first().cloned().unwrap_or_default(),
            library_folders: self.settings.lib_dirs.clone(),
            replacements: Vec::new(),
        }
    }

    fn files(&self) -> WorkspaceFiles {
        let text = |(path, document): (&PathBuf, &Document)| (path.clone(), document.source.shared_text());
        WorkspaceFiles {
            search: self.search(),
            disk: self.disk.clone(),
            open: Arc::new(self.documents.iter().map(text).collect()),
            loaded: self.loaded.clone(),
        }
    }

    fn note_imports(&mut self, path: &Path, text: &str, search: &assembler::SearchPath) {
        let Some(scan) = &mut self.scan else { return };
        let scan = Arc::make_mut(scan);
        if is_suite(path) {
            scan.suites.insert(path.to_owned());
        } else {
            scan.update(path, text, search);
        }
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
    fn refresh(&mut self, is_changed: &dyn Fn(&str) -> bool) {
        let (roots, suites) = self.programs();
        let files = Arc::new(self.files());
        let snapshot = self.snapshot.changed(files, is_changed).with_roots(roots).with_suites(suites);
        self.snapshot = Arc::new(snapshot);
        self.generation += 1;
        if self.scan.is_some() {
            self.due = Some(Instant::now() + Duration::from_millis(self.settings.delay_ms));
        }
    }

    /// The roots and suites that matter: those of open documents, or those of the settings.
    fn programs(&self) -> (Vec<String>, Vec<(String, bool)>) {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let folder = self.folders.first().cloned().unwrap_or_default();
        let set = self.settings.roots.iter().map(|root| assembler::search::clean(&folder.join(root)));
        let mut roots: Vec<PathBuf> = set.collect();
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
    fn evaluate(&mut self) {
        self.due = None;
        let (context, tasks, generation) = (self.context(), self.tasks.clone(), self.generation);
        self.pool.run(move || {
            if let Ok(found) = guarded(|| super::publish::find(&context, generation)) {
                let _ = tasks.send(Task::Problems(Box::new(found)));
            }
        });
    }

    /// Watches the data that programs load, too.
    fn watch_data(&mut self) {
        let workspace = self.client.capabilities.workspace.clone().unwrap_or_default();
        if workspace.did_change_watched_files.is_none_or(|watch| watch.dynamic_registration != Some(true)) {
            return;
        }
        let loaded = self.loaded.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
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
