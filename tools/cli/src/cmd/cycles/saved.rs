//! Files of `--save`: measured calls, or bounds that were worked out.

use std::path::{Path, PathBuf};

use tempo_harness::measure::{Asked, Bound, Measurement};
use tempo_host::files::read_limited;

/// Baselines larger than this are something else.
const FILE_LIMIT: u64 = 64 << 20;

/// An earlier result.
pub enum Saved {
    Calls(Measurement),
    Bounds(Vec<Bound>),
}

/// An earlier result and where it was read.
pub struct Baseline {
    pub path: PathBuf,
    pub saved: Saved,
}

impl Baseline {
    /// The error is ready to be shown.
    pub fn read(path: &Path) -> Result<Baseline, String> {
        let bytes =
            read_limited(path, FILE_LIMIT).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
        let fail = |err: serde_json::Error| format!("{}: not a file of --save: {err}", path.display());
        let mut value: serde_json::Value = serde_json::from_slice(&bytes).map_err(fail)?;
        let saved = match value.get_mut("bounds") {
            Some(bounds) => Saved::Bounds(serde_json::from_value(bounds.take()).map_err(fail)?),
            None => Saved::Calls(serde_json::from_value(value).map_err(fail)?),
        };
        Ok(Baseline { path: path.to_path_buf(), saved })
    }

    /// Whether it was made from the same command line. `Ok` has what is worth a warning, `Err` what forbids to compare.
    pub fn agree(&self, now: &Asked) -> Result<Option<String>, String> {
        let Saved::Calls(Measurement { asked: Some(before), .. }) = &self.saved else { return Ok(None) };
        let shown = self.path.display();
        let squeezed = |texts: &[String]| -> Vec<String> {
            texts.iter().map(|text| text.split_whitespace().collect::<String>()).collect()
        };
        let list = |texts: &[String]| match texts {
            [] => "no input".to_string(),
            texts => texts.iter().map(|text| format!("--with \"{text}\"")).collect::<Vec<_>>().join(" "),
        };
        if squeezed(&before.with) != squeezed(&now.with) {
            return Err(format!(
                "{shown} was saved with {}, and this is {}: other inputs, other cycles",
                list(&before.with),
                list(&now.with)
            ));
        }
        let differs = match (before.system == now.system, before.stubs == now.stubs) {
            (true, true) => return Ok(None),
            (false, _) => format!("on another machine: --system {}", before.system),
            (true, false) => {
                let stubs: Vec<String> = before.stubs.iter().map(|stub| format!("--stub '{stub}'")).collect();
                format!(
                    "with other stubs: {}",
                    if stubs.is_empty() { "none".to_string() } else { stubs.join(" ") }
                )
            }
        };
        Ok(Some(format!("{shown} was saved {differs}")))
    }
}
