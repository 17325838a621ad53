//! The basis of an answer: a snapshot with the open documents, and the way between places of the protocol
//! and places of the library.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use lsp_types::{
    ClientCapabilities, Location, OneOf, OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use tempo_diagnostics::{Columns, Source, Span};
use tempo_editor::{Edit, FileSpan, Place, Snapshot};

use crate::documents::{Document, offset, position};
use crate::host::Host;
use crate::settings::Settings;
use crate::uri;
use crate::workspace::Scan;

/// The state of the server at one moment. Cheap to clone, never changed.
#[derive(Clone)]
pub struct Context {
    pub host: Arc<dyn Host>,
    pub snapshot: Arc<Snapshot>,
    pub documents: Arc<HashMap<PathBuf, Document>>,
    pub settings: Arc<Settings>,
    pub client: Arc<Client>,
    /// Who imports whom; `None` until the folders were looked at.
    pub scan: Option<Arc<Scan>>,
    /// The folders of the workspace.
    pub folders: Arc<Vec<PathBuf>>,
    /// Ends the work on the request.
    pub cancel: tempo_assembler::Cancel,
    /// The semantic tokens that the client has, by path.
    pub tokens: Tokens,
    /// The cycles that tests took, by path of the suite and id.
    pub tested: Tested,
}

/// Cycles of tests by id, by path of their suite.
pub type Tested = Arc<Mutex<HashMap<String, HashMap<String, u64>>>>;

/// Larger sources are not searched for names.
const MAX_SOURCE: u64 = 4 << 20;

/// Tokens with the number of their answer, by path.
pub type Tokens = Arc<Mutex<HashMap<String, (u64, Vec<lsp_types::SemanticToken>)>>>;

/// The client's capabilities.
#[derive(Debug, Default, Clone)]
pub struct Client {
    pub columns: Columns,
    pub capabilities: ClientCapabilities,
    /// A folder as the client spells it, if that is another way to the folder itself.
    pub folders: Vec<(PathBuf, PathBuf)>,
}

/// Why a request has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The parameters make no sense.
    Parameters(String),
    /// The request is refused, and the user is told why.
    Refused(String),
    /// The text changed while the answer was made.
    Modified,
    /// The run that the answer needs was ended for a newer one; the client asks again.
    Interrupted,
}

pub type Answer<T> = Result<T, Failure>;

impl Context {
    /// The path of a document, as the snapshot names it.
    pub fn path(&self, uri: &Uri) -> Answer<String> {
        let path = path_of(&self.client, &self.documents, uri);
        path.map(|path| path.to_string_lossy().into_owned())
            .ok_or_else(|| Failure::Parameters(format!("{} is not a file and not open", uri.as_str())))
    }

    /// The text of a file.
    pub fn source(&self, path: &str) -> Option<Arc<Source>> {
        if let Some(document) = self.documents.get(Path::new(path)) {
            return Some(document.source.clone());
        }
        self.snapshot.source(path).map(Arc::new)
    }

    /// Path and offset of a position.
    pub fn at(&self, params: &TextDocumentPositionParams) -> Answer<(String, u32)> {
        let path = self.path(&params.text_document.uri)?;
        let offset = self.offset(&path, params.position);
        Ok((path, offset))
    }

    /// The offset of a position in a file; 0 if there is no such file.
    pub fn offset(&self, path: &str, position: lsp_types::Position) -> u32 {
        self.source(path).map_or(0, |source| offset(&source, position, self.client.columns))
    }

    /// A range of the protocol as a span of a file.
    pub fn span(&self, path: &str, range: Range) -> Span {
        let (start, end) = (self.offset(path, range.start), self.offset(path, range.end));
        Span { start, end: end.max(start) }
    }

    /// A span of a text as a range.
    pub fn range(&self, source: &Source, span: Span) -> Range {
        let at = |offset| position(source, offset, self.client.columns);
        Range { start: at(span.start), end: at(span.end) }
    }

    /// The URI of a path: that of the client, if it has the file open.
    pub fn uri(&self, path: &str) -> Option<Uri> {
        let path = Path::new(path);
        if let Some(document) = self.documents.get(path) {
            return Some(document.uri.clone());
        }
        uri::from_path(&self.client.outside(path))
    }

    /// A place of the library as a location.
    pub fn location(&self, place: &FileSpan) -> Option<Location> {
        let source = self.source(&place.file)?;
        Some(Location { uri: self.uri(&place.file)?, range: self.range(&source, place.span) })
    }

    /// Edits as the client can take them.
    pub fn workspace_edit(&self, edits: &[Edit]) -> WorkspaceEdit {
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(&edit.file).or_default().push(edit);
        }
        let mut documents = Vec::new();
        for (path, edits) in by_file {
            let (Some(source), Some(uri)) = (self.source(path), self.uri(path)) else { continue };
            let edits: Vec<TextEdit> = edits.iter().map(|edit| self.text_edit(&source, edit)).collect();
            documents.push((uri, self.version(path), edits));
        }
        let workspace = self.client.capabilities.workspace.as_ref();
        let has_versions = workspace
            .and_then(|workspace| workspace.workspace_edit.as_ref())
            .and_then(|edit| edit.document_changes)
            .unwrap_or(false);
        if has_versions {
            let changes = documents.into_iter().map(|(uri, version, edits)| TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
                edits: edits.into_iter().map(OneOf::Left).collect(),
            });
            let changes = lsp_types::DocumentChanges::Edits(changes.collect());
            return WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() };
        }
        // The key of the protocol's map has a cache inside that does not change what it equals.
        #[allow(clippy::mutable_key_type)]
        let changes = documents.into_iter().map(|(uri, _, edits)| (uri, edits)).collect();
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }

    /// An edit of a text.
    pub fn text_edit(&self, source: &Source, edit: &Edit) -> TextEdit {
        TextEdit { range: self.range(source, edit.span), new_text: edit.text.clone() }
    }

    /// The snapshot with every program that has the declaration of the name at a place.
    pub fn all_importers(&self, place: Place<'_>) -> Snapshot {
        let mut snapshot = (*self.snapshot).clone();
        for declared in tempo_editor::definition(&self.snapshot, place) {
            snapshot = self.with_importers(snapshot, &declared.file);
        }
        snapshot
    }

    /// A snapshot with every program that a file is part of.
    pub fn with_importers(&self, snapshot: Snapshot, file: &str) -> Snapshot {
        let Some(scan) = self.scan.as_ref().filter(|_| self.settings.roots.is_empty()) else {
            return snapshot;
        };
        let mut roots: Vec<String> = snapshot.roots().iter().map(|root| root.path().to_owned()).collect();
        for root in scan.roots_of(Path::new(file)) {
            let root = root.to_string_lossy().into_owned();
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        snapshot.with_roots(roots)
    }

    /// The snapshot with other programs of the workspace, up to a number of them. They are read, not assembled.
    pub fn whole_workspace(&self, most: usize) -> Snapshot {
        let mut roots: Vec<String> =
            self.snapshot.roots().iter().map(|root| root.path().to_owned()).collect();
        for root in self.scan.iter().flat_map(|scan| scan.roots()).take(most) {
            let root = root.to_string_lossy().into_owned();
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        (*self.snapshot).clone().with_roots(roots)
    }

    /// The snapshot with the programs whose sources have a name that a query may mean, up to a number of them. In a large
    /// workspace most sources have none.
    pub fn programs_with(&self, query: &str, most: usize) -> Snapshot {
        let mut roots: Vec<String> =
            self.snapshot.roots().iter().map(|root| root.path().to_owned()).collect();
        let known: HashSet<PathBuf> = (self.snapshot.roots().iter())
            .flat_map(|root| root.parsed().paths().map(PathBuf::from).collect::<Vec<_>>())
            .collect();
        let mut count = 0;
        if let Some(scan) = &self.scan {
            for path in scan.sources.keys().filter(|path| !known.contains(*path)) {
                if self.cancel.is_cancelled() {
                    break;
                }
                let Ok(bytes) = self.host.read(path, MAX_SOURCE) else { continue };
                if !tempo_editor::may_declare(&tempo_assembler::decode(bytes.into()), query) {
                    continue;
                }
                // Alone, or as a part of whatever imports it.
                for root in scan.roots_of(path) {
                    let root = root.to_string_lossy().into_owned();
                    if !roots.contains(&root) {
                        roots.push(root);
                        count += 1;
                    }
                }
                if count >= most {
                    break;
                }
            }
        }
        (*self.snapshot).clone().with_roots(roots)
    }

    /// The version of an open document.
    pub fn version(&self, path: &str) -> Option<i32> {
        self.documents.get(Path::new(path)).map(|document| document.version)
    }
}

/// The path of a file, or that of an open document without one.
pub fn path_of(client: &Client, documents: &HashMap<PathBuf, Document>, uri: &Uri) -> Option<PathBuf> {
    match uri::to_path(uri) {
        Some(path) => Some(client.inside(&path)),
        None => documents.iter().find(|(_, document)| document.uri == *uri).map(|(path, _)| path.clone()),
    }
}

/// A place of the library, from the result of [`Context::at`].
pub fn place(at: &(String, u32)) -> Place<'_> {
    Place { file: &at.0, offset: at.1 }
}

impl Client {
    /// The path that the files have for a path of the client.
    pub fn inside(&self, path: &Path) -> PathBuf {
        let moved = |(own, real): &(PathBuf, PathBuf)| Some(real.join(path.strip_prefix(own).ok()?));
        let path = self.folders.iter().find_map(moved).unwrap_or_else(|| path.to_owned());
        tempo_assembler::search::clean(&path)
    }

    /// The path that the client has for a path of the files.
    pub fn outside(&self, path: &Path) -> PathBuf {
        let moved = |(own, real): &(PathBuf, PathBuf)| Some(own.join(path.strip_prefix(real).ok()?));
        self.folders.iter().find_map(moved).unwrap_or_else(|| path.to_owned())
    }
}
