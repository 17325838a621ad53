//! The old name of `testing`, for the runners that have not moved beside what they test yet.

pub use testing::*;
