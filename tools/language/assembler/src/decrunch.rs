//! The depackers of this crate's `asm/decrunch`, which sources import as `<tempo/decrunch/zx0.asm>`.

use std::sync::Arc;

use crate::files::Loaded;

/// The prefix of these names.
const FOLDER: &str = "<tempo/decrunch/";

/// Every depacker: the name of its file and its source.
pub const DEPACKERS: &[(&str, &str)] = &[
    ("b2.asm", include_str!("../asm/decrunch/b2.asm")),
    ("byteboozer.asm", include_str!("../asm/decrunch/byteboozer.asm")),
    ("exomizer.asm", include_str!("../asm/decrunch/exomizer.asm")),
    ("tscrunch.asm", include_str!("../asm/decrunch/tscrunch.asm")),
    ("zx0.asm", include_str!("../asm/decrunch/zx0.asm")),
];

/// The names that sources import them by.
pub fn names() -> Vec<String> {
    DEPACKERS.iter().map(|(file, _)| format!("{FOLDER}{file}>")).collect()
}

/// The file of a name in angle brackets.
pub(crate) fn built_in(name: &str) -> Option<Loaded> {
    let file = name.strip_prefix(FOLDER)?.strip_suffix('>')?;
    let bytes = Arc::new(source(file)?.as_bytes().to_vec());
    Some(Loaded { path: name.to_owned(), identity: None, shown: None, bytes })
}

/// The source of a file.
pub fn source(file: &str) -> Option<&'static str> {
    DEPACKERS.iter().find(|(name, _)| *name == file).map(|(_, source)| *source)
}
