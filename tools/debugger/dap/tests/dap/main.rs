//! The adapter as a client sees it, in one program.

mod clients;
mod common;
mod console;
mod features;
mod protocol;
mod sessions;
mod vice;
