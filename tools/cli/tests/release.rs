//! `tempo build --release`: packed programs, disks and cartridges of a project, and projects of several programs.

use tempo_formats::{crt, images};

use crate::common::Scratch;

const FILE: &str = "\
[project]
main = \"src/main.asm\"

[build]
pack = true
d64 = { name = \"my game\", id = \"26\", files = [\"LEVEL1=build/level.bin\", \"notes.seq\", \"build/intro.prg\"] }

[[target]]
name = \"intro\"
main = \"src/intro.asm\"
defines = [\"INTRO\"]
vars = { colour = 6 }
pack = false

[[target]]
name = \"cart\"
main = \"src/cart.asm\"
pack = \"zx0\"

[target.crt]
type = \"easyflash\"
name = \"MY CART\"
banks = [
    { bank = 0, lo = \"build/lo0.bin\", hi = \"build/cart.prg\" },
    { bank = 3, lo = \"extra.bin\" },
]
";

const MAIN: &str = "\
        BasicUpstart2(start)
start:  inc $d020
        jmp start
        .fill 3000, 0
.file [name=\"level.bin\", type=\"bin\", segments=\"Level\"]
.segmentdef Level [start=$c000]
.segment Level
        .fill 300, 7
";
const INTRO: &str = "\
        BasicUpstart2(start)
#if INTRO
start:  lda #cmdLineVars.get(\"colour\").asNumber()
#endif
        rts
";
const CART: &str = "\
.file [name=\"lo0.bin\", type=\"bin\", segments=\"Lo0\"]
.segmentdef Lo0 [start=$8000, min=$8000, max=$9fff]
.segment Lo0
        .fill 16, $11
.segment Default
        * = $e000
start:  jmp start
        .fill $1ff9, $22
        .word start, start
";

fn project() -> Scratch {
    let scratch = Scratch::new(&[
        ("tempo.toml", FILE),
        ("src/main.asm", MAIN),
        ("src/intro.asm", INTRO),
        ("src/cart.asm", CART),
        ("notes.seq", "HELLO"),
        ("src/deep/.keep", ""),
    ]);
    scratch.write("extra.bin", &[0x33; 100]);
    scratch
}

/// Programs, disks and other outputs of a build.
fn made(scratch: &Scratch) -> Vec<String> {
    let files = scratch.files().into_iter();
    let names = files.filter_map(|file| Some(file.strip_prefix("build/")?.to_owned()));
    names.filter(|name| !name.ends_with(".sym") && !name.ends_with(".vs")).collect()
}

#[test]
fn a_build_makes_plain_programs() {
    let scratch = project();
    let ran = scratch.tempo("build");
    assert_eq!((ran.code, &ran.err[..]), (Some(0), ""), "{}", ran.out);
    assert_eq!(made(&scratch), ["cart.prg", "intro.prg", "level.bin", "lo0.bin", "main.prg"]);
    assert!(scratch.files().contains(&"build/intro.vs".to_owned()));
    let intro = scratch.read("build/intro.prg");
    assert_eq!(intro[intro.len() - 3..], [0xa9, 6, 0x60], "with its own defines and variables");
    let only = project();
    assert_eq!(only.tempo("build --target intro").code, Some(0));
    assert_eq!(made(&only), ["intro.prg"]);
    let ran = only.tempo("build --target itro");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--target itro: no program has this name; did you mean intro?"), "{}", ran.err);
}

#[test]
fn a_release_has_packed_programs_disks_and_cartridges() {
    let scratch = project();
    let ran = scratch.tempo("build --release");
    assert_eq!((ran.code, &ran.err[..]), (Some(0), ""), "{}", ran.out);
    let files = [
        "cart.crt",
        "cart.prg",
        "cart.zx0",
        "intro.prg",
        "level.bin",
        "lo0.bin",
        "main-packed.prg",
        "main.d64",
        "main.prg",
    ];
    assert_eq!(made(&scratch), files);
    let packed = scratch.read("build/main-packed.prg");
    assert!(packed.len() < 500, "{}", packed.len());
    let disk = images::read("d64", &scratch.read("build/main.d64")).expect("a disk");
    assert_eq!((&disk.name[..], &disk.id[..2]), ("MY GAME", "26"));
    let entries: Vec<(&str, usize)> =
        disk.entries.iter().map(|entry| (&entry.name[..], entry.bytes.len())).collect();
    let intro = scratch.read("build/intro.prg").len();
    assert_eq!(entries, [("MY GAME", packed.len()), ("LEVEL1", 300), ("NOTES", 5), ("INTRO", intro)]);
    let cartridge = crt::read(&scratch.read("build/cart.crt")).expect("a cartridge");
    assert_eq!((cartridge.hardware, &cartridge.name[..]), (crt::Hardware::EasyFlash, "MY CART"));
    let chips: Vec<(u16, u16, u8, u8)> = cartridge
        .chips
        .iter()
        .map(|chip| (chip.bank, chip.address, chip.bytes[0], chip.bytes[0x1fff]))
        .collect();
    assert_eq!(chips, [(0, 0x8000, 0x11, 0xff), (0, 0xa000, 0x4c, 0xe0), (3, 0x8000, 0x33, 0xff)]);
    // The same bytes again, also in another folder of outputs and from another working directory.
    let first: Vec<Vec<u8>> = files.iter().map(|file| scratch.read(&format!("build/{file}"))).collect();
    let ran = scratch.tempo_in("src/deep", "build --release --out-dir out");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("out/main.d64: 4 files, "), "{}", ran.out);
    let again: Vec<Vec<u8>> =
        files.iter().map(|file| scratch.read(&format!("src/deep/out/{file}"))).collect();
    assert!(first == again, "another folder of outputs");
    // A check makes everything and writes nothing.
    let checked = project();
    let ran = checked.tempo("build --release --check");
    assert_eq!((ran.code, made(&checked).len()), (Some(0), 0), "{}", ran.err);
}

#[test]
fn a_packed_program_runs() {
    let source = "        BasicUpstart2(start)\nstart:  lda #42\n        sta $d7ff\n        .fill 2000, 7\n";
    let scratch = Scratch::new(&[("tempo.toml", "[build]\npack = true\nd64 = true\n"), ("main.asm", source)]);
    assert_eq!(scratch.tempo("build --release --quiet").code, Some(0));
    for file in ["build/main-packed.prg", "build/main.d64"] {
        let ran = scratch.tempo(&format!("run --system c64 {file} --frames 200"));
        assert_eq!(ran.code, Some(42), "{file}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_program_in_the_window_of_a_cartridge_is_one() {
    let source = "        * = $8000\n        .word start, start\n        .byte $c3, $c2, $cd, $38, $30\nstart:  lda #7\n        sta $d7ff\n";
    let scratch = Scratch::new(&[("tempo.toml", "[build.crt]\ntype = \"8k\"\n"), ("main.asm", source)]);
    let ran = scratch.tempo("build --release");
    assert_eq!((ran.code, &ran.err[..]), (Some(0), ""));
    assert!(ran.out.contains("build/main.crt: 8k cartridge, 1 chip\n"), "{}", ran.out);
    assert_eq!(scratch.tempo("run --system c64 build/main.crt --frames 50").code, Some(7));
}

/// The first lines of what a release says with these settings.
fn refused(settings: &str, source: &str, code: i32) -> String {
    let scratch = Scratch::new(&[("tempo.toml", settings), ("main.asm", source), ("b.asm", " .byte 1\n")]);
    let ran = scratch.tempo("build --release");
    assert_eq!(ran.code, Some(code), "{settings}: {}{}", ran.out, ran.err);
    assert!(
        made(&scratch).iter().all(|file| code == 0 || file == "main.prg" || file == "b.prg"),
        "{:?}",
        made(&scratch)
    );
    let lines: Vec<&str> = ran.err.lines().map(str::trim).filter(|line| line.contains([':', '='])).collect();
    lines.join("\n")
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let basic = "        BasicUpstart2(start)\nstart:  rts\n";
    let low = "        * = $0300\n        rts\n";
    let print = "        * = $0801\n        .byte 7, 8, 10, 0, $99, 0, 0, 0\n";
    let cases = [
        ("[build]\npack = true\n", low, 1, "main.asm cannot be packed: the program loads at $0300"),
        ("[build]\npack = true\n", low, 1, "tempo.toml:2:8"),
        ("[build]\npack = true\n", print, 1, "= help: a packed program begins with a BASIC line"),
        ("[build]\npack = \"zx0\"\nd64 = true\n", basic, 1, "makes data, and a disk begins with a program"),
        ("[build]\nd64 = { name = \"SEVENTEEN LETTERS\" }\n", basic, 1, "is longer than 16 letters"),
        ("[build]\nd64 = { files = [\"A=gone.prg\"] }\n", basic, 2, "'gone.prg' cannot be read"),
        ("[build]\nd64 = { files = [\"A=mian.asm\"] }\n", basic, 2, "= help: its folder has main.asm"),
        ("[build]\nd64 = { files = [\"../x.prg\"] }\n", basic, 2, "'../x.prg' is not in the project"),
        ("[build]\nd64 = { files = [\"/etc/passwd\"] }\n", basic, 2, "'/etc/passwd' is not in the project"),
        ("[build]\nd64 = { files = [\"main=main.asm\"] }\n", basic, 1, "two files would be called \"MAIN\""),
        ("[build]\ncrt = { type = \"ocean\" }\n", basic, 1, "the cartridge has no `banks`"),
        ("[build]\ncrt = { type = \"8k\" }\n", basic, 1, "are outside lo, which is $8000-$9FFF"),
        (
            "[build.crt]\ntype = \"8k\"\nbanks = [{ bank = 1, lo = \"main.asm\" }]\n",
            basic,
            1,
            "bank 1: 8k cartridges have bank 0 only",
        ),
        (
            "[build.crt]\ntype = \"8k\"\nbanks = [{ bank = 1, lo = \"main.asm\" }]\n",
            basic,
            1,
            "tempo.toml:3:27",
        ),
        ("[[target]]\nmain = \"c.asm\"\n", basic, 2, "there is no source c.asm"),
        ("[[target]]\nmain = \"main.asm\"\n[[target]]\nmain = \"c.asm\"\n", basic, 2, "tempo.toml:4:8"),
        ("[build]\npack = true\n", basic, 0, "warning: main.prg is larger when it is packed"),
        ("", basic, 0, "warning: a release has nothing beside the programs"),
    ];
    for (settings, source, code, wanted) in cases {
        let said = refused(settings, source, code);
        assert!(said.contains(wanted), "{settings}: {wanted}\n{said}");
    }
    // A fault in one program is no reason to keep those of another to itself.
    let settings = "[[target]]\nmain = \"main.asm\"\n[[target]]\nmain = \"b.asm\"\n";
    let said = refused(settings, " lda #\n", 1);
    assert!(said.contains("main.asm:1"), "{said}");
}

#[test]
fn the_templates_have_a_release() {
    for (template, files) in [("game", ["main.d64", "main.prg"]), ("demo", ["main.d64", "main.prg"])] {
        let scratch = Scratch::new(&[]);
        assert_eq!(scratch.tempo(&format!("init x --template {template}")).code, Some(0));
        let ran = scratch.tempo_in("x", "build --release");
        assert_eq!((ran.code, &ran.err[..]), (Some(0), ""), "{template}: {}", ran.out);
        let names =
            scratch.files().into_iter().filter_map(|file| Some(file.strip_prefix("x/build/")?.to_owned()));
        let made: Vec<String> =
            names.filter(|name| !name.ends_with(".sym") && !name.ends_with(".vs")).collect();
        assert_eq!(made, files, "{template}");
    }
}
