//! Where bytes go: segments and their memory blocks, and how blocks become one run of bytes.

pub(crate) mod image;
pub(crate) mod memory;
pub(crate) mod segment_out;
