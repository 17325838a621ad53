#![doc = include_str!("../README.md")]

// Text to tree.
pub mod ast;
pub mod diag;
pub mod lexer;
pub mod parse;
pub mod words;

// Tree to values.
pub mod condition;
pub mod eval;
pub mod resolve;

pub use condition::Condition;
pub use eval::{Scope, eval, fold};
pub use resolve::{Expr, Form, Kind, Resolver, Variable, resolve};
