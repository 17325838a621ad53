//! The routines and claims of `tests/prove`.

#![allow(clippy::disallowed_methods, dead_code)] // tests read their fixtures, and each uses a part

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempo_assembler::{DiskFiles, Options, assemble};
use tempo_prove::{Asked, AskedClaim, Limits, Program, Question};

#[derive(Deserialize)]
pub struct File {
    pub claim: Vec<Claim>,
}

#[derive(Deserialize)]
pub struct Claim {
    pub id: String,
    pub kind: String,
    pub routine: Option<String>,
    pub pair: Option<Vec<String>>,
    #[serde(default, rename = "in")]
    pub inputs: Vec<String>,
    #[serde(default)]
    pub given: Vec<String>,
    #[serde(default, rename = "let")]
    pub lets: Vec<String>,
    pub claim: Option<String>,
    #[serde(default)]
    pub observe: Vec<String>,
    pub system: Option<String>,
    pub verdict: String,
    pub level: String,
    pub example: Option<BTreeMap<String, u64>>,
    pub failing: Option<u64>,
    pub cycles: Option<Bounds>,
}

#[derive(Deserialize)]
pub struct Bounds {
    pub min: u64,
    pub max: u64,
}

/// A folder of fixtures and its claims.
pub fn folders() -> Vec<(PathBuf, String, Vec<Claim>)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/prove");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(&root).expect("the fixtures").map(|it| it.expect("an entry").path()).collect();
    folders.sort();
    let read = |folder: PathBuf| {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.join(format!("{name}.claims"))).expect("claims");
        let file: File = toml::from_str(&text).expect("TOML");
        (folder, name, file.claim)
    };
    folders.into_iter().filter(|folder| folder.is_dir()).map(read).collect()
}

#[derive(Clone)]
pub struct Assembled {
    pub start: u16,
    pub bytes: Vec<u8>,
    symbols: std::collections::HashMap<String, u16>,
}

fn assembled(folder: &Path, file: &str) -> Assembled {
    let output = assemble(&DiskFiles::new(folder), file, &Options::default());
    let errors: Vec<_> = output.diagnostics.iter().filter(|it| it.is_error()).collect();
    assert!(errors.is_empty(), "{file}: {errors:?}");
    let prg = output.prg().expect("a program");
    let start = u16::from_le_bytes([prg[0], prg[1]]);
    let mut text = std::fs::read_to_string(folder.join(file)).expect("the source");
    text.retain(|c| c != '\r');
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let symbols =
        words.filter_map(|word| Some((word.to_string(), u16::try_from(output.symbol(word)?).ok()?)));
    Assembled { start, bytes: prg[2..].to_vec(), symbols: symbols.collect() }
}

impl Claim {
    /// The programs of its routines, with the label of each.
    pub fn programs(&self, folder: &Path, name: &str) -> Vec<(Assembled, String)> {
        let routines = self.pair.clone().unwrap_or_else(|| self.routine.clone().into_iter().collect());
        let split = |routine: &str| match routine.split_once(':') {
            Some((file, label)) => (file.to_string(), label.to_string()),
            None => (format!("{name}.asm"), routine.to_string()),
        };
        let part = |routine: &String| {
            let (file, label) = split(routine);
            (assembled(folder, &file), label)
        };
        routines.iter().map(part).collect()
    }

    /// Whether it is about the 6502.
    pub fn is_plain(&self) -> bool {
        self.system.as_deref().is_none_or(|system| system == "generic_6502")
    }

    /// The claim as a question.
    pub fn question(&self, parts: &[(Assembled, String)], limits: &Limits) -> Result<Question, String> {
        let lookups: Vec<_> =
            parts.iter().map(|(part, _)| |name: &str| part.symbols.get(name).copied()).collect();
        let programs: Vec<Program<'_>> = parts
            .iter()
            .zip(&lookups)
            .map(|((part, _), label)| Program { bytes: vec![(part.start, &part.bytes[..])], label })
            .collect();
        let named: Vec<(&Program<'_>, &str)> =
            programs.iter().zip(parts).map(|(it, (_, label))| (it, &label[..])).collect();
        let asked = Asked {
            inputs: self.inputs.clone(),
            given: self.given.clone(),
            lets: self.lets.clone(),
            assume: Vec::new(),
            claim: match self.kind.as_str() {
                "holds" => AskedClaim::Holds(self.claim.clone().expect("a claim")),
                "ends" => AskedClaim::Ends,
                "equal" => AskedClaim::Equal(self.observe.clone()),
                _ => AskedClaim::Cycles,
            },
        };
        Question::new(&named, &asked, limits).map_err(|err| err.to_string())
    }
}
