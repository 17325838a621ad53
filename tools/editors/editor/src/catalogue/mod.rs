//! What people look up: instructions and functions of the library. Data only.

pub mod functions;
pub mod instructions;
