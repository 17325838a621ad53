//! Decimal `adc` and `sbc` for every accumulator, operand and carry, valid BCD or not, with N, V, Z and C,
//! against Bruce Clark's statement of the algorithm, written here from its sentences and not from ours.

use tempo_emu::{Cmos, Cpu, Nmos, Ram, Ricoh2A03, Status, Variant};

/// A result: the accumulator and N, V, Z, C.
type Answer = (u8, bool, bool, bool, bool);

/// Runs `sed; op #m` with A and C set.
fn run<V: Variant>(ram: &mut Ram, opcode: u8, a: u8, m: u8, c: bool) -> Answer {
    ram.load(0x0200, &[opcode, m]).expect("it fits");
    let mut cpu = Cpu::<V>::new();
    (cpu.registers.pc, cpu.registers.a) = (0x0200, a);
    cpu.registers.p = Status::from_byte(Status::D | u8::from(c));
    cpu.step(ram);
    let has = |flag| cpu.registers.p.has(flag);
    (cpu.registers.a, has(Status::N), has(Status::V), has(Status::Z), has(Status::C))
}

/// Compares all 131,072 inputs of one instruction and counts them.
fn compare<V: Variant>(opcode: u8, expected: impl Fn(i32, i32, i32) -> Answer) {
    let mut ram = Box::new(Ram::new());
    let mut count = 0;
    for a in 0..=255u8 {
        for m in 0..=255u8 {
            for c in [false, true] {
                let found = run::<V>(&mut ram, opcode, a, m, c);
                let expected = expected(i32::from(a), i32::from(m), i32::from(c));
                assert_eq!(found, expected, "opcode {opcode:02x}, A={a:02x}, operand {m:02x}, C={c}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 2 * 256 * 256);
}

fn signed(value: i32) -> i32 {
    i32::from(value as u8 as i8)
}

/// Sequence 1: AL = (A & $0F) + (B & $0F) + C; if AL >= $0A, AL = ((AL + $06) & $0F) + $10;
/// A = (A & $F0) + (B & $F0) + AL; if A >= $A0, A = A + $60; C if A >= $100.
fn sequence_1(a: i32, b: i32, c: i32) -> (u8, bool) {
    let mut al = (a & 0x0f) + (b & 0x0f) + c;
    if al >= 0x0a {
        al = ((al + 6) & 0x0f) + 0x10;
    }
    let mut sum = (a & 0xf0) + (b & 0xf0) + al;
    if sum >= 0xa0 {
        sum += 0x60;
    }
    (sum as u8, sum >= 0x100)
}

/// Sequence 2, the signed sum before the high digit is corrected, gives N and V on the NMOS chip.
fn sequence_2(a: i32, b: i32, c: i32) -> (bool, bool) {
    let mut al = (a & 0x0f) + (b & 0x0f) + c;
    if al >= 0x0a {
        al = ((al + 6) & 0x0f) + 0x10;
    }
    let sum = signed(a & 0xf0) + signed(b & 0xf0) + al;
    (sum & 0x80 != 0, !(-128..=127).contains(&sum))
}

/// Sequence 3: the NMOS difference, digit by digit.
fn sequence_3(a: i32, b: i32, c: i32) -> u8 {
    let mut al = (a & 0x0f) - (b & 0x0f) + c - 1;
    if al < 0 {
        al = ((al - 6) & 0x0f) - 0x10;
    }
    let mut difference = (a & 0xf0) - (b & 0xf0) + al;
    if difference < 0 {
        difference -= 0x60;
    }
    difference as u8
}

/// Sequence 4: the 65C02's difference.
fn sequence_4(a: i32, b: i32, c: i32) -> u8 {
    let al = (a & 0x0f) - (b & 0x0f) + c - 1;
    let mut difference = a - b + c - 1;
    if difference < 0 {
        difference -= 0x60;
    }
    if al < 0 {
        difference -= 6;
    }
    difference as u8
}

fn binary_sum(a: i32, b: i32, c: i32) -> Answer {
    let (sum, range) = (a + b + c, signed(a) + signed(b) + c);
    (sum as u8, sum & 0x80 != 0, !(-128..=127).contains(&range), sum as u8 == 0, sum > 0xff)
}

fn binary_difference(a: i32, b: i32, c: i32) -> Answer {
    let (difference, range) = (a - b + c - 1, signed(a) - signed(b) + c - 1);
    (
        difference as u8,
        difference & 0x80 != 0,
        !(-128..=127).contains(&range),
        difference as u8 == 0,
        difference >= 0,
    )
}

const ADC: u8 = 0x69;
const SBC: u8 = 0xe9;

#[test]
fn nmos_adc() {
    compare::<Nmos>(ADC, |a, b, c| {
        let ((sum, carry), (n, v)) = (sequence_1(a, b, c), sequence_2(a, b, c));
        (sum, n, v, (a + b + c) as u8 == 0, carry)
    });
}

#[test]
fn nmos_sbc() {
    compare::<Nmos>(SBC, |a, b, c| {
        let (_, n, v, z, carry) = binary_difference(a, b, c);
        (sequence_3(a, b, c), n, v, z, carry)
    });
}

#[test]
fn cmos_adc() {
    compare::<Cmos>(ADC, |a, b, c| {
        let ((sum, carry), (_, v)) = (sequence_1(a, b, c), sequence_2(a, b, c));
        (sum, sum & 0x80 != 0, v, sum == 0, carry)
    });
}

#[test]
fn cmos_sbc() {
    compare::<Cmos>(SBC, |a, b, c| {
        let (_, _, v, _, carry) = binary_difference(a, b, c);
        let difference = sequence_4(a, b, c);
        (difference, difference & 0x80 != 0, v, difference == 0, carry)
    });
}

#[test]
fn without_decimal_mode_the_flag_changes_nothing() {
    compare::<Ricoh2A03>(ADC, binary_sum);
    compare::<Ricoh2A03>(SBC, binary_difference);
}
