//! Coverage of the assembly source: LCOV for tools, a page for people.

use std::collections::BTreeMap;

use crate::events::{Event, FileCoverage, FunctionCoverage, LineCoverage};

/// All suites' coverage, file by file.
pub fn merge_coverage(events: &[Event]) -> Vec<FileCoverage> {
    type Sum = (Vec<String>, BTreeMap<u32, LineCoverage>, BTreeMap<(u32, String), u64>);
    let mut files: BTreeMap<String, Sum> = BTreeMap::new();
    for event in events {
        let Event::Coverage(report) = event else { continue };
        for file in &report.files {
            let (text, lines, functions) = files.entry(file.path.clone()).or_default();
            if text.is_empty() {
                text.clone_from(&file.text);
            }
            for function in &file.functions {
                *functions.entry((function.line, function.name.clone())).or_default() += function.hits;
            }
            for line in &file.lines {
                let sum = lines
                    .entry(line.line)
                    .or_insert_with(|| LineCoverage { line: line.line, ..Default::default() });
                sum.hits += line.hits;
                for &(column, taken, passed) in &line.branches {
                    match sum.branches.iter_mut().find(|(known, ..)| *known == column) {
                        Some((_, t, p)) => {
                            *t += taken;
                            *p += passed;
                        }
                        None => sum.branches.push((column, taken, passed)),
                    }
                }
            }
        }
    }
    files
        .into_iter()
        .map(|(path, (text, lines, functions))| {
            let function = |((line, name), hits)| FunctionCoverage { name, line, hits };
            let functions = functions.into_iter().map(function).collect();
            FileCoverage { path, text, lines: lines.into_values().collect(), functions }
        })
        .collect()
}

/// The tracefile `lcov` and `genhtml` read.
pub fn lcov(files: &[FileCoverage]) -> String {
    let mut out = String::new();
    for file in files {
        out.push_str(&format!("TN:\nSF:{}\n", file.path));
        for function in &file.functions {
            out.push_str(&format!("FN:{},{}\n", function.line, function.name));
        }
        for function in &file.functions {
            out.push_str(&format!("FNDA:{},{}\n", function.hits, function.name));
        }
        let called = file.functions.iter().filter(|function| function.hits > 0).count();
        out.push_str(&format!("FNF:{}\nFNH:{called}\n", file.functions.len()));
        let (mut branches, mut taken) = (0, 0);
        for line in &file.lines {
            for (block, &(_, jumps, passes)) in line.branches.iter().enumerate() {
                for (branch, count) in [jumps, passes].into_iter().enumerate() {
                    // A dash is for a branch whose line never ran.
                    let count_text = if line.hits == 0 { "-".to_string() } else { count.to_string() };
                    out.push_str(&format!("BRDA:{},{block},{branch},{count_text}\n", line.line));
                    branches += 1;
                    taken += usize::from(count > 0);
                }
            }
        }
        out.push_str(&format!("BRF:{branches}\nBRH:{taken}\n"));
        for line in &file.lines {
            out.push_str(&format!("DA:{},{}\n", line.line, line.hits));
        }
        let hit = file.lines.iter().filter(|line| line.hits > 0).count();
        out.push_str(&format!("LF:{}\nLH:{hit}\nend_of_record\n", file.lines.len()));
    }
    out
}

/// The report that Cobertura began and most CI services read. Paths are relative to `root`.
pub fn cobertura(files: &[FileCoverage], root: &str) -> String {
    let all = Rates::of(files);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" complexity=\"0\" version=\"1\" timestamp=\"0\">\n<sources><source>{}</source></sources>\n<packages>\n<package name=\"\" {} complexity=\"0\">\n<classes>\n",
        all.attributes(),
        all.lines.0,
        all.lines.1,
        all.branches.0,
        all.branches.1,
        escape(root),
        all.attributes(),
    );
    for file in files {
        let rates = Rates::of(std::slice::from_ref(file));
        let path = escape(&file.path);
        out.push_str(&format!(
            "<class name=\"{path}\" filename=\"{path}\" {} complexity=\"0\">\n<methods>\n",
            rates.attributes()
        ));
        for function in &file.functions {
            let rate = u8::from(function.hits > 0);
            out.push_str(&format!(
                "<method name=\"{}\" signature=\"()\" line-rate=\"{rate}\" branch-rate=\"1\" complexity=\"0\"><lines><line number=\"{}\" hits=\"{}\"/></lines></method>\n",
                escape(&function.name),
                function.line,
                function.hits
            ));
        }
        out.push_str("</methods>\n<lines>\n");
        for line in &file.lines {
            let ways: Vec<u64> = line.branches.iter().flat_map(|&(_, taken, not)| [taken, not]).collect();
            let covered = ways.iter().filter(|&&count| count > 0).count();
            let branch = match ways.len() {
                0 => "branch=\"false\"".to_string(),
                all => format!(
                    "branch=\"true\" condition-coverage=\"{}% ({covered}/{all})\"",
                    covered * 100 / all
                ),
            };
            out.push_str(&format!("<line number=\"{}\" hits=\"{}\" {branch}/>\n", line.line, line.hits));
        }
        out.push_str("</lines>\n</class>\n");
    }
    out.push_str("</classes>\n</package>\n</packages>\n</coverage>\n");
    out
}

/// Covered ones and all.
#[derive(Default)]
struct Rates {
    lines: (usize, usize),
    branches: (usize, usize),
}

impl Rates {
    fn of(files: &[FileCoverage]) -> Rates {
        let mut rates = Rates::default();
        for line in files.iter().flat_map(|file| &file.lines) {
            rates.lines.0 += usize::from(line.hits > 0);
            rates.lines.1 += 1;
            for count in line.branches.iter().flat_map(|&(_, taken, not)| [taken, not]) {
                rates.branches.0 += usize::from(count > 0);
                rates.branches.1 += 1;
            }
        }
        rates
    }

    fn attributes(&self) -> String {
        let rate = |(part, all): (usize, usize)| if all == 0 { 1.0 } else { part as f64 / all as f64 };
        format!("line-rate=\"{:.4}\" branch-rate=\"{:.4}\"", rate(self.lines), rate(self.branches))
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_string() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

const STYLE: &str = "body{font:15px system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse}td,th{padding:.15rem .8rem;text-align:right}td:first-child,th:first-child{text-align:left}\
pre{margin:0;font:13px/1.45 ui-monospace,monospace}details{margin:1rem 0;border:1px solid #ccc;border-radius:4px}\
summary{cursor:pointer;padding:.5rem .8rem;font-weight:600}.l{display:flex}.n{width:4rem;text-align:right;color:#888;padding-right:1rem}\
.h{width:6rem;text-align:right;padding-right:1rem;color:#555}.b{width:5rem;color:#a50}.y{background:#e6f6e6}.x{background:#fbe3e3}.p{background:#fff5d6}\
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}.y{background:#173317}.x{background:#471c1c}.p{background:#433a14}.b{color:#e8a85a}}";

/// One page with every file; opens in any browser, needs nothing else.
pub fn html(files: &[FileCoverage]) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage</title><style>{STYLE}</style></head><body><h1>Coverage</h1>\n<table><tr><th>file</th><th>lines</th><th></th><th>branches</th><th></th></tr>\n"
    );
    let sums = |file: &FileCoverage| {
        let hit = file.lines.iter().filter(|line| line.hits > 0).count();
        let ways: Vec<u64> =
            file.lines.iter().flat_map(|l| &l.branches).flat_map(|&(_, t, p)| [t, p]).collect();
        (hit, file.lines.len(), ways.iter().filter(|&&count| count > 0).count(), ways.len())
    };
    let mut all = (0, 0, 0, 0);
    for file in files {
        let (hit, lines, taken, branches) = sums(file);
        all = (all.0 + hit, all.1 + lines, all.2 + taken, all.3 + branches);
        out.push_str(&format!(
            "<tr><td>{}</td><td>{hit}/{lines}</td><td>{}</td><td>{taken}/{branches}</td><td>{}</td></tr>\n",
            escape(&file.path),
            percent(hit, lines),
            percent(taken, branches)
        ));
    }
    out.push_str(&format!(
        "<tr><th>all</th><th>{}/{}</th><th>{}</th><th>{}/{}</th><th>{}</th></tr></table>\n",
        all.0,
        all.1,
        percent(all.0, all.1),
        all.2,
        all.3,
        percent(all.2, all.3)
    ));
    for file in files {
        let by_line: BTreeMap<u32, &LineCoverage> = file.lines.iter().map(|line| (line.line, line)).collect();
        out.push_str(&format!("<details open><summary>{}</summary><pre>", escape(&file.path)));
        for (index, text) in file.text.iter().enumerate() {
            let number = index as u32 + 1;
            let (class, hits, branches) = match by_line.get(&number) {
                None => ("", String::new(), String::new()),
                Some(line) => {
                    let partly = line.branches.iter().any(|&(_, t, p)| (t == 0) != (p == 0));
                    let class = if line.hits == 0 {
                        "x"
                    } else if partly {
                        "p"
                    } else {
                        "y"
                    };
                    let ways: Vec<String> =
                        line.branches.iter().map(|&(_, t, p)| format!("{t}/{p}")).collect();
                    (class, line.hits.to_string(), ways.join(" "))
                }
            };
            out.push_str(&format!(
                "<span class=\"l {class}\"><span class=\"n\">{number}</span><span class=\"h\">{hits}</span><span class=\"b\">{branches}</span><span>{}</span></span>",
                escape(text)
            ));
        }
        out.push_str("</pre></details>\n");
    }
    out.push_str("</body></html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn file() -> FileCoverage {
        FileCoverage {
            path: "a.asm".into(),
            text: vec![],
            functions: vec![FunctionCoverage { name: "Sum".into(), line: 3, hits: 4 }],
            lines: vec![
                LineCoverage { line: 3, hits: 4, branches: vec![(9, 3, 1)] },
                LineCoverage { line: 5, hits: 0, branches: vec![(9, 0, 0)] },
            ],
        }
    }

    #[test]
    fn lcov_counts_lines_and_both_ways_of_branches() {
        let file = file();
        assert_eq!(
            lcov(&[file]),
            "TN:\nSF:a.asm\nFN:3,Sum\nFNDA:4,Sum\nFNF:1\nFNH:1\nBRDA:3,0,0,3\nBRDA:3,0,1,1\nBRDA:5,0,0,-\nBRDA:5,0,1,-\nBRF:4\nBRH:2\nDA:3,4\nDA:5,0\nLF:2\nLH:1\nend_of_record\n"
        );
    }

    #[test]
    fn cobertura_has_lines_branches_and_methods() {
        let text = cobertura(&[file()], "src <1>");
        for part in [
            "<source>src &lt;1&gt;</source>",
            "line-rate=\"0.5000\" branch-rate=\"0.5000\" lines-covered=\"1\" lines-valid=\"2\"",
            "<line number=\"3\" hits=\"4\" branch=\"true\" condition-coverage=\"100% (2/2)\"/>",
            "<line number=\"5\" hits=\"0\" branch=\"true\" condition-coverage=\"0% (0/2)\"/>",
            "<method name=\"Sum\"",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }
}
