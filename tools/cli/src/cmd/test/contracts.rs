//! Limits on raster time in the sources of the programs that suites assemble: `// tempo: frame <= 12000`. Each program that
//! states one runs on its computer, as `tempo raster` does it.

use std::collections::BTreeSet;

use tempo_emu::System;
use tempo_harness::assemble::Assembled;
use tempo_harness::check::AssemblyCache;
use tempo_harness::report::Format;
use tempo_host::{Exit, output};
use tempo_machine_commands::raster::{FIRST, FRAMES, Stated, json, measure_prg};
use tempo_source_commands::project::Project;

use super::Args;

/// Checks all limits; those that are exceeded are said.
pub fn check(args: &Args, project: &Project, programs: &AssemblyCache) -> Exit {
    let mut exit = Exit::Fine;
    let mut seen = BTreeSet::new();
    let mut kept = 0;
    let system = match project.system() {
        system if project.is_there() && system.is_whole() => system,
        _ => System::C64Pal,
    };
    for program in programs.all().iter().filter_map(|program| program.as_ref().as_ref().ok()) {
        let mut stated = Stated::of(program.commented.iter());
        // A limit of a file that several programs import is one of the first that can run.
        stated.retain(|stated| !seen.contains(&(stated.file.clone(), stated.line)));
        // Parts of a program that suites load by themselves are not started.
        let Some(prg) = image(program).filter(|_| !stated.is_empty()) else { continue };
        let measured = measure_prg(&prg, system, FIRST, FRAMES);
        for stated in stated {
            seen.insert((stated.file.clone(), stated.line));
            let verdict = measured.as_ref().map_err(Clone::clone);
            let verdict = verdict.and_then(|measured| stated.judge(measured, &program.symbols));
            if args.format == Format::Json {
                let mut value = json(&stated, &verdict);
                value["event"] = "contract".into();
                output::say(&format!("{value}\n"));
            }
            match stated.fault(&verdict) {
                Some(fault) => {
                    stated.complain(&fault);
                    exit = Exit::Failed;
                }
                None => kept += 1,
            }
        }
    }
    if kept > 0 && args.format == Format::Human {
        let plural = tempo_diagnostics::plural(kept, "limit");
        output::say(&format!("{plural} on raster time kept in frames {FIRST} to {}\n", FIRST + FRAMES - 1));
    }
    exit
}

/// The program as a file, if it begins with a BASIC line that starts it.
fn image(program: &Assembled) -> Option<Vec<u8>> {
    const BASIC_START: i64 = 0x0801;
    let end = program.blocks.iter().map(|(start, bytes)| start + bytes.len() as i64).max()?;
    let is_inside = program.blocks.iter().all(|(start, _)| *start >= BASIC_START) && end <= 0x10000;
    if !is_inside {
        return None;
    }
    let mut prg = vec![0; (end - BASIC_START) as usize + 2];
    prg[..2].copy_from_slice(&(BASIC_START as u16).to_le_bytes());
    for (start, bytes) in &program.blocks {
        let at = (start - BASIC_START) as usize + 2;
        prg[at..at + bytes.len()].copy_from_slice(bytes);
    }
    tempo_emu::c64::sys(&prg[2..]).is_some().then_some(prg)
}
