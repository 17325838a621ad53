//! Saved machines as files.

use std::path::Path;

use tempo_emu::StateError;
use tempo_host::files;

/// The largest saved machine: one with 16 MB of RAM expansion.
const LIMIT: u64 = 32 << 20;

/// Reads the file of `--load-state` and makes the machine of it.
pub fn load<M>(path: &Path, restore: impl FnOnce(&[u8]) -> Result<M, StateError>) -> Result<M, String> {
    let shown = path.display();
    let bytes = files::read_limited(path, LIMIT)
        .map_err(|err| format!("--load-state: cannot read {shown}: {err}"))?;
    restore(&bytes).map_err(|err| match err {
        StateError::Other { found, .. } => format!("--load-state {shown}: {err}; use --system {found}"),
        _ => format!("--load-state {shown}: {err}"),
    })
}
