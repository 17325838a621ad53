//! docs/exactness.md is what the fixtures say about the machine: cases by chip and feature, their source, and the known
//! differences by name. `UPDATE=1` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Chip and feature of each area of `tests/c64` and `tests/c64-own`, in the order of the page.
const AREAS: &[(&str, &str, &str)] = &[
    ("frame", "VIC", "length of frames and lines"),
    ("raster", "VIC", "line counter and raster compare"),
    ("registers", "VIC, SID, CIA", "registers as they are read"),
    ("phi1", "VIC", "the byte read in each cycle of a line"),
    ("fetch", "VIC", "fetches after changes of mode, matrix and bank"),
    ("badline", "VIC", "bad lines: when they begin, what they take"),
    ("forced-badline", "VIC", "FLI, FLD, line crunch, DMA delay"),
    ("ba-write", "VIC", "writes of the CPU while BA is low"),
    ("modes", "VIC", "graphics modes"),
    ("idle", "VIC", "graphics of the idle state"),
    ("pipeline", "VIC", "the pixel at which a register write shows"),
    ("border", "VIC", "borders, open and closed by every cycle"),
    ("sprite", "VIC", "sprites: places, colours, expansion, priority"),
    ("sprite-dma", "VIC", "cycles that sprites take"),
    ("sprite-crunch", "VIC", "sprite crunch"),
    ("collision", "VIC", "collisions, and when they can be read"),
    ("lightpen", "VIC", "the light pen"),
    ("irq", "VIC, CPU", "raster interrupts to the cycle"),
    ("cia-timer", "CIA", "timers A and B, cascades, force load, one-shot"),
    ("cia-irq", "CIA", "flags, masks and lines around an underflow"),
    ("cia-sdr", "CIA", "the serial register"),
    ("cia-tod", "CIA", "the clock and its alarm"),
    ("cia-port", "CIA", "ports, PB6 and PB7"),
    ("keyboard", "CIA", "the keyboard's matrix with joysticks"),
    ("sid", "SID", "registers and voices"),
    ("sid-osc", "SID", "oscillators: start, ring, sync, test bit"),
    ("sid-noise", "SID", "the noise register and its write-back"),
    ("sid-comb", "SID", "combined waveforms"),
    ("sid-env", "SID", "envelopes by the cycle"),
    ("reu", "REU", "registers, transfers, autoload, interrupt"),
    ("reu-ba", "REU", "transfers against bad lines and sprites"),
    ("memory", "memory", "maps, open bus, power-on pattern"),
    ("cpu", "CPU", "unstable opcodes, port lines that fade"),
];

/// The machines of the fixtures, by their word there.
const MACHINES: &[(&str, &str)] =
    &[("pal", "PAL"), ("ntsc", "NTSC"), ("c64c", "C64C"), ("ntscold", "old NTSC")];

#[derive(Default)]
struct Row {
    /// Cases by machine.
    machines: BTreeMap<usize, usize>,
    /// Cases of which VICE 3.10 gave the values, VICE 3.7.1, documents.
    vice: usize,
    vice_3_7: usize,
    documents: usize,
    bytes: usize,
    pictures: usize,
}

fn read(folder: &str, rows: &mut BTreeMap<usize, Row>) {
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join(folder), "expect") {
        let text = tempo_testing::text(&path);
        let word = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let area = word("area").expect("every program has an area");
        let place = AREAS.iter().position(|(known, ..)| *known == area);
        let row = rows.entry(place.unwrap_or_else(|| panic!("AREAS has no row for '{area}'"))).or_default();
        let system = word("system").unwrap_or("pal");
        let machine = MACHINES.iter().position(|(known, _)| *known == system);
        *row.machines.entry(machine.unwrap_or_else(|| panic!("MACHINES has no '{system}'"))).or_default() +=
            1;
        match (folder, text.lines().next()) {
            ("c64", _) => row.vice += 1,
            (_, Some("# VICE")) => row.vice_3_7 += 1,
            _ => row.documents += 1,
        }
        row.pictures += usize::from(word("picture").is_some());
        let memory = text.lines().filter_map(|line| line.strip_prefix("memory ")?.split_once(':'));
        row.bytes += memory.map(|(_, bytes)| bytes.split_whitespace().count()).sum::<usize>();
    }
}

fn number(count: usize) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

fn lines(path: &str) -> usize {
    tempo_testing::text(&tempo_testing::fixtures().join(path)).lines().filter(|line| !line.is_empty()).count()
}

fn files(folder: &str, extension: &str) -> usize {
    tempo_testing::files_with_extension(&tempo_testing::fixtures().join(folder), extension).len()
}

fn page() -> String {
    let mut rows = BTreeMap::new();
    read("c64", &mut rows);
    read("c64-own", &mut rows);
    let absent: Vec<&str> =
        AREAS.iter().enumerate().filter(|(at, _)| !rows.contains_key(at)).map(|(_, row)| row.0).collect();
    assert!(absent.is_empty(), "AREAS has rows without a program: {absent:?}");
    let mut page = String::from(
        "# How exact the machine is

This page is made from the fixtures: `UPDATE=1 cargo test -p tempo-c64 --test exactness` writes it, and the same test holds it.
Every case below runs in `cargo test`, and a case that stops passing fails there.

## The chips

A case is a program that measures one thing and leaves bytes in memory or a picture.
*VICE* are cases whose values x64sc 3.10 gave ([tests/c64](../tests/c64/README.md)); *VICE 3.7* those of our own programs that x64sc 3.7.1 ran, and *documents* those whose values follow from what is published ([tests/c64-own](../tests/c64-own/README.md)).

| chip | feature | cases | VICE | VICE 3.7 | documents | bytes | pictures | machines |
|---|---|--:|--:|--:|--:|--:|--:|---|
",
    );
    let mut sums = Row::default();
    for (&at, row) in &rows {
        let (_, chip, feature) = AREAS[at];
        let machines: Vec<String> =
            row.machines.iter().map(|(&machine, count)| format!("{} {count}", MACHINES[machine].1)).collect();
        let cases = row.vice + row.vice_3_7 + row.documents;
        let counts =
            [cases, row.vice, row.vice_3_7, row.documents, row.bytes, row.pictures].map(number).join(" | ");
        writeln!(page, "| {chip} | {feature} | {counts} | {} |", machines.join(", ")).expect("a string");
        for (sum, count) in [
            (&mut sums.vice, row.vice),
            (&mut sums.vice_3_7, row.vice_3_7),
            (&mut sums.documents, row.documents),
            (&mut sums.bytes, row.bytes),
            (&mut sums.pictures, row.pictures),
        ] {
            *sum += count;
        }
    }
    let cases = sums.vice + sums.vice_3_7 + sums.documents;
    let counts = [cases, sums.vice, sums.vice_3_7, sums.documents, sums.bytes, sums.pictures];
    writeln!(page, "| | **all** | {} | |", counts.map(|count| count.to_string()).join(" | "))
        .expect("a string");
    page += "\n### Known differences\n\nPrograms that do not give VICE's result, with the reason; a listed program that passes fails the tests, too.\n\n";
    let known = tempo_testing::text(&tempo_testing::fixtures().join("c64/known-differences.txt"));
    for line in known.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (name, reason) = line.split_once(": ").expect("a name and a reason");
        writeln!(page, "- `{name}`: {reason}").expect("a string");
    }
    page += "\n[What is not exact](c64.md#what-is-not) lists what no program of these measures.\n";
    page +=
        "\n## Around the chips\n\n| part | feature | cases | against | fixtures |\n|---|---|--:|---|---|\n";
    let images = tempo_testing::text(&tempo_testing::fixtures().join("images/expect.json"));
    let images: serde_json::Value = serde_json::from_str(&images).expect("JSON");
    let parts = [
        (
            "CPU",
            "every opcode on random states: registers, memory, bus cycles",
            lines("vectors/opcodes.txt"),
            "the transistor netlist of the 6502",
            "vectors/opcodes.txt",
        ),
        (
            "CPU",
            "IRQ, NMI, RES, RDY and SO in and between instructions",
            lines("vectors/interrupts.txt"),
            "the transistor netlist of the 6502",
            "vectors/interrupts.txt",
        ),
        ("cartridges", "maps, banks, modes", files("cartridges", "json"), "VICE 3.10", "cartridges"),
        (
            "disks and tapes",
            "files of images",
            images.as_object().expect("an object").len(),
            "VICE 3.10, which ran each",
            "images",
        ),
        (
            "1541",
            "commands, sectors read and written, a fast loader, with the ROM of `asm/drive`",
            files("drive", "asm"),
            "the bytes of the disk",
            "drive",
        ),
        (
            "KERNAL",
            "calls, editor, channels, by the screens they leave",
            files("kernal", "screen"),
            "review",
            "kernal",
        ),
    ];
    for (part, feature, count, against, fixtures) in parts {
        writeln!(page, "| {part} | {feature} | {count} | {against} | `tests/{fixtures}` |")
            .expect("a string");
    }
    page += "
Beside the fixtures, random programs compare two ways of ours with each other: a chip that catches up late with one that runs by the cycle (`emu/tests/c64_paths.rs`), and every loop of the CPU with the netlist in lockstep (`emu/tests/netlist.rs`).
`tests/c64-own/random-on-vice.py` compares random programs with VICE, pixel by pixel; the README there has its score.
";
    page
}

#[test]
fn the_page_says_what_the_fixtures_hold() {
    let path = tempo_testing::root().join("docs/exactness.md");
    tempo_testing::compare(&path, &page()).unwrap_or_else(|difference| panic!("{difference}"));
}
