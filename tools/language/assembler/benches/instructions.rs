//! Instructions that the script programs (`scripts/`) and the generated ones take, counted by valgrind, and the limit of
//! each. `cargo bench -p tempo-assembler --bench instructions` prints the table and fails if a program is above its
//! limit; with a name it measures the programs whose name contains it. Needs valgrind. The generated programs are assembled
//! with warnings, too, which may not cost more than [`WARNINGS`] allows.
//!
//! The program starts itself under valgrind for each line of the table: `instructions --assemble SOURCE` assembles once,
//! `instructions --warn SOURCE` with all warnings.

#[path = "programs.rs"]
mod programs;

use std::process::{Command, ExitCode};

use programs::{Kind, program};
use tempo_assembler::{DiskFiles, Lints, Options};

/// As many lines as the programs that other assemblers are timed with.
const LINES: usize = 25_000;

/// Programs with the most that they may take, in millions of instructions. None of the scripts may take more than 150.
const LIMITS: [(&str, f64); 10] = [
    ("charset", 150.0),
    ("dither", 150.0),
    ("histogram", 150.0),
    ("packer", 150.0),
    ("ramp", 150.0),
    ("speedcode", 150.0),
    ("structs", 150.0),
    ("plain", 32.0),
    ("script", 320.0),
    ("macro", 92.0),
];

/// The most that a run with warnings may take of one without.
const WARNINGS: f64 = 1.3;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, source] = words.as_slice() {
        match word.as_str() {
            "--assemble" => return assemble(source, Lints::default()),
            "--warn" => return assemble(source, Lints::all()),
            _ => {}
        }
    }
    // Cargo adds `--bench`.
    let wanted = words.iter().find(|word| !word.starts_with('-'));
    let mut is_fine = true;
    for (name, limit) in LIMITS {
        if wanted.is_some_and(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let is_generated = Kind::ALL.into_iter().any(|kind| kind.name() == name);
        let counts = count(name, "--assemble").and_then(|count| {
            let warned = is_generated.then(|| self::count(name, "--warn")).transpose()?;
            Ok((count, warned))
        });
        match counts {
            Ok((count, warned)) => {
                let millions = count as f64 / 1e6;
                let mark = if millions > limit { "  too many" } else { "" };
                println!("{name:<10} {millions:>7.1} M, limit {limit:.0} M{mark}");
                is_fine &= millions <= limit;
                if let Some(warned) = warned {
                    let ratio = warned as f64 / count as f64;
                    let mark = if ratio > WARNINGS { "  too many" } else { "" };
                    println!("{:<10} {ratio:>7.2} times that with warnings, limit {WARNINGS}{mark}", "");
                    is_fine &= ratio <= WARNINGS;
                }
            }
            Err(problem) => {
                eprintln!("{name}: {problem}");
                return ExitCode::from(2);
            }
        }
    }
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Assembles a source once.
fn assemble(source: &str, lints: Lints) -> ExitCode {
    let options = Options { source_map: false, symbols: false, lints, ..Options::default() };
    let output = tempo_assembler::assemble(&DiskFiles::default(), source, &options);
    match output.diagnostics.first() {
        Some(first) if output.has_errors() => {
            eprintln!("{first:?}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// The source of a program; one that is generated is written first.
#[allow(clippy::disallowed_methods)] // a bench writes files
fn source(name: &str) -> Result<String, String> {
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == name) else {
        return Ok(format!("{}/benches/scripts/{name}.asm", env!("CARGO_MANIFEST_DIR")));
    };
    let source = format!("{}/{name}.asm", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&source, program(kind, LINES)).map_err(|error| format!("{source}: {error}"))?;
    Ok(source)
}

/// The instructions of assembling a program once in one of the two ways, those of starting and ending the process included.
fn count(name: &str, way: &str) -> Result<u64, String> {
    let source = source(name)?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args([way, &source])
        .output()
        .map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(text.into_owned());
    }
    let counted = text.lines().find_map(|line| line.split_once("Collected :"));
    counted.and_then(|(_, count)| count.trim().parse().ok()).ok_or_else(|| text.into_owned())
}
