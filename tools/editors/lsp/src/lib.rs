//! The language server. One thread reads messages and keeps the state; everything that takes time runs on workers that
//! hold an immutable snapshot. What is asked and answered is in `editor`; here are the protocol and the workspace. Files,
//! clock and processes come through a [`Host`], messages through a [`lsp_server::Connection`].

mod context;
mod dispatch;
mod documents;
mod files;
mod host;
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

pub use host::{Entry, Host, Kind, Stamp};
pub use server::{End, serve};
pub use transport::connect;
