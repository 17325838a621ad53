//! The profile format of callgrind, for KCachegrind, QCachegrind and `callgrind_annotate`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::{At, Part};
use crate::events::Event;

/// A routine's costs as the format lists them.
#[derive(Default)]
struct Function {
    /// By file and line.
    own: BTreeMap<(String, u32), u64>,
    /// Number and cycles.
    calls: BTreeMap<Site, (u64, u64)>,
}

/// File and line of a call, and file, line and name of what is called.
type Site = (String, u32, String, u32, String);

/// The profile of a run with [`crate::run::RunOptions::meter`] on. `command` is what was measured.
pub fn callgrind(events: &[Event], command: &str) -> String {
    let mut functions: BTreeMap<(String, String), Function> = BTreeMap::new();
    let mut total = 0;
    for event in events {
        let Event::Meter(report) = event else { continue };
        for (place, meter) in &report.parts {
            let part = Part { place, meter, cpu: report.cpu };
            let of = |address: u16| (file(part.at(address)).0, part.name(address));
            for (&(routine, address), spent) in &meter.spent {
                total += spent.cycles;
                let own = &mut functions.entry(of(routine)).or_default().own;
                *own.entry(file(part.at(address))).or_default() += spent.cycles;
            }
            for (&(caller, from, callee), called) in &meter.called {
                let ((from_file, from_line), (to_file, to_line)) =
                    (file(part.at(from)), file(part.at(callee)));
                let key = (from_file, from_line, to_file, to_line, part.name(callee));
                let sum = functions.entry(of(caller)).or_default().calls.entry(key).or_default();
                sum.0 += called.count;
                sum.1 += called.cycles;
            }
        }
    }
    let mut out = format!(
        "# callgrind format\nversion: 1\ncreator: tempo\ncmd: {}\npositions: line\nevents: Cycles\nsummary: {total}\n\n",
        one_line(command)
    );
    let (mut files, mut names) = (Numbers::default(), Numbers::default());
    for ((path, name), function) in &functions {
        let _ = writeln!(out, "fl={}\nfn={}", files.of(path), names.of(name));
        let mut here: &str = path;
        for ((at, line), cycles) in &function.own {
            switch(&mut out, &mut here, at, path, &mut files);
            let _ = writeln!(out, "{line} {cycles}");
        }
        for ((at, line, to, to_line, callee), (count, cycles)) in &function.calls {
            switch(&mut out, &mut here, at, path, &mut files);
            let _ = writeln!(
                out,
                "cfi={}\ncfn={}\ncalls={count} {to_line}\n{line} {cycles}",
                files.of(to),
                names.of(callee)
            );
        }
        out.push('\n');
    }
    let _ = writeln!(out, "totals: {total}");
    out
}

/// The lines that follow are of another file: a macro's, or the routine's own again.
fn switch<'a>(out: &mut String, here: &mut &'a str, at: &'a str, own: &str, files: &mut Numbers) {
    if *here != at {
        let word = if at == own { "fe" } else { "fi" };
        let _ = writeln!(out, "{word}={}", files.of(at));
        *here = at;
    }
}

/// The file and line of a place; `???` is the format's word for no source.
fn file(at: At) -> (String, u32) {
    if at.file.is_empty() { ("???".to_string(), 0) } else { (at.file, at.line) }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Names are written once and then known by their number.
#[derive(Default)]
struct Numbers(HashMap<String, usize>);

impl Numbers {
    fn of(&mut self, name: &str) -> String {
        if let Some(number) = self.0.get(name) {
            return format!("({number})");
        }
        let number = self.0.len() + 1;
        self.0.insert(name.to_string(), number);
        format!("({number}) {}", one_line(name))
    }
}
