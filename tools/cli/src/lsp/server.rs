//! The loop: reads messages, keeps documents, settings and the snapshot, hands out work and sends answers.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use editor::Snapshot;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::InitializeParams;
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use serde_json::{Value, json};

use super::context::{Client, Context};
use super::documents::Document;
use super::files::{Disk, WorkspaceFiles};
use super::pool::{Pool, guarded};
use super::publish::Published;
use super::settings::{FromProject, Settings};
use super::workspace::{Scan, WATCHED};
use super::{dispatch, uri};
use crate::exit::Exit;
use crate::project;

/// What workers send back.
pub enum Task {
    Answer(RequestId, Result<Value, dispatch::Error>),
    /// A run that the answer comes from was ended before its time: with a newer snapshot, if there is one, the request is
    /// worked on again.
    Again(Request, Arc<Snapshot>, Result<Value, dispatch::Error>),
    Scanned(Scan),
    Progress(usize),
    Problems(Box<super::publish::Found>),
}

/// What an answer to a request of ours is for.
pub(super) enum Asked {
    Configuration,
    Nothing,
}

/// Roots, and suites with whether they are open.
pub(super) type Programs = (Vec<String>, Vec<(String, bool)>);

pub struct Server {
    pub(super) sender: Sender<Message>,
    pub(super) client: Arc<Client>,
    pub(super) settings: Arc<Settings>,
    pub(super) folders: Vec<PathBuf>,
    pub(super) documents: Arc<HashMap<PathBuf, Document>>,
    pub(super) snapshot: Arc<Snapshot>,
    /// `None` until the folders were looked at.
    pub(super) scan: Option<Arc<Scan>>,
    pub(super) tokens: super::context::Tokens,
    pub(super) tested: super::context::Tested,
    /// What is assembled; `None` if it has to be found again.
    pub(super) programs: Option<Programs>,
    pub(super) disk: Arc<Disk>,
    pub(super) loaded: Arc<Mutex<std::collections::BTreeSet<PathBuf>>>,
    pub(super) watched: HashSet<PathBuf>,
    pub(super) pool: Pool,
    /// Takes old snapshots apart: a program is a hundred thousand pieces of memory, and nobody should wait for that.
    pub(super) dropper: Pool,
    pub(super) tasks: Sender<Task>,
    /// Requests without an answer, with the text they are about.
    pub(super) pending: HashMap<RequestId, Option<PathBuf>>,
    pub(super) asked: HashMap<RequestId, Asked>,
    pub(super) next_id: i32,
    /// Counts the states of the workspace.
    pub(super) generation: u64,
    /// When the programs are assembled again.
    pub(super) due: Option<Instant>,
    /// When the client is asked to fetch hints and lenses again.
    pub(super) refresh_due: Option<Instant>,
    pub(super) published: Published,
    pub(super) has_failed: bool,
    pub(super) client_process: Option<u32>,
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

/// After `shutdown`. Answers to what we asked, and notes, may still be on their way.
fn wait_for_exit(connection: &Connection) -> Exit {
    loop {
        match connection.receiver.recv_timeout(Duration::from_secs(30)) {
            Ok(Message::Notification(message)) if message.method == "exit" => return Exit::Fine,
            Ok(Message::Request(request)) => {
                let text = "the session is over".to_owned();
                let answer = Response::new_err(request.id, dispatch::INVALID_REQUEST, text);
                let _ = connection.sender.send(answer.into());
            }
            Ok(_) => {}
            Err(_) => return Exit::Failed,
        }
    }
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
        if let Some((_, folder)) = folders.first() {
            settings.project = FromProject::of(folder);
        }
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
            tested: Arc::default(),
            programs: None,
            disk,
            loaded,
            watched: HashSet::new(),
            pool: Pool::new(threads),
            dropper: Pool::new(1),
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
            self.watch(&[WATCHED.to_owned(), format!("**/{}", project::FILE)]);
        }
        self.configure();
        self.scan_folders();
    }

    pub(super) fn configure(&mut self) {
        let workspace = self.client.capabilities.workspace.as_ref();
        if workspace.and_then(|workspace| workspace.configuration) == Some(true) {
            let params = json!({"items": [{"section": "tempo"}]});
            self.ask(request::WorkspaceConfiguration::METHOD, params, Asked::Configuration);
        }
    }

    pub(super) fn watch(&mut self, patterns: &[String]) {
        let watchers: Vec<Value> = patterns.iter().map(|pattern| json!({"globPattern": pattern})).collect();
        let id = format!("tempo-watch-{}", self.next_id);
        let params = json!({"registrations": [{
            "id": id,
            "method": notification::DidChangeWatchedFiles::METHOD,
            "registerOptions": {"watchers": watchers},
        }]});
        self.ask(request::RegisterCapability::METHOD, params, Asked::Nothing);
    }

    pub(super) fn scan_folders(&mut self) {
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
                        if request.method == request::Shutdown::METHOD {
                            let _ = self.sender.send(Response::new_ok(request.id, Value::Null).into());
                            return wait_for_exit(connection);
                        }
                        self.request(request);
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

    pub(super) fn ask(&mut self, method: &str, params: Value, asked: Asked) {
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
            tested: self.tested.clone(),
        }
    }

    fn request(&mut self, request: Request) {
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str);
        let path = uri.and_then(|uri| uri.parse().ok()).and_then(|uri| uri::to_path(&uri));
        let path = path.map(|path| self.client.inside(&path));
        self.pending.insert(request.id.clone(), path);
        self.work_on(request);
    }

    fn work_on(&self, request: Request) {
        let (context, tasks) = (self.context(), self.tasks.clone());
        self.pool.run(move || {
            let answer = guarded(|| dispatch::answer(&context, request.clone()));
            let answer = answer.unwrap_or_else(|panic| Err(dispatch::Error::internal(panic)));
            let task = if context.snapshot.is_interrupted() {
                Task::Again(request, context.snapshot, answer)
            } else {
                Task::Answer(request.id, answer)
            };
            let _ = tasks.send(task);
        });
    }

    fn task(&mut self, task: Task) {
        match task {
            Task::Answer(id, answer) => self.answer(id, answer),
            Task::Again(request, old, answer) => {
                if Arc::ptr_eq(&old, &self.snapshot) {
                    self.answer(request.id, answer);
                } else if self.pending.contains_key(&request.id) {
                    self.work_on(request);
                }
            }
            Task::Scanned(scan) => {
                if self.has_progress() {
                    self.progress(json!({"kind": "end"}));
                }
                if scan.is_cut {
                    let text = "the workspace is too large to look at all of it; set tempo.roots";
                    self.notify("window/logMessage", json!({"type": 2, "message": text}));
                }
                self.scan = Some(Arc::new(scan));
                self.programs = None;
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
            Err(error) => {
                let data = (error.code == dispatch::INTERRUPTED).then(|| json!({"retriggerRequest": true}));
                let error = lsp_server::ResponseError { code: error.code, message: error.message, data };
                Response { id, response_result: Err(error) }
            }
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

    pub(super) fn apply_settings(&mut self, value: &Value) {
        let mut settings = (*self.settings).clone();
        settings.read(value);
        self.set_settings(settings);
    }

    pub(super) fn set_snapshot(&mut self, snapshot: Snapshot) {
        let old = std::mem::replace(&mut self.snapshot, Arc::new(snapshot));
        self.dropper.run(move || drop(old));
    }

    pub(super) fn set_settings(&mut self, settings: Settings) {
        if settings != *self.settings {
            self.settings = Arc::new(settings);
            self.programs = None;
            self.set_snapshot(Snapshot::new(Arc::new(self.files()), self.settings.options()));
            self.refresh(&|_| true);
        }
    }
}
