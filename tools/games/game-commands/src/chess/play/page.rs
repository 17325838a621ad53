//! The files of the page: its text, the machine, and the chess program as it is assembled now.

use tempo_bridge::Program;

include!(concat!(env!("OUT_DIR"), "/machine.rs"));

/// Why there may be no page.
pub const MISSING: &str = "this tempo was built without the page's machine; \
    `rustup target add wasm32-unknown-unknown && make` builds both";

/// Whether the machine of the page is in this program.
pub fn is_built() -> bool {
    MACHINE.is_some()
}

/// A file as it is served.
pub struct File {
    /// The path in the address.
    pub path: &'static str,
    /// Its kind, for the browser.
    pub kind: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
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
        let file = |path, kind, bytes: &[u8]| File { path, kind, bytes: bytes.to_vec() };
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

    /// The file at a path, spelled exactly so.
    pub fn find(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }
}
