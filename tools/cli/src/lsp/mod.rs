//! `tempo lsp`: the language server. One thread reads messages and keeps the state; everything that takes time runs on
//! workers that hold an immutable snapshot. What is asked and answered is in `editor`; here are the protocol, the
//! files and the clock.

mod context;
mod dispatch;
mod documents;
mod files;
mod initialize;
mod pool;
mod publish;
mod requests;
mod server;
mod settings;
mod sync;
#[cfg(test)]
mod tests;
mod transport;
mod uri;
mod workspace;

use std::io::Write;
use std::path::Path;

pub use server::serve;
pub use transport::connect;

/// Sends the messages of panics to a file. They are answered as internal errors in any case.
pub fn log_to(path: &Path) -> Result<(), String> {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let file = std::sync::Mutex::new(file.map_err(|error| format!("{}: {error}", path.display()))?);
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(mut file) = file.lock() {
            let _ = writeln!(file, "{panic}\n{}", std::backtrace::Backtrace::force_capture());
        }
    }));
    Ok(())
}
