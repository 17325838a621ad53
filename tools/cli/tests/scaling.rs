//! Costs in proportion: twice the input may not cost four times as much.
//!
//! A look at the CPU time comes first, which is cheap and rough: every family of input at 16n and at 128n. Work that
//! grows with the input makes the second run eight times as long, quadratic work 64 times, so that a busy computer does
//! not blur the two. What takes more than three times as long as it should is measured again at 16n, 32n and 64n, with
//! the instructions counted by valgrind where it is installed: the second step is compared with the first, so that
//! start-up cancels out. `cargo test -p tempo --test commands scaling:: -- --nocapture` prints the tables.

#![cfg(unix)]

use std::fmt::Write as _;
use std::process::Command;

use crate::common::{Scratch, feed};

/// How much the cost may grow when the input doubles.
const LIMIT: f64 = 3.0;
/// The same by CPU time, which a busy computer makes uncertain.
const LIMIT_BY_TIME: f64 = 5.0;
/// Steps below this many instructions, or seconds, are too small to compare.
const NOISE: f64 = 400_000.0;
const NOISE_BY_TIME: f64 = 0.5;

/// The sizes of the first look, in units of a family's own.
const FEW: usize = 16;
const MANY: usize = 128;
/// The look at CPU time sees nothing shorter, in seconds.
const TICK: f64 = 0.01;

/// A kind of input: its smallest size, and the run that reads it.
struct Family {
    name: &'static str,
    size: usize,
    run: fn(usize) -> Run,
}

/// One run of the program: the files it finds, its arguments and its standard input.
#[derive(Default)]
struct Run {
    files: Vec<(String, Vec<u8>)>,
    words: &'static str,
    input: Vec<u8>,
}

impl Run {
    fn new(words: &'static str, file: &str, text: impl Into<Vec<u8>>) -> Run {
        Run { files: vec![(file.into(), text.into())], words, input: Vec::new() }
    }

    /// With a program that jumps to itself.
    fn with_program(mut self) -> Run {
        let program = [1, 8, 0x0b, 8, 0, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0, 0x4c, 0x0d, 8];
        self.files.push(("p.prg".into(), program.to_vec()));
        self
    }

    fn fed(words: &'static str, input: impl Into<Vec<u8>>) -> Run {
        Run { files: Vec::new(), words, input: input.into() }
    }
}

/// A line for each number below `count`.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        text.push_str(&line(number));
        text.push('\n');
        text
    })
}

fn assembled(text: impl Into<Vec<u8>>) -> Run {
    Run::new("asm x.asm -o x.prg", "x.asm", text)
}

/// A machine with commands of VICE's text monitor.
fn monitored(commands: impl Into<Vec<u8>>) -> Run {
    Run::new("x64sc -warp -limitcycles 1000 -moncommands x.vs p.prg", "x.vs", commands).with_program()
}

/// Bytes of sixteen values without a pattern.
fn noise(count: usize) -> Vec<u8> {
    let mut random = tempo_random::Random::new(1);
    (0..count).map(|_| random.below(16) as u8).collect()
}

/// Messages of an editor protocol.
fn framed(messages: impl IntoIterator<Item = String>) -> Vec<u8> {
    messages
        .into_iter()
        .fold(String::new(), |mut all, message| {
            let _ = write!(all, "Content-Length: {}\r\n\r\n{message}", message.len());
            all
        })
        .into_bytes()
}

const FAMILIES: &[Family] = &[
    Family { name: "lexer: quotes on one line", size: 2_000, run: |n| assembled("\"".repeat(n)) },
    Family { name: "lexer: names on one line", size: 4_000, run: |n| assembled("nop;".repeat(n)) },
    Family { name: "lexer: comments that open", size: 8_000, run: |n| assembled("/*".repeat(n)) },
    Family { name: "lexer: line ends", size: 20_000, run: |n| assembled("\r".repeat(n)) },
    Family {
        name: "parser: brackets that open",
        size: 4_000,
        run: |n| assembled(format!(".byte {}", "(".repeat(n))),
    },
    Family { name: "parser: blocks", size: 2_000, run: |n| assembled("{ }\n".repeat(n)) },
    Family {
        name: "parser: one list",
        size: 4_000,
        run: |n| assembled(format!(".byte {}1", "1,".repeat(n))),
    },
    Family {
        name: "parser: operators",
        size: 2_000,
        run: |n| assembled(format!(".word {}1", "1+".repeat(n))),
    },
    Family {
        name: "evaluator: labels",
        size: 1_500,
        run: |n| assembled(format!("*=$1000\n{}l{n}: rts", lines(n, |i| format!("l{i}: bne l{}", i + 1)))),
    },
    Family {
        name: "evaluator: labels defined in reverse",
        size: 150,
        run: |n| {
            assembled(
                lines(n, |i| format!(".label a{i} = a{} + 1", i + 1)) + &format!(".label a{n} = 1\nlda a0"),
            )
        },
    },
    Family {
        name: "evaluator: lists",
        size: 2_000,
        run: |n| {
            assembled(format!(
                ".var l = List()\n.for (var i = 0; i < {n}; i++) .eval l.add(i)\n.fill 10, l.get(i)\n"
            ))
        },
    },
    Family {
        name: "evaluator: hash tables",
        size: 800,
        run: |n| {
            assembled(format!(
                ".var h = Hashtable()\n.for (var i = 0; i < {n}; i++) .eval h.put(\"k\" + i, i)\n.byte h.get(\"k1\")\n"
            ))
        },
    },
    Family {
        name: "evaluator: macros",
        size: 500,
        run: |n| assembled(lines(n, |i| format!(".macro m{i}(a) {{ lda #a }}\nm{i}(1)"))),
    },
    Family {
        name: "evaluator: namespaces",
        size: 500,
        run: |n| assembled(lines(n, |i| format!(".namespace s{i} {{ l: nop }}\n.word s{i}.l"))),
    },
    Family {
        name: "segments: a chain of startAfter",
        size: 200,
        run: |n| {
            let chain = lines(n, |i| {
                format!(".segmentdef S{} [startAfter=\"S{i}\"]\n.segment S{}\nnop", i + 1, i + 1)
            });
            assembled(format!(".segmentdef S0 [start=$1000]\n.segment S0\nnop\n{chain}"))
        },
    },
    Family {
        name: "preprocessor: conditions",
        size: 500,
        run: |n| assembled(lines(n, |i| format!("#define A{i}\n#if A{i} && !B{i}\nnop\n#endif"))),
    },
    Family {
        name: "errors: unknown names",
        size: 1_000,
        run: |n| assembled(lines(n, |i| format!("lda unknown{i}"))),
    },
    Family {
        name: "formatter: sources",
        size: 500,
        run: |n| {
            Run::new("fmt --check x.asm", "x.asm", lines(n, |i| format!("l{i}:  lda #{} // note", i % 256)))
        },
    },
    Family {
        name: "suites: tests",
        size: 40,
        run: |n| {
            let tests = lines(n, |i| {
                format!("test(\"t{i}\", \"sum\") {{ a = {} assert(a == {}) }}", i % 256, i % 256)
            });
            Run::new("test -j1 x.6502", "x.6502", format!("suites {{ suite(\"s\") {{\n{tests}}} }}"))
        },
    },
    Family {
        name: "suites: asserts of one test",
        size: 400,
        run: |n| {
            let asserts = lines(n, |i| format!("assert(a + {i} == a + {i})"));
            Run::new(
                "test -j1 x.6502",
                "x.6502",
                format!("suites {{ suite(\"s\") {{ test(\"t\", \"t\") {{\n{asserts}}} }} }}"),
            )
        },
    },
    Family {
        name: "suites: procedures",
        size: 150,
        run: |n| {
            let procedures = lines(n, |i| format!("procedure p{i}(v) {{ assert(v == v) }}"));
            let calls = lines(n, |i| format!("p{i}(1)"));
            Run::new(
                "test -j1 x.6502",
                "x.6502",
                format!("suites {{ suite(\"s\") {{\n{procedures} test(\"t\", \"t\") {{\n{calls}}} }} }}"),
            )
        },
    },
    Family {
        name: "JSON: a spec of pieces",
        size: 200,
        run: |n| {
            let pieces: Vec<String> =
                (0..n).map(|i| format!("{{\"id\":\"p{i}\",\"name\":\"P{i}\",\"moves\":[]}}")).collect();
            Run::new("game check x.json", "x.json", format!("{{\"pieces\":[{}]}}", pieces.join(",")))
        },
    },
    Family {
        name: "JSON: brackets that open",
        size: 20_000,
        run: |n| Run::new("game check x.json", "x.json", "[".repeat(n)),
    },
    Family {
        name: "Enochian: pieces of a position",
        size: 300,
        run: |n| {
            let pieces: Vec<String> =
                (0..n).map(|i| format!("{{\"square\":\"a{i}\",\"army\":\"fire\"}}")).collect();
            Run::new(
                "enochian show --position x.json",
                "x.json",
                format!("{{\"pieces\":[{}]}}", pieces.join(",")),
            )
        },
    },
    Family {
        name: "chess: positions",
        size: 40,
        run: |n| {
            Run::new(
                "chess moves --fens x.fen",
                "x.fen",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n".repeat(n),
            )
        },
    },
    Family {
        name: "chess: one long FEN",
        size: 8_000,
        run: |n| Run::new("chess moves --fens x.fen", "x.fen", "1".repeat(n)),
    },
    Family {
        name: "chess: positions of an agent's history",
        size: 100,
        run: |n| {
            let history = vec!["\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\""; n].join(",");
            Run::fed(
                "chess agent --list",
                format!(
                    "{{\"board\":{{\"e1\":\"K\",\"e8\":\"k\",\"a2\":\"P\"}},\"turn\":\"white\",\"castling\":{{\"white\":\
                     {{\"kingside\":false,\"queenside\":false}},\"black\":{{\"kingside\":false,\"queenside\":false}}}},\
                     \"en_passant\":null,\"halfmove_clock\":0,\"fullmove_number\":1,\"position_history\":[{history}]}}"
                ),
            )
        },
    },
    Family {
        name: "PGN: moves of one game",
        size: 100,
        run: |n| {
            let moves = lines(n, |i| format!("{}. Nf3 Nf6 {}. Ng1 Ng8", 2 * i + 1, 2 * i + 2));
            Run::new(
                "chess match random random --pairs 1 --openings x.pgn",
                "x.pgn",
                format!("[Event \"x\"]\n\n{moves}*\n"),
            )
        },
    },
    Family {
        name: "PGN: comments and variations that open",
        size: 4_000,
        run: |n| {
            Run::new(
                "chess match random random --pairs 1 --openings x.pgn",
                "x.pgn",
                format!("[Event \"x\"]\n\n1. e4 {}*\n", "( {".repeat(n)),
            )
        },
    },
    Family {
        name: "UCI: lines and moves",
        size: 60,
        run: |n| {
            let moves = " g1f3 g8f6 f3g1 f6g8".repeat(n);
            Run::fed("uci", format!("{}position startpos moves{moves}\nquit\n", "isready\n".repeat(n)))
        },
    },
    Family {
        name: "symbol files: labels of VICE",
        size: 400,
        run: |n| {
            Run::new("sym x.vs --to json", "x.vs", lines(n, |i| format!("al C:{:04x} .l{i}", i % 0x1_0000)))
        },
    },
    Family {
        name: "symbol files: namespaces of .sym",
        size: 250,
        run: |n| {
            Run::new(
                "sym x.sym --to vice",
                "x.sym",
                lines(n, |i| format!(".namespace n{i} {{\n  .label l=${:x}\n}}", i % 0x1_0000)),
            )
        },
    },
    Family {
        name: "debug information of ld65: spans of one line",
        size: 200,
        run: |n| {
            let head = "version\tmajor=2,minor=0\nfile\tid=0,name=\"a.s\",size=1,mtime=0,mod=0\n\
                        seg\tid=0,name=\"CODE\",start=0x000801,size=1\nspan\tid=0,seg=0,start=0,size=1\n";
            let spans = vec!["0"; n].join("+");
            let text = format!("{head}line\tid=0,file=0,line=1,span={spans}\n");
            Run::new("debug p.prg --debug-info x.dbg -x step", "x.dbg", text).with_program()
        },
    },
    Family {
        name: "monitor: labels of an address",
        size: 200,
        run: |n| monitored(lines(n, |i| format!("al C:1000 .l{i}"))),
    },
    Family {
        name: "monitor: checkpoints over all memory",
        size: 10,
        run: |n| monitored(lines(n, |_| "trace exec 0000 ffff".into())),
    },
    Family {
        name: "monitor: operators of a condition",
        size: 4_000,
        run: |n| monitored(format!("break 1000 if A{}\n", " + A".repeat(n))),
    },
    Family {
        name: "tapes: files of a .t64",
        size: 250,
        run: |n| {
            let count = (n as u16).to_le_bytes();
            let mut tape =
                [&b"C64 tape image file"[..], &[0; 15], &count, &count, &[0; 2], &[b' '; 24]].concat();
            for _ in 0..n {
                let data = (64 + 32 * n as u32).to_le_bytes();
                tape.extend([&[1, 0x82, 1, 8, 0x11, 8, 0, 0][..], &data, &[0; 4], &[b'A'; 16]].concat());
            }
            tape.extend([0; 64]);
            Run::new("disk list x.t64", "x.t64", tape)
        },
    },
    Family {
        name: "server for agents: requests",
        size: 100,
        run: |n| Run::fed("mcp", lines(n, |i| format!(r#"{{"jsonrpc":"2.0","id":{i},"method":"ping"}}"#))),
    },
    Family {
        name: "settings: defines",
        size: 400,
        run: |n| {
            let names: Vec<String> = (0..n).map(|i| format!("\"D{i}\"")).collect();
            Run::new(
                "config",
                "tempo.toml",
                format!("[project]\nmain = \"x.asm\"\n[build]\ndefine = [{}]\n", names.join(",")),
            )
        },
    },
    Family {
        name: "disassembler: bytes",
        size: 4_000,
        run: |n| {
            let mut program = vec![0x01, 0x08];
            program.extend((0..n).map(|i| [0xad, 0x20, 0xd0, 0xf0, 0x10, 0x4c, 0x00, 0x10][i % 8]));
            Run::new("disasm x.prg", "x.prg", program)
        },
    },
    Family {
        name: "disk images: files",
        size: 30,
        run: |n| {
            let mut run = Run::new("test -j1 x.6502", "x.6502", "suites { }");
            run.words = "asm x.asm";
            let files = lines(n, |i| format!("[name=\"F{i}\", type=\"prg\", prgFiles=\"p.prg\"],"));
            run.files = vec![
                ("p.prg".into(), vec![1, 8, 0x60]),
                ("x.asm".into(), format!(".disk [filename=\"x.d64\"] {{\n{files}}}\n").into_bytes()),
            ];
            run
        },
    },
    Family {
        name: "packer: b2",
        size: 500,
        run: |n| Run::new("pack x.bin --format b2 --address $4000 -o y", "x.bin", noise(n)),
    },
    Family {
        name: "language server: edits",
        size: 40,
        run: |n| {
            let open = [
                r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#.to_string(),
                r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#.to_string(),
                r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.asm","languageId":"kickass","version":0,"text":"nop\n"}}}"#.to_string(),
            ];
            // The text keeps its size: an edit may cost what the text costs, however many there were before.
            let edits = (0..n).map(|i| {
                format!(
                    r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"file:///x.asm","version":{}}},"contentChanges":[{{"range":{{"start":{{"line":0,"character":0}},"end":{{"line":1,"character":0}}}},"text":"nop\n"}}]}}}}"#,
                    i + 1
                )
            });
            let close = [
                r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#.to_string(),
                r#"{"jsonrpc":"2.0","method":"exit"}"#.to_string(),
            ];
            Run::fed("lsp", framed(open.into_iter().chain(edits).chain(close)))
        },
    },
    Family {
        name: "debug adapter: requests",
        size: 80,
        run: |n| {
            let requests = (0..n).map(|i| {
                let command = if i == 0 { "initialize" } else { "threads" };
                format!(
                    r#"{{"seq":{},"type":"request","command":"{command}","arguments":{{"adapterID":"x"}}}}"#,
                    i + 1
                )
            });
            let last = format!(r#"{{"seq":{},"type":"request","command":"disconnect"}}"#, n + 1);
            Run::fed("dap", framed(requests.chain([last])))
        },
    },
];

/// The yardstick: instructions, or seconds of CPU time if valgrind is not installed.
#[derive(Clone, Copy, PartialEq)]
enum Yardstick {
    Instructions,
    Seconds,
}

impl Yardstick {
    fn here() -> Yardstick {
        let found = Command::new("valgrind").arg("--version").output().is_ok_and(|ran| ran.status.success());
        if found { Yardstick::Instructions } else { Yardstick::Seconds }
    }

    /// The cost of a run, whatever its exit code.
    fn cost(self, run: &Run) -> f64 {
        let scratch = Scratch::new(&[]);
        for (name, bytes) in &run.files {
            scratch.write(name, bytes);
        }
        let mut command = match self {
            Yardstick::Instructions => {
                let mut command = Command::new("valgrind");
                command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
                command.args(["--log-file=cost", env!("CARGO_BIN_EXE_tempo")]);
                command
            }
            Yardstick::Seconds => {
                let mut command = Command::new("sh");
                command.args([
                    "-c",
                    "\"$@\" > /dev/null 2>&1; times > cost",
                    "sh",
                    env!("CARGO_BIN_EXE_tempo"),
                ]);
                command
            }
        };
        command.args(run.words.split_whitespace()).current_dir(scratch.0.path()).env("NO_COLOR", "1");
        command.stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        feed(&mut command, run.input.clone());
        self.read(&scratch.text("cost"))
    }

    fn read(self, log: &str) -> f64 {
        match self {
            // `==1== I   refs:      471,664`
            Yardstick::Instructions => log
                .lines()
                .find_map(|line| line.split_once("refs:"))
                .and_then(|(_, count)| count.trim().replace(',', "").parse().ok()),
            // The second line is that of the children: `0m0.250s 0m0.010s`
            Yardstick::Seconds => log.lines().nth(1).and_then(|line| {
                line.split_whitespace()
                    .map(|time| {
                        let (minutes, seconds) = time.trim_end_matches('s').split_once('m')?;
                        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
                    })
                    .sum()
            }),
        }
        .unwrap_or_else(|| panic!("no cost in {log:?}"))
    }
}

/// How much the second step is larger than the first; nothing if the steps are too small to tell.
fn growth(costs: [f64; 3], noise: f64) -> Option<f64> {
    let (first, second) = (costs[1] - costs[0], costs[2] - costs[1]);
    (second > noise).then(|| second / first.max(noise / 4.0))
}

/// Whether a family has to be measured: seconds of the smallest input, of [`FEW`] and of [`MANY`] units.
fn is_suspicious([least, few, many]: [f64; 3]) -> bool {
    many - least > LIMIT * (MANY / FEW) as f64 * (few - least).max(TICK)
}

/// Does something with every family, as many at once as the computer can. The results are in order.
fn for_each<'a, T: Send>(
    families: &[&'a Family],
    work: impl Fn(&Family) -> T + Sync,
) -> Vec<(&'a Family, T)> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let rows = std::sync::Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((place, family)) = {
                    let place = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    families.get(place).map(|family| (place, *family))
                } {
                    let row = work(family);
                    rows.lock().expect("no worker panics").push((place, family, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("no worker panics");
    rows.sort_by_key(|(place, ..)| *place);
    assert_eq!(rows.len(), families.len());
    rows.into_iter().map(|(_, family, row)| (family, row)).collect()
}

#[test]
fn costs_grow_with_the_input() {
    let all: Vec<&Family> = FAMILIES.iter().collect();
    let looks = for_each(&all, |family| {
        [1, FEW * family.size, MANY * family.size].map(|size| Yardstick::Seconds.cost(&(family.run)(size)))
    });
    let mut suspects = Vec::new();
    for (family, seconds) in looks {
        let [least, few, many] = seconds;
        println!("{:<42} {least:>6.2} s {few:>6.2} s {many:>6.2} s", family.name);
        if is_suspicious(seconds) {
            suspects.push(family);
        }
    }
    measure(&suspects);
}

/// Compares the costs of families at three sizes, each twice the last.
fn measure(families: &[&Family]) {
    let yardstick = Yardstick::here();
    let (limit, noise) = match yardstick {
        Yardstick::Instructions => (LIMIT, NOISE),
        Yardstick::Seconds => (LIMIT_BY_TIME, NOISE_BY_TIME),
    };
    let rows = for_each(families, |family| {
        [1, 2, 4].map(|factor| yardstick.cost(&(family.run)(family.size * factor * FEW)))
    });
    let mut faults = String::new();
    for (family, costs) in rows {
        let [small, double, fourfold] = costs;
        let grown = growth(costs, noise);
        let shown = grown.map_or_else(|| "-".to_string(), |grown| format!("{grown:.2}"));
        let row = format!(
            "{:<42} {:>8} {small:>14} {double:>14} {fourfold:>14} {shown:>6}",
            family.name, family.size
        );
        println!("{row}");
        if grown.is_some_and(|grown| grown > limit) {
            let _ = writeln!(faults, "{row}");
        }
    }
    assert!(faults.is_empty(), "these cost more than {limit} times as much at twice the size:\n{faults}");
}

#[test]
fn quadratic_costs_are_seen() {
    let quadratic = [1.0, 4.0, 16.0].map(|cost| cost * 1e6 + 5e6);
    assert!(growth(quadratic, NOISE).is_some_and(|growth| growth > LIMIT));
    let linear = [1.0, 2.0, 4.0].map(|cost| cost * 1e6 + 5e6);
    assert!(growth(linear, NOISE).is_some_and(|growth| growth < LIMIT));
    assert_eq!(growth([5e6, 5e6, 5e6 + 1.0], NOISE), None);

    let seconds = |cost: fn(f64) -> f64| [0.0, FEW as f64, MANY as f64].map(|size| 0.02 + cost(size));
    assert!(is_suspicious(seconds(|size| 0.0001 * size * size)));
    // Too short to be seen at the smaller size.
    assert!(is_suspicious(seconds(|size| 0.00003 * size * size)));
    assert!(!is_suspicious(seconds(|size| 0.02 * size)));
    assert!(!is_suspicious(seconds(|_| 0.0)));
}
