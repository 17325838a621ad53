//! The files of the page: its text, the machine, and the chess program as it is assembled now.

use std::sync::Arc;

use tempo_bridge::Program;

use super::server::Site;

include!(concat!(env!("OUT_DIR"), "/machine.rs"));

/// Why there may be no page.
pub const MISSING: &str = "this tempo was built without the page's machine; \
    `rustup target add wasm32-unknown-unknown && make` builds both";

/// Whether the machine of the page is in this program.
pub fn is_built() -> bool {
    MACHINE.is_some()
}

/// The machine of the page as WebAssembly, if this program was built with it.
pub fn machine() -> Option<&'static [u8]> {
    MACHINE
}

/// A file as it is served.
#[derive(Debug, Clone)]
pub struct File {
    /// The path in the address.
    pub path: &'static str,
    /// Its kind, for the browser.
    pub kind: &'static str,
    /// Its contents.
    pub bytes: Arc<[u8]>,
}

/// Everything the page needs.
pub struct Page {
    /// In no order; the one at `/` is the page itself.
    pub files: Vec<File>,
}

impl Page {
    /// Puts the files together.
    pub fn assemble() -> Result<Page, String> {
        let machine = MACHINE.ok_or(MISSING)?;
        let program = Program::files().map_err(|err| err.to_string())?;
        let file = |path, kind, bytes: &[u8]| File { path, kind, bytes: bytes.into() };
        Ok(Page {
            files: vec![
                file(
                    "/",
                    "text/html; charset=utf-8",
                    include_bytes!("../../../../../machine/web/page/index.html"),
                ),
                file(
                    "/index.html",
                    "text/html; charset=utf-8",
                    include_bytes!("../../../../../machine/web/page/index.html"),
                ),
                file(
                    "/tempo.css",
                    "text/css; charset=utf-8",
                    include_bytes!("../../../../../machine/web/page/tempo.css"),
                ),
                file(
                    "/tempo.js",
                    "text/javascript; charset=utf-8",
                    include_bytes!("../../../../../machine/web/page/tempo.js"),
                ),
                file("/tempo.wasm", "application/wasm", machine),
                file("/chess.prg", "application/octet-stream", &program.prg),
                file("/chess.sym", "text/plain; charset=utf-8", program.symbols.as_bytes()),
            ],
        })
    }
}

impl Site for Page {
    fn find(&self, path: &str, _query: &str) -> Option<File> {
        self.files.iter().find(|file| file.path == path).cloned()
    }
}
