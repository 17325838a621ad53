//! The syntax tree as indented text, for golden files and `--list-tree`-like tools.
//! One line per node; expressions in prefix form. Spans are left out: the diagnostics' goldens hold those.

use std::fmt::Write;

use crate::ast::*;

/// The whole tree.
pub fn dump(file: &File) -> String {
    let mut out = String::new();
    for suite in &file.suites {
        line(&mut out, 0, format!("suite {:?}{}", suite.name.value, options(&suite.options)));
        if let Some(machine) = &suite.machine {
            line(&mut out, 1, format!("machine {}", machine.system));
        }
        if let Some(folder) = &suite.ultimate {
            line(&mut out, 1, format!("ultimate {:?}", folder.value));
        }
        for item in &suite.entries {
            entry(&mut out, &item.kind);
        }
    }
    out
}

fn line(out: &mut String, depth: usize, text: impl AsRef<str>) {
    for _ in 0..depth {
        out.push_str("  ");
    }
    out.push_str(text.as_ref());
    out.push('\n');
}

fn options(all: &[TestOption]) -> String {
    let mut out = String::new();
    for option in all {
        let text = match &option.kind {
            OptionKind::Skip(on) => format!("skip={on}"),
            OptionKind::Trace(on) => format!("trace={on}"),
            OptionKind::Isolate(on) => format!("isolate={on}"),
            OptionKind::Timeout(cycles) => format!("timeout={cycles}"),
            OptionKind::Tags(text) => format!("tags={:?}", text.value),
            OptionKind::Budget(cycles) => format!("budget={}", expr(cycles)),
            OptionKind::Guard(rule) => guard(rule),
        };
        let _ = write!(out, " {text}");
    }
    out
}

fn entry(out: &mut String, kind: &EntryKind) {
    match kind {
        EntryKind::Symbols(file) => line(out, 1, format!("symbols {:?}", file.value)),
        EntryKind::Load { file, address, strip_header } => {
            let address = address.as_ref().map_or(String::new(), |a| format!(" address={}", expr(a)));
            let strip = strip_header.map_or(String::new(), |s| format!(" strip_header={s}"));
            line(out, 1, format!("load {:?}{address}{strip}", file.value));
        }
        EntryKind::Rom { socket, file } => line(out, 1, format!("rom {:?} {:?}", socket.value, file.value)),
        EntryKind::Assemble { file, defines } => {
            let defines: String = defines.iter().map(|d| format!(" define={:?}", d.value)).collect();
            line(out, 1, format!("assemble {:?}{defines}", file.value));
        }
        EntryKind::Setup(body) => {
            line(out, 1, "setup");
            steps(out, 2, body);
        }
        EntryKind::Define { name, value } => line(out, 1, format!("define {} {}", name.value, expr(value))),
        EntryKind::Layout(layout) => {
            line(out, 1, format!("layout {}", layout.name.value));
            for item in &layout.items {
                let value = item.value.as_ref().map_or(String::new(), |v| format!(" {}", expr(v)));
                let word = item.word.as_ref().map_or(String::new(), |w| format!(" {}", w.value));
                let letters: String =
                    item.letters.iter().map(|(l, v)| format!(" {:?}={}", l.value, expr(v))).collect();
                line(out, 2, format!("{}{value}{word}{letters}", item.key.value));
            }
        }
        EntryKind::Include { file, entries, .. } => {
            line(out, 1, format!("include {:?} of {} lines", file.value, entries.len()));
            entries.iter().for_each(|item| entry(out, &item.kind));
        }
        EntryKind::Procedure(procedure) => {
            let parameters: Vec<&str> = procedure.parameters.iter().map(|name| name.value.as_str()).collect();
            line(out, 1, format!("procedure {} ({})", procedure.name.value, parameters.join(" ")));
            steps(out, 2, &procedure.body);
        }
        EntryKind::Double(one) => double(out, 1, one),
        EntryKind::Guard(rule) => line(out, 1, format!("guard {}", guard(rule))),
        EntryKind::Test(test) => {
            let word = match test.kind {
                TestKind::Test => "test",
                TestKind::Bench => "bench",
            };
            line(
                out,
                1,
                format!("{word} {:?} {:?}{}", test.id.value, test.description.value, options(&test.options)),
            );
            if let Some(each) = &test.each {
                let names: Vec<&str> = each.names.iter().map(|n| n.value.as_str()).collect();
                match &each.rows {
                    Rows::File(file) => {
                        line(out, 2, format!("each ({}) file {:?}", names.join(" "), file.value))
                    }
                    Rows::Inline(rows) => {
                        line(out, 2, format!("each ({})", names.join(" ")));
                        for row in rows {
                            line(out, 3, list("row", &row.values));
                        }
                    }
                }
            }
            steps(out, 2, &test.body);
        }
    }
}

fn guard(rule: &Guard) -> String {
    let ranges = |all: &[Range]| -> String {
        let all: Vec<String> = all
            .iter()
            .map(|r| match &r.end {
                Some(end) => format!("{}..{}", expr(&r.start), expr(end)),
                None => expr(&r.start),
            })
            .collect();
        all.join(" ")
    };
    match rule {
        Guard::Write(all) => format!("write({})", ranges(all)),
        Guard::Read(all) => format!("read({})", ranges(all)),
        Guard::Uninit(how) => format!("uninit={how:?}"),
        Guard::SelfMod(how) => format!("selfmod={how:?}"),
        Guard::Stack(how) => format!("stack={how:?}"),
        Guard::ZeroPage(all) => format!("zp({})", ranges(all)),
        Guard::Preserve(text) => format!("preserve={:?}", text.value),
    }
}

fn double(out: &mut String, depth: usize, one: &Double) {
    match one {
        Double::Stub { at, body } => {
            line(out, depth, format!("stub {}", expr(at)));
            steps(out, depth + 1, body);
        }
        Double::Spy { at } => line(out, depth, format!("spy {}", expr(at))),
        Double::Io { at, values } => line(out, depth, format!("io {} {}", expr(at), list("values", values))),
    }
}

fn steps(out: &mut String, depth: usize, all: &[Step]) {
    for step in all {
        let text = match &step.kind {
            StepKind::Assert { condition, text } => {
                let text = text.as_ref().map_or(String::new(), |t| format!(" {:?}", t.value));
                format!("assert {}{text}", expr(condition))
            }
            StepKind::SetRegister { register, value } => format!("set {} {}", register.name(), expr(value)),
            StepKind::SetFlag { flag, value } => format!("set flag {} {}", flag.name(), expr(value)),
            StepKind::Store { target, value } => format!("store {} {}", expr(target), expr(value)),
            StepKind::Jsr(call) => {
                let stop = match &call.stop {
                    Stop::Rts(on) => format!("rts={on}"),
                    Stop::Address(at) => format!("address={}", expr(at)),
                };
                let limit =
                    call.max_cycles.as_ref().map_or(String::new(), |m| format!(" max_cycles={}", expr(m)));
                format!("jsr {} {stop} fail_on_brk={}{limit}", expr(&call.target), call.fail_on_brk)
            }
            StepKind::MemFill { from, count, value } => {
                format!("memfill {} {} {}", expr(from), expr(count), expr(value))
            }
            StepKind::MemDump { from, count, encoding } => {
                format!("memdump {} {}{}", expr(from), expr(count), encoded(*encoding))
            }
            StepKind::Snapshot { name, from, count, encoding, .. } => {
                let encoding = encoded(*encoding);
                format!("snapshot {:?} {} {}{encoding}", name.value, expr(from), expr(count))
            }
            StepKind::Forall(forall) => {
                let variables: Vec<String> = forall
                    .variables
                    .iter()
                    .map(|v| format!("{} in {}", v.name.value, set(&v.domain)))
                    .collect();
                let samples = forall.samples.map_or(String::new(), |s| format!(" samples={s}"));
                let seed = forall.seed.map_or(String::new(), |s| format!(" seed={s}"));
                line(out, depth, format!("forall {}{samples}{seed}", variables.join(", ")));
                steps(out, depth + 1, &forall.body);
                continue;
            }
            StepKind::Equivalent(one) => {
                let inputs: Vec<String> = one
                    .inputs
                    .iter()
                    .map(|(place, domain)| match domain {
                        Some(domain) => format!("{} in {}", expr(place), set(domain)),
                        None => expr(place),
                    })
                    .collect();
                let routines = list("equivalent", &one.routines);
                format!("{routines} in {} {}", inputs.join(", "), list("out", &one.outputs))
            }
            StepKind::Call { name, arguments } => list(&format!("call {}", name.value), arguments),
            StepKind::Double(one) => {
                double(out, depth, one);
                continue;
            }
            StepKind::Capture(value) => format!("capture {}", expr(value)),
            StepKind::Fen { board: b, text } => format!("fen {} {}", board(b), expr(text)),
            StepKind::PutBytes { to, values, width } => {
                format!("put {width:?} {} {}", expr(to), list("values", values))
            }
            StepKind::PutText { to, text, encoding } => {
                format!("put text {} {} {}", expr(to), expr(text), encoding.name())
            }
            StepKind::PutFile { to, file, .. } => format!("put file {} {:?}", expr(to), file.value),
            StepKind::Copy { to, from, count } => format!("copy {} {} {}", expr(to), expr(from), expr(count)),
            StepKind::Random { to, count, seed } => {
                let seed = seed.as_ref().map_or(String::new(), |seed| format!(" {}", expr(seed)));
                format!("random {} {}{seed}", expr(to), expr(count))
            }
            StepKind::Interrupt { line, at } => {
                format!("{} {}", format!("{line:?}").to_lowercase(), expr(at))
            }
            StepKind::Frames(count) => format!("frames {}", expr(count)),
            StepKind::Keys(text) => format!("keys {}", expr(text)),
            StepKind::Joystick { port, switches } => format!("joystick {} {}", expr(port), expr(switches)),
            StepKind::Pointer { pointer, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(&expr).collect();
                format!("{} {}", pointer.word(), arguments.join(" "))
            }
            StepKind::Cartridge { file } => format!("cartridge {:?}", file.value),
            StepKind::Disk { files, .. } => {
                let names: Vec<String> = files.iter().map(|file| format!("{:?}", file.value)).collect();
                format!("disk {}", names.join(" "))
            }
            StepKind::Screenshot { name, tolerance, .. } => {
                let tolerance = tolerance.as_ref().map_or(String::new(), |most| format!(" {}", expr(most)));
                format!("screenshot {:?}{tolerance}", name.value)
            }
            StepKind::Backend(step) => list(&format!("backend {}", step.name), &step.arguments),
        };
        line(out, depth, text);
    }
}

fn list(head: &str, all: &[Expr]) -> String {
    let mut out = format!("({head}");
    for one in all {
        let _ = write!(out, " {}", expr(one));
    }
    out.push(')');
    out
}

fn set(all: &Set) -> String {
    match all {
        Set::Range(from, to) => format!("{}..{}", expr(from), expr(to)),
        Set::List(all) => list("list", all),
    }
}

fn board(board: &Board) -> String {
    let layout = board.layout.as_ref().map_or(String::new(), |l| format!(" layout={}", l.value));
    let pieces = board.pieces.as_ref().map_or(String::new(), |p| format!(" pieces={}", expr(p)));
    format!("(board {}{layout}{pieces})", expr(&board.base))
}

fn expr(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Symbol(name) => format!("[{name}]"),
        ExprKind::Bool(on) => on.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Register(register) => register.name().to_string(),
        ExprKind::Flag(flag) => format!("flag:{}", flag.name()),
        ExprKind::Cycles => "cycles".to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Half(half, inner) => format!("({} {})", format!("{half:?}").to_lowercase(), expr(inner)),
        ExprKind::Read(width, inner) => format!("({} {})", format!("{width:?}").to_lowercase(), expr(inner)),
        ExprKind::PlaceRead(inner) => format!("(at {})", expr(inner)),
        ExprKind::MemChk(all) => list("memchk", &all[..]),
        ExprKind::MemCmp(all) => list("memcmp", &all[..]),
        ExprKind::Paren(inner) => format!("(paren {})", expr(inner)),
        ExprKind::Negate(inner) => format!("(neg {})", expr(inner)),
        ExprKind::Not(inner) => format!("(not {})", expr(inner)),
        ExprKind::Binary(operator, l, r) => format!("({} {} {})", operator.text(), expr(l), expr(r)),
        ExprKind::Compare(operator, l, r) => format!("({} {} {})", operator.text(), expr(l), expr(r)),
        ExprKind::In { value, set: s, negated } => {
            format!("({} {} {})", if *negated { "not-in" } else { "in" }, expr(value), set(s))
        }
        ExprKind::And(l, r) => format!("(and {} {})", expr(l), expr(r)),
        ExprKind::Or(l, r) => format!("(or {} {})", expr(l), expr(r)),
        ExprKind::Calls { index, member } => {
            format!("(calls{}.{member})", index.as_ref().map_or(String::new(), |i| format!(" {}", expr(i))))
        }
        ExprKind::Spy { at, index, member } => {
            let index = index.as_ref().map_or(String::new(), |i| format!(" {}", expr(i)));
            format!("(spy {}{index}.{member})", expr(at))
        }
        ExprKind::Captured(at) => {
            format!("(captured{})", at.as_ref().map_or(String::new(), |a| format!(" {}", expr(a))))
        }
        ExprKind::Bytes(all) => list("bytes", all),
        ExprKind::EncodedText(text, encoding) => format!("(text {} {})", expr(text), encoding.name()),
        ExprKind::Fen(b) => format!("(fen {})", board(b)),
        ExprKind::Beam(part) => format!("beam:{}", format!("{part:?}").to_lowercase()),
        ExprKind::Screen(row) => {
            format!("(screen{})", row.as_ref().map_or(String::new(), |row| format!(" {}", expr(row))))
        }
        ExprKind::Contains(l, r) => format!("(contains {} {})", expr(l), expr(r)),
        ExprKind::Backend(step) => list(&format!("backend {}", step.name), &step.arguments),
    }
}

/// An encoding that is not the usual one.
fn encoded(encoding: crate::ast::Encoding) -> String {
    if encoding == Default::default() { String::new() } else { format!(" {encoding:?}").to_lowercase() }
}
