//! A machine with a console: a store to $F001 prints a character, a load from $F004 reads one key, or 0 if there is
//! none. The program greets, then prints what is typed in upper case until it reads 0.
//!
//! `cargo run -p tempo-emu --example console`

use tempo_emu::{Bus, Cpu, Nmos, Pins, Stop, Until};

/// 64 KB of RAM with two device registers in it.
struct Machine {
    ram: [u8; 0x10000],
    keys: std::vec::IntoIter<u8>,
    screen: String,
}

impl Bus for Machine {
    const PINS: Pins = Pins::NONE;

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        match addr {
            0xf004 => self.keys.next().unwrap_or(0),
            _ => self.ram[usize::from(addr)],
        }
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        match addr {
            0xf001 => self.screen.push(char::from(value)),
            _ => self.ram[usize::from(addr)] = value,
        }
    }
}

#[rustfmt::skip]
const PROGRAM: [u8; 43] = [
    0xa2, 0x00,        //         ldx #0
    0xbd, 0x1f, 0x10,  // greet:  lda text,x
    0xf0, 0x06,        //         beq echo
    0x8d, 0x01, 0xf0,  //         sta $f001
    0xe8,              //         inx
    0xd0, 0xf5,        //         bne greet
    0xad, 0x04, 0xf0,  // echo:   lda $f004
    0xf0, 0x0c,        //         beq done
    0xc9, 0x61,        //         cmp #'a'
    0x90, 0x02,        //         bcc print
    0xe9, 0x20,        //         sbc #$20        // C is set: 'a' becomes 'A'
    0x8d, 0x01, 0xf0,  // print:  sta $f001
    0x4c, 0x0d, 0x10,  //         jmp echo
    0x00,              // done:   brk
    b'w', b'h', b'o', b' ', b'i', b's', b' ', b'i', b't', b'?', b' ', 0x00, // text
];

fn main() {
    let keys = b"a 6502\n".to_vec().into_iter();
    let mut machine = Machine { ram: [0; 0x10000], keys, screen: String::new() };
    machine.ram[0x1000..0x1000 + PROGRAM.len()].copy_from_slice(&PROGRAM);

    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers.pc = 0x1000;
    let stop = cpu.run(&mut machine, Until::brk().within(10_000));

    print!("{}", machine.screen);
    println!("{} after {} cycles", cpu.registers, cpu.cycles);
    assert_eq!((stop, machine.screen.as_str()), (Stop::Brk, "who is it? A 6502\n"));
}
