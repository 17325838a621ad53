//! What people look up: instructions, functions of the library, addresses of the C64. Data only.

pub mod c64;
pub mod functions;
pub mod instructions;
