//! Who drew a pixel: found by experiment. The frame is run again from just before the pixel with one thing changed, a colour
//! register or a byte of memory; what changes the pixel drew it. Addresses are worked out from the registers at that
//! moment, and each says whether the experiment confirmed it.

use serde::Serialize;
use tempo_c64::Session;
use tempo_emu::c64::{C64, WIDTH};

/// A byte that a pixel was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Byte {
    /// Its part in the pixel: `colour`, `graphics`, `code`, `pointer`.
    pub role: &'static str,
    /// Where it is.
    pub address: u16,
    /// Its contents.
    pub value: u8,
    /// Whether it is in the character ROM.
    pub is_rom: bool,
    /// Whether the pixel was another one when this byte was.
    pub is_confirmed: bool,
}

/// How a pixel came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// `border`, `background`, `sprite`, `character` or `bitmap`.
    pub kind: &'static str,
    /// The number of the colour.
    pub colour: u8,
    /// The sprite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprite: Option<u8>,
    /// The row and column of the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<(u16, u16)>,
    /// The raster line and the cycle in it.
    pub beam: (u16, u8),
    /// The cycle since the start.
    pub cycle: u64,
    /// The bytes that it was made of.
    pub bytes: Vec<Byte>,
}

/// The first picture row's line, by the height of the picture.
fn first_line(machine: &C64) -> u16 {
    machine.board.model().first_line()
}

/// One pixel in the frame that a session is about to run.
struct Experiment<'a> {
    before: &'a Session,
    x: usize,
    y: usize,
    colour: u8,
}

/// Explains a pixel of the picture that the next frame of a C64 draws.
pub fn explain(before: &Session, x: usize, y: usize) -> Option<Drawn> {
    let machine = before.machine.c64()?;
    let timing = before.machine.timing();
    if x >= WIDTH || y >= before.machine.picture().height() {
        return None;
    }
    let line = (first_line(machine) + y as u16) % timing.lines;
    let beam = (line, 14 + (x / 8) as u8);
    let cycle_of = |beam: (u16, u8)| {
        let (now, frame) = (before.machine.cycles(), timing.cycles_per_frame());
        now + (timing.cycles_to(beam) + frame - now % frame) % frame
    };
    let cycle = cycle_of(beam);
    let mut experiment = Experiment { before, x, y, colour: 0 };
    experiment.colour = experiment.finish(before.clone());
    // A colour that changes in the cycle of a pixel comes too late for its first ones.
    let at = run_before(before, cycle.saturating_sub(2).max(before.machine.cycles()));
    let other = (experiment.colour + 1) & 15;
    let register = (0xd020..=0xd02e).find(|&register| {
        let mut changed = at.clone();
        poke_io(&mut changed, register, other);
        experiment.is_other(changed)
    });
    let mut drawn = Drawn {
        kind: "character",
        colour: experiment.colour,
        sprite: None,
        cell: None,
        beam,
        cycle,
        bytes: Vec::new(),
    };
    if let Some(register) = register {
        let value = at.machine.peek_register(register) & 15;
        drawn.bytes.push(Byte {
            role: "colour",
            address: register,
            value,
            is_rom: false,
            is_confirmed: true,
        });
    }
    // Sprites are fetched from cycle 58 of the line before on, rows of text in the last bad line.
    let line_before = run_before(before, cycle_of((line, 1)).saturating_sub(20).max(before.machine.cycles()));
    let rows_before =
        run_before(before, cycle.saturating_sub(9 * timing.cycles_per_line).max(before.machine.cycles()));
    match register {
        Some(0xd020) => drawn.kind = "border",
        Some(register @ 0xd025..=0xd02e) => {
            drawn.kind = "sprite";
            let own = register.checked_sub(0xd027).map(|n| n as u8);
            experiment.sprite(&mut drawn, &line_before, own, line);
        }
        _ => {
            experiment.graphics(&mut drawn, &at, &line_before, &rows_before, line);
            if register.is_some() {
                drawn.kind = "background";
            }
        }
    }
    Some(drawn)
}

impl Experiment<'_> {
    /// The colour of the pixel when the frame is over.
    fn finish(&self, mut session: Session) -> u8 {
        let frame = self.before.frames();
        while session.frames() == frame && session.run_frame().is_none() {}
        let picture = session.machine.picture();
        picture.pixels[self.y * picture.width + self.x]
    }

    fn is_other(&self, session: Session) -> bool {
        self.finish(session) != self.colour
    }

    /// A byte of RAM, flipped in a machine: whether the pixel changes.
    fn depends_on(&self, at: &Session, addr: u16) -> bool {
        let mut changed = at.clone();
        let value = changed.machine.ram()[usize::from(addr)];
        // Every pair of bits becomes another one, also in multicolour.
        [0xff, 0x55, 0xaa].into_iter().any(|mask| {
            changed = at.clone();
            changed.machine.load_at(addr, &[value ^ mask]);
            self.is_other(changed.clone())
        })
    }

    fn ram_byte(&self, at: &Session, role: &'static str, address: u16) -> Byte {
        let value = at.machine.ram()[usize::from(address)];
        Byte { role, address, value, is_rom: false, is_confirmed: self.depends_on(at, address) }
    }

    fn sprite(&self, drawn: &mut Drawn, at: &Session, own: Option<u8>, line: u16) {
        let io = |register: u16| at.machine.peek_register(register);
        let Some(board) = at.machine.c64().map(|machine| &machine.board) else { return };
        let (base, bank) = (board.screen_base(), board.screen_base() & 0xc000);
        for n in own.map_or(0..8, |n| n..n + 1) {
            let bit = |register: u16| io(register) >> n & 1;
            let x = u16::from(io(0xd000 + 2 * u16::from(n))) | u16::from(bit(0xd010)) << 8;
            let row = (line as u8).wrapping_sub(io(0xd001 + 2 * u16::from(n))).wrapping_sub(1) >> bit(0xd017);
            // The pixel with the coordinate 0 is the ninth of the picture.
            let column = (self.x as i32 - 8 - i32::from(x)) >> bit(0xd01d);
            if bit(0xd015) == 0 || row > 20 || !(0..24).contains(&column) {
                continue;
            }
            let pointer = base + 0x3f8 + u16::from(n);
            let block = u16::from(at.machine.ram()[usize::from(pointer)]) << 6;
            let address = bank | (block + u16::from(row) * 3 + column as u16 / 8);
            let byte = self.ram_byte(at, "graphics", address);
            if own.is_none() && !byte.is_confirmed {
                continue;
            }
            drawn.sprite = Some(n);
            drawn.bytes.push(byte);
            drawn.bytes.push(self.ram_byte(at, "pointer", pointer));
            return;
        }
    }

    fn graphics(
        &self,
        drawn: &mut Drawn,
        at: &Session,
        line_before: &Session,
        rows_before: &Session,
        line: u16,
    ) {
        let io = |register: u16| at.machine.peek_register(register);
        let Some(board) = at.machine.c64().map(|machine| &machine.board) else { return };
        let (base, bank) = (board.screen_base(), board.screen_base() & 0xc000);
        let (control, columns, memory) = (io(0xd011), io(0xd016), io(0xd018));
        let row = i32::from(line) - 48 - i32::from(control & 7);
        let column = (self.x as i32 - 32 - i32::from(columns & 7)).div_euclid(8);
        if !(0..200).contains(&row) || !(0..40).contains(&column) {
            return;
        }
        let (cell_row, rc, column) = ((row / 8) as u16, (row % 8) as u16, column as u16);
        let cell = cell_row * 40 + column;
        drawn.cell = Some((cell_row, column));
        let mut code = self.ram_byte(rows_before, "code", base + cell);
        // The byte that the row was read from; the screen may have changed since.
        code.value = at.machine.ram()[usize::from(code.address)];
        let is_bitmap = control & 0x20 != 0;
        let graphics = if is_bitmap {
            bank | u16::from(memory & 8) << 10 | cell << 3 | rc
        } else {
            let mask = if control & 0x40 != 0 { 0x3f } else { 0xff };
            bank | ((u16::from(memory & 0x0e) << 10) + (u16::from(code.value & mask) << 3) + rc)
        };
        let is_rom = bank & 0x4000 == 0 && graphics & 0x3000 == 0x1000;
        drawn.kind = if is_bitmap { "bitmap" } else { "character" };
        if is_rom {
            let value = character_rom(at, graphics);
            drawn.bytes.push(Byte {
                role: "graphics",
                address: graphics,
                value,
                is_rom: true,
                is_confirmed: false,
            });
        } else {
            drawn.bytes.push(self.ram_byte(line_before, "graphics", graphics));
        }
        let colour = 0xd800 + cell;
        let mut changed = rows_before.clone();
        poke_io(&mut changed, colour, (drawn.colour + 1) & 15);
        let is_confirmed = self.is_other(changed);
        if is_confirmed {
            let value = board.colours()[usize::from(cell)] & 15;
            drawn
                .bytes
                .insert(0, Byte { role: "colour", address: colour, value, is_rom: false, is_confirmed });
        }
        drawn.bytes.push(code);
    }
}

/// A byte of the character ROM, which the VIC sees at $1000.
fn character_rom(at: &Session, addr: u16) -> u8 {
    let mut seen = at.clone();
    let port = seen.machine.peek(1);
    seen.machine.poke(1, port & !7 | 1);
    seen.machine.peek(0xd000 + (addr & 0x0fff))
}

/// Writes to a chip, whatever the CPU sees there.
fn poke_io(session: &mut Session, addr: u16, value: u8) {
    let port = session.machine.peek(1);
    session.machine.poke(1, port & !7 | 5);
    session.machine.poke(addr, value);
    session.machine.poke(1, port);
}

/// The session at the last instruction that begins no later than a cycle.
fn run_before(from: &Session, cycle: u64) -> Session {
    let mut session = from.clone();
    // An instruction takes at most eight cycles, and 43 or 19 more if the VIC has the bus.
    let near = cycle.saturating_sub(100);
    if session.machine.cycles() < near {
        session.run_within_frame(near, &mut tempo_emu::NoHooks);
    }
    loop {
        let last = session.clone();
        let now = session.machine.cycles();
        let end = session.run_within_frame(now + 1, &mut tempo_emu::NoHooks);
        if session.machine.cycles() > cycle || end.is_some() || session.machine.cycles() == now {
            return last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_emu::System;

    /// `10 SYS 2061`, then the code.
    fn session(code: &[u8]) -> Session {
        let mut prg =
            vec![0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00];
        prg.extend_from_slice(code);
        let mut machine = System::C64Pal.computer().expect("a computer");
        machine.start(&prg).expect("a program");
        let mut session = Session::new(machine);
        (0..3).for_each(|_| assert_eq!(session.run_frame(), None));
        session
    }

    /// sei; lda #1; sta $0400 (A in the first cell); lda #5; sta $d800; lda #1; sta $d015; lda #100; sta $d000; sta $d001;
    /// lda #$c0; sta $07f8; lda #$ff; sta $3000; jmp *
    const PROGRAM: [u8; 40] = [
        0x78, 0xa9, 1, 0x8d, 0, 4, 0xa9, 5, 0x8d, 0, 0xd8, 0xa9, 1, 0x8d, 0x15, 0xd0, 0xa9, 100, 0x8d, 0,
        0xd0, 0x8d, 1, 0xd0, 0xa9, 0xc0, 0x8d, 0xf8, 7, 0xa9, 0xff, 0x8d, 0, 0x30, 0xea, 0xea, 0xea, 0x4c,
        0x32, 0x08,
    ];

    fn byte(drawn: &Drawn, role: &str) -> (u16, bool) {
        let found = drawn.bytes.iter().find(|byte| byte.role == role).expect("a byte of this role");
        (found.address, found.is_confirmed)
    }

    #[test]
    fn border_and_background_are_their_registers() {
        let session = session(&PROGRAM);
        let border = explain(&session, 5, 5).expect("a pixel");
        assert_eq!((border.kind, byte(&border, "colour")), ("border", (0xd020, true)));
        let ground = explain(&session, 200, 150).expect("a pixel");
        assert_eq!((ground.kind, byte(&ground, "colour")), ("background", (0xd021, true)));
        assert_eq!(explain(&session, 384, 0), None);
    }

    #[test]
    fn a_character_has_its_cell_its_colour_and_its_code() {
        let session = session(&PROGRAM);
        // The A of the character ROM has its peak in the middle of its first row.
        let drawn = (32..40).filter_map(|x| explain(&session, x, 35)).find(|drawn| drawn.kind == "character");
        let drawn = drawn.expect("a pixel of the letter");
        assert_eq!((drawn.cell, drawn.colour), (Some((0, 0)), 5));
        assert_eq!((byte(&drawn, "colour"), byte(&drawn, "code")), ((0xd800, true), (0x0400, true)));
        assert_eq!(byte(&drawn, "graphics").0, 0x1008);
    }

    #[test]
    fn a_sprite_has_its_byte_and_its_pointer() {
        let session = session(&PROGRAM);
        // X 100 is pixel 108, and the first row is in line 101, which is row 85.
        let drawn = explain(&session, 108, 101 - 16).expect("a pixel");
        assert_eq!((drawn.kind, drawn.sprite), ("sprite", Some(0)), "{drawn:?}");
        assert_eq!((byte(&drawn, "graphics"), byte(&drawn, "pointer").0), ((0x3000, true), 0x07f8));
    }
}
