//! The loop: reads messages, keeps documents, settings and the snapshot, hands out work and sends answers.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{InitializeParams, TraceValue};
use serde_json::{Value, json};
use tempo_assembler::{Cancel, MemoryFiles, Options};
use tempo_editor::Snapshot;
use tempo_project as project;

use crate::context::{Client, Context};
use crate::documents::Document;
use crate::files::Disk;
use crate::host::Host;
use crate::pool::{Pool, guarded};
use crate::publish::Published;
use crate::requests::custom;
use crate::settings::{Area, Settings};
use crate::workspace::{Scan, WATCHED};
use crate::{dispatch, initialize};

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client said `shutdown` and `exit`.
    Proper,
    /// The client went away without them.
    Deserted,
    /// The parameters of `initialize` made no sense.
    Refused,
}

/// A worker's result.
pub enum Task {
    Answer(RequestId, Result<Value, dispatch::Error>),
    /// A run that the answer comes from was ended before its time: with a newer snapshot, if there is one, the request is
    /// worked on again.
    Again(Request, u64, Result<Value, dispatch::Error>),
    /// The number of the scan, and what it found.
    Scanned(u64, Scan),
    Progress(usize),
    Problems(Box<super::publish::Found>),
    /// Work without a request met an internal error.
    Failed(String),
}

/// A request without an answer.
pub(super) struct Pending {
    /// The text it is about.
    pub about: Option<PathBuf>,
    /// Ends the work on it.
    pub cancel: Cancel,
    /// Whether the answer is an edit that the client is asked to apply.
    pub is_edit: bool,
}

/// The purpose of a request of ours, for its answer.
pub(super) enum Asked {
    Configuration,
    /// Whether the progress of a scan may be shown.
    Progress,
    Nothing,
}

/// Roots, and suites with whether they are open.
pub(super) type Programs = (Vec<String>, Vec<(String, bool)>);

pub struct Server {
    pub(super) sender: Sender<Message>,
    pub(super) client: Arc<Client>,
    pub(super) settings: Arc<Settings>,
    pub(super) folders: Arc<Vec<PathBuf>>,
    pub(super) documents: Arc<HashMap<PathBuf, Document>>,
    pub(super) snapshot: Arc<Snapshot>,
    /// `None` until the folders were looked at.
    pub(super) scan: Option<Arc<Scan>>,
    pub(super) tokens: super::context::Tokens,
    pub(super) tested: super::context::Tested,
    /// The roots that are assembled; `None` if they have to be found again.
    pub(super) programs: Option<Programs>,
    pub(super) disk: Arc<Disk>,
    pub(super) loaded: Arc<Mutex<std::collections::BTreeSet<PathBuf>>>,
    pub(super) watched: HashSet<PathBuf>,
    pub(super) pool: Pool,
    /// Takes old snapshots apart: a program is a hundred thousand pieces of memory, and no request should wait for that.
    pub(super) dropper: Pool,
    pub(super) tasks: Sender<Task>,
    pub(super) pending: HashMap<RequestId, Pending>,
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
    /// The contents of `initializationOptions`: the settings that the client has not set otherwise.
    pub(super) first_settings: Settings,
    pub(super) trace: TraceValue,
    /// Scans of the folders that are under way, and whether the client shows that.
    scans: u32,
    /// The number of the one that was begun last.
    last_scan: u64,
    has_begun: bool,
}

/// A folder, and what it is if links lead to it.
pub(super) fn with_real(host: &dyn Host, path: PathBuf) -> (PathBuf, PathBuf) {
    host.opened(&path);
    let real = host.resolve(&path).unwrap_or_else(|| path.clone());
    (path, real)
}

/// Serves one client until it says `exit` or goes away.
pub fn serve(connection: &Connection, host: Arc<dyn Host>) -> End {
    let Ok((id, params)) = connection.initialize_start() else { return End::Deserted };
    let params = match initialize::params(params) {
        Ok(params) => params,
        Err(error) => {
            let text = format!("bad parameters of initialize: {error}");
            let _ = connection.sender.send(Response::new_err(id, dispatch::INVALID_PARAMS, text).into());
            return End::Refused;
        }
    };
    let (tasks, results) = unbounded();
    let mut server = Server::new(connection.sender.clone(), tasks, host, &params);
    let answer = dispatch::capabilities(&server.client);
    if connection.initialize_finish(id, answer).is_err() {
        return End::Deserted;
    }
    server.start();
    server.run(connection, &results)
}

/// After `shutdown`. Answers to what we asked, and notes, may still be on their way.
fn wait_for_exit(connection: &Connection) -> End {
    loop {
        match connection.receiver.recv_timeout(Duration::from_secs(30)) {
            Ok(Message::Notification(message)) if message.method == "exit" => return End::Proper,
            Ok(Message::Request(request)) => {
                let text = "the session is over".to_owned();
                let answer = Response::new_err(request.id, dispatch::INVALID_REQUEST, text);
                let _ = connection.sender.send(answer.into());
            }
            Ok(_) => {}
            Err(_) => return End::Deserted,
        }
    }
}

impl Server {
    fn new(
        sender: Sender<Message>,
        tasks: Sender<Task>,
        host: Arc<dyn Host>,
        params: &InitializeParams,
    ) -> Server {
        let mut settings = Settings::default();
        if let Some(options) = &params.initialization_options {
            settings.read(options);
        }
        let folders: Vec<_> =
            initialize::folders(params).into_iter().map(|path| with_real(&*host, path)).collect();
        let areas: Vec<Area> = folders.iter().map(|(_, folder)| Area::of(folder.clone(), &*host)).collect();
        if !areas.is_empty() {
            settings.areas = areas;
        }
        let trace = settings.trace;
        let client = Client {
            columns: initialize::columns(&params.capabilities),
            capabilities: params.capabilities.clone(),
            folders: folders.iter().filter(|(own, real)| own != real).cloned().collect(),
        };
        let threads = std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4));
        let (disk, loaded) = (Arc::new(Disk::new(host)), Arc::default());
        let folders = Arc::new(folders.into_iter().map(|(_, real)| real).collect());
        let snapshot = Snapshot::new(Arc::new(MemoryFiles::default()), Options::default());
        let mut server = Server {
            sender,
            client: Arc::new(client),
            snapshot: Arc::new(snapshot),
            first_settings: settings.clone(),
            settings: Arc::new(settings),
            trace: params.trace.unwrap_or(trace),
            scans: 0,
            last_scan: 0,
            has_begun: false,
            folders,
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
        };
        server.begin_snapshot();
        server
    }

    /// The first things to do once the client listens.
    fn start(&mut self) {
        if self.is_watching() {
            self.watch(&[WATCHED.to_owned(), format!("**/{}", project::FILE)]);
        }
        let workspace = self.client.capabilities.workspace.as_ref();
        let changes = workspace.and_then(|workspace| workspace.did_change_configuration);
        if self.is_configured() && changes.and_then(|changes| changes.dynamic_registration) == Some(true) {
            self.register(notification::DidChangeConfiguration::METHOD, json!({"section": "tempo"}));
        }
        self.configure();
        self.scan_folders();
    }

    /// Whether the client tells when files change.
    pub(super) fn is_watching(&self) -> bool {
        let workspace = self.client.capabilities.workspace.as_ref();
        let watch = workspace.and_then(|workspace| workspace.did_change_watched_files);
        watch.and_then(|watch| watch.dynamic_registration) == Some(true)
    }

    /// Whether the client can be asked for its settings.
    pub(super) fn is_configured(&self) -> bool {
        let workspace = self.client.capabilities.workspace.as_ref();
        workspace.and_then(|workspace| workspace.configuration) == Some(true)
    }

    pub(super) fn configure(&mut self) {
        if self.is_configured() {
            let params = json!({"items": [{"section": "tempo"}]});
            self.ask(request::WorkspaceConfiguration::METHOD, params, Asked::Configuration);
        }
    }

    pub(super) fn watch(&mut self, patterns: &[String]) {
        let watchers: Vec<Value> = patterns.iter().map(|pattern| json!({"globPattern": pattern})).collect();
        self.register(notification::DidChangeWatchedFiles::METHOD, json!({"watchers": watchers}));
    }

    /// Asks the client for notifications that it sends on demand only.
    fn register(&mut self, method: &str, options: Value) {
        let id = format!("tempo-{}", self.next_id);
        let params = json!({"registrations": [{"id": id, "method": method, "registerOptions": options}]});
        self.ask(request::RegisterCapability::METHOD, params, Asked::Nothing);
    }

    pub(super) fn scan_folders(&mut self) {
        let (folders, searches, tasks) = (self.folders.clone(), self.searches(), self.tasks.clone());
        if self.has_progress() {
            let token = json!({"token": "tempo-scan"});
            self.ask(request::WorkDoneProgressCreate::METHOD, token, Asked::Progress);
        }
        self.scans += 1;
        self.last_scan += 1;
        let number = self.last_scan;
        self.pool.run(move || {
            let progress = tasks.clone();
            let report = move |count| drop(progress.send(Task::Progress(count)));
            let scan = guarded(|| Scan::of(&folders, &searches, report)).unwrap_or_default();
            let _ = tasks.send(Task::Scanned(number, scan));
        });
    }

    fn has_progress(&self) -> bool {
        let window = self.client.capabilities.window.as_ref();
        window.and_then(|window| window.work_done_progress) == Some(true)
    }

    /// The client shows progress, perhaps of a scan that is over by now.
    fn begin_progress(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.progress(json!({"kind": "begin", "title": "tempo", "message": "looking for sources"}));
            self.end_progress();
        }
    }

    fn end_progress(&mut self) {
        if self.has_begun && self.scans == 0 {
            self.has_begun = false;
            self.progress(json!({"kind": "end"}));
        }
    }

    fn progress(&self, value: Value) {
        self.notify("$/progress", json!({"token": "tempo-scan", "value": value}));
    }

    fn run(mut self, connection: &Connection, results: &Receiver<Task>) -> End {
        loop {
            let timer = |due: Option<Instant>| match due {
                Some(due) => after(due.saturating_duration_since(self.disk.host.now())),
                None => never(),
            };
            let (wake, refresh) = (timer(self.due), timer(self.refresh_due));
            let look = if self.client_process.is_some() { after(Duration::from_secs(5)) } else { never() };
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if request.method == request::Shutdown::METHOD {
                            self.answer_pending();
                            let _ = self.sender.send(Response::new_ok(request.id, Value::Null).into());
                            return wait_for_exit(connection);
                        }
                        self.request(request);
                    }
                    Ok(Message::Notification(message)) if message.method == "exit" => return End::Deserted,
                    Ok(Message::Notification(message)) => {
                        // What a client sends must not end the session, whatever it is.
                        if let Err(panic) = guarded(|| self.notification(message)) {
                            self.failed(&panic);
                        }
                    }
                    Ok(Message::Response(response)) => self.response(response),
                    Err(_) => return End::Deserted,
                },
                recv(results) -> task => if let Ok(task) = task { self.task(task) },
                recv(wake) -> _ => self.evaluate(),
                recv(refresh) -> _ => self.refresh_hints(),
                recv(look) -> _ => if self.is_orphan() { return End::Deserted },
            }
        }
    }

    /// Whether the process of the client is gone. Where that is not known, the end of the input tells.
    fn is_orphan(&self) -> bool {
        self.client_process.is_some_and(|id| self.disk.host.has_ended(id))
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
            host: self.disk.host.clone(),
            snapshot: self.snapshot.clone(),
            cancel: Cancel::default(),
            folders: self.folders.clone(),
            documents: self.documents.clone(),
            settings: self.settings.clone(),
            client: self.client.clone(),
            scan: self.scan.clone(),
            tokens: self.tokens.clone(),
            tested: self.tested.clone(),
        }
    }

    fn request(&mut self, request: Request) {
        if request.method == request::Initialize::METHOD {
            let text = "the session is initialized already".to_owned();
            let _ = self.sender.send(Response::new_err(request.id, dispatch::INVALID_REQUEST, text).into());
            return;
        }
        self.log_trace(&format!("{} {}", request.method, request.id), &request.params);
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str);
        let path = uri.and_then(|uri| uri.parse().ok()).and_then(|uri| self.path_of(&uri));
        let is_edit = request.method == request::ExecuteCommand::METHOD
            && request.params.get("command").and_then(Value::as_str) == Some(custom::APPLY);
        let pending = Pending { about: path, cancel: Cancel::default(), is_edit };
        self.pending.insert(request.id.clone(), pending);
        self.work_on(request);
    }

    fn work_on(&self, request: Request) {
        let Some(Pending { cancel, .. }) = self.pending.get(&request.id) else { return };
        let (cancel, generation, tasks) = (cancel.clone(), self.generation, self.tasks.clone());
        let snapshot = Arc::new(self.snapshot.asked(cancel.clone()));
        let context = Context { snapshot, cancel, ..self.context() };
        self.pool.run(move || {
            // It was answered while it waited.
            if context.cancel.is_cancelled() {
                return;
            }
            let answer = guarded(|| dispatch::answer(&context, request.clone()));
            let answer = answer.unwrap_or_else(|panic| Err(dispatch::Error::internal(panic)));
            let task = if context.snapshot.is_interrupted() {
                Task::Again(request, generation, answer)
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
                if old == self.generation {
                    self.answer(request.id, answer);
                } else {
                    self.work_on(request);
                }
            }
            Task::Scanned(number, scan) => {
                self.scans -= 1;
                self.end_progress();
                // One of other folders or settings; scans end in any order.
                if number != self.last_scan {
                    return;
                }
                if scan.is_cut {
                    let text = "the workspace is too large to look at all of it; set tempo.roots";
                    self.notify("window/logMessage", json!({"type": 2, "message": text}));
                }
                self.scan = Some(Arc::new(scan));
                self.programs = None;
                let (documents, searches) = (self.documents.clone(), self.searches());
                for (path, document) in documents.iter() {
                    self.note_imports(path, document.source.text(), &searches);
                }
                self.refresh(&|_| false);
                self.read_projects();
            }
            Task::Progress(count) => {
                if self.has_begun {
                    let message = format!("{count} sources");
                    self.progress(json!({"kind": "report", "message": message}));
                }
            }
            Task::Problems(found) => {
                self.publish(*found);
                self.watch_data();
            }
            Task::Failed(message) => self.failed(&message),
        }
    }

    fn answer(&mut self, id: RequestId, answer: Result<Value, dispatch::Error>) {
        // An answer to a request that was cancelled is dropped: the cancellation is answered.
        let Some(pending) = self.pending.remove(&id) else { return };
        let answer = match answer {
            Ok(edit) if pending.is_edit => {
                self.ask(request::ApplyWorkspaceEdit::METHOD, json!({"edit": edit}), Asked::Nothing);
                Ok(Value::Null)
            }
            answer => answer,
        };
        if let Err(error) = &answer
            && error.code == dispatch::INTERNAL
        {
            self.failed(&error.message);
        }
        match &answer {
            Ok(value) => self.log_trace(&format!("answer {id}"), value),
            Err(error) => self.log_trace(&format!("error {id}: {}", error.message), &Value::Null),
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

    /// Tells of an internal error, the first time.
    pub(super) fn failed(&mut self, message: &str) {
        if !std::mem::replace(&mut self.has_failed, true) {
            let text = format!("tempo lsp met an internal error and goes on: {message}");
            self.notify("window/showMessage", json!({"type": 1, "message": text}));
        }
    }

    /// The session ends: what is not answered yet will not be.
    fn answer_pending(&mut self) {
        for (id, pending) in self.pending.drain() {
            pending.cancel.cancel();
            let text = "the session is over".to_owned();
            let _ = self.sender.send(Response::new_err(id, dispatch::INTERRUPTED, text).into());
        }
    }

    /// Progress, for a client that wants to know.
    fn log_trace(&self, message: &str, details: &Value) {
        let params = match self.trace {
            TraceValue::Off => return,
            TraceValue::Messages => json!({"message": message}),
            TraceValue::Verbose => json!({"message": message, "verbose": details.to_string()}),
        };
        self.notify(notification::LogTrace::METHOD, params);
    }

    fn response(&mut self, response: Response) {
        let asked = self.asked.remove(&response.id);
        // A client may refuse what it is asked for.
        let (Some(asked), Ok(result)) = (asked, response.response_result) else { return };
        match asked {
            Asked::Configuration => {
                // All of them: what the client does not name any more is as it was at the start.
                let areas = self.settings.areas.clone();
                let mut settings = Settings { areas, ..self.first_settings.clone() };
                if let Some(value) = result.get(0) {
                    settings.read(value);
                    self.set_settings(settings);
                }
            }
            Asked::Progress => self.begin_progress(),
            Asked::Nothing => {}
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
            if settings.trace != self.settings.trace {
                self.trace = settings.trace;
            }
            self.settings = Arc::new(settings);
            self.programs = None;
            self.begin_snapshot();
            self.refresh(&|_| true);
        }
    }
}
