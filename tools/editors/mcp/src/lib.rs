#![doc = include_str!("../README.md")]

mod answer;
pub mod book;
mod host;
mod prompts;
mod protocol;
mod resources;
mod schema;
mod server;
mod sessions;
mod sources;
mod tools;

pub use host::{Host, Token, inside};
pub use protocol::Request;
pub use server::{Call, MOST_MESSAGE, Server, Step};
pub use tools::Lane;
