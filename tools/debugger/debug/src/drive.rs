//! The CPU of a whole 1541 beside the machine's: what it is at, and what the head does. It runs, and goes back, with the
//! machine.

use tempo_emu::c64::Drive1541;

/// The instructions that come next, by their addresses.
pub fn drive_instructions(drive: &Drive1541, count: usize) -> Vec<(u16, String)> {
    let mut at = drive.registers().pc;
    let mut next = || {
        let bytes = [0, 1, 2].map(|offset| drive.peek(at.wrapping_add(offset)));
        let instruction = tempo_emu::disassemble(tempo_isa::Cpu::Mos6502, at, bytes);
        let found = (at, instruction.to_string());
        at = instruction.next();
        found
    };
    (0..count).map(|_| next()).collect()
}

/// Names and values of what the drive's mechanics do.
pub fn drive_state(drive: &Drive1541) -> [(&'static str, String); 3] {
    let head = drive.half_track();
    let is_on = |is_on: bool| if is_on { "on" } else { "off" }.to_string();
    [
        ("track", format!("{}{}", head / 2 + 1, if head.is_multiple_of(2) { "" } else { ".5" })),
        ("motor", is_on(drive.has_motor())),
        ("light", is_on(drive.has_light())),
    ]
}
