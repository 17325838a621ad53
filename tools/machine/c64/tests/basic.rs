//! The routines of BASIC in our ROMs, called as programs call them: arithmetic against this computer's, numbers to text and
//! back, and the statements that start programs.

use tempo_c64::{End, Session, screen_text};
use tempo_emu::c64::{C64, Model};
use tempo_emu::{Bus, Machine};
use tempo_random::Random;

const LOAD_FAC: u16 = 0xbba2;
const STORE_FAC: u16 = 0xbbd4;
const ADD: u16 = 0xb867;
const SUBTRACT: u16 = 0xb850;
const MULTIPLY: u16 = 0xba28;
const DIVIDE: u16 = 0xbb0f;
const COMPARE: u16 = 0xbc5b;
const TIMES_10: u16 = 0xbae2;
const BY_10: u16 = 0xbafe;
const INT: u16 = 0xbccc;
const TO_TEXT: u16 = 0xbddd;
const FROM_TEXT: u16 = 0xbcf3;
const CHRGOT: u16 = 0x0079;

/// Where the numbers and the calls of the tests are.
const FIRST: u16 = 0xc000;
const SECOND: u16 = 0xc010;
const CODE: u16 = 0xc100;

struct Basic(C64);

impl Basic {
    fn new() -> Basic {
        Basic(C64::new(Model::Pal))
    }

    /// Calls a routine with registers and returns A.
    fn call(&mut self, routine: u16, [a, x, y]: [u8; 3]) -> u8 {
        let [low, high] = routine.to_le_bytes();
        let code = [0xa9, a, 0xa2, x, 0xa0, y, 0x20, low, high, 0x8d, 0xff, 0xc0, 0xa9, 0, 0x8d, 0xff, 0xd7];
        self.0.board.ram_mut()[usize::from(CODE)..][..code.len()].copy_from_slice(&code);
        let machine = &mut self.0;
        let mut fresh = machine.clone();
        fresh.cpu.registers.pc = CODE;
        fresh.cpu.registers.s = 0xf6;
        let end = fresh.run_frames(20);
        assert_eq!(end, tempo_emu::c64::Ended::Exit(0), "${routine:04X}");
        let memory = *fresh.board.ram();
        machine.board.ram_mut()[2..].copy_from_slice(&memory[2..]);
        memory[0xc0ff]
    }

    fn address(addr: u16) -> [u8; 3] {
        let [low, high] = addr.to_le_bytes();
        [low, 0, high]
    }

    fn put(&mut self, addr: u16, number: f64) {
        self.0.load_at(addr, &packed(number));
    }

    /// Loads the first number, calls a routine with the second one, and returns the result.
    fn calculate(&mut self, routine: u16, first: f64, second: f64) -> f64 {
        self.put(FIRST, first);
        self.put(SECOND, second);
        self.call(LOAD_FAC, Self::address(FIRST));
        self.call(routine, Self::address(SECOND));
        let [low, high] = FIRST.to_le_bytes();
        self.call(STORE_FAC, [0, low, high]);
        unpacked(&self.0.board.ram()[usize::from(FIRST)..][..5])
    }

    fn text(&mut self, number: f64) -> String {
        self.put(FIRST, number);
        self.call(LOAD_FAC, Self::address(FIRST));
        self.call(TO_TEXT, [0; 3]);
        let text = &self.0.board.ram()[0x0100..0x0112];
        let len = text.iter().position(|&byte| byte == 0).expect("an end");
        String::from_utf8_lossy(&text[..len]).into_owned()
    }

    fn number(&mut self, text: &str) -> f64 {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.0.load_at(0xc200, &bytes);
        self.0.load_at(0x7a, &[0x00, 0xc2]);
        let code = [0x20, CHRGOT as u8, 0, 0x4c, FROM_TEXT as u8, (FROM_TEXT >> 8) as u8];
        self.0.load_at(0xc180, &code);
        self.call(0xc180, [0; 3]);
        let [low, high] = FIRST.to_le_bytes();
        self.call(STORE_FAC, [0, low, high]);
        unpacked(&self.0.board.ram()[usize::from(FIRST)..][..5])
    }
}

/// A number as BASIC keeps it in memory.
fn packed(number: f64) -> [u8; 5] {
    if number == 0.0 {
        return [0; 5];
    }
    let mut exponent = 128;
    let mut mantissa = number.abs();
    while mantissa >= 1.0 {
        mantissa /= 2.0;
        exponent += 1;
    }
    while mantissa < 0.5 {
        mantissa *= 2.0;
        exponent -= 1;
    }
    let bits = (mantissa * 4_294_967_296.0).round().min(f64::from(u32::MAX)) as u32;
    let [first, second, third, fourth] = bits.to_be_bytes();
    let sign = if number < 0.0 { 0x80 } else { 0 };
    [exponent as u8, first & 0x7f | sign, second, third, fourth]
}

fn unpacked(bytes: &[u8]) -> f64 {
    if bytes[0] == 0 {
        return 0.0;
    }
    let bits = u32::from_be_bytes([bytes[1] | 0x80, bytes[2], bytes[3], bytes[4]]);
    let value = f64::from(bits) / 4_294_967_296.0 * 2f64.powi(i32::from(bytes[0]) - 128);
    if bytes[1] & 0x80 == 0 { value } else { -value }
}

/// Numbers of all sizes, small integers among them, as BASIC can hold them.
fn number(random: &mut Random) -> f64 {
    let bits = random.next_u64();
    let value = match bits % 4 {
        0 => f64::from((bits >> 8) as i16),
        1 => f64::from((bits >> 8) as i32) / 65536.0,
        _ => f64::from((bits >> 8) as u32 | 1) * 2f64.powi((bits >> 56) as i32 % 60 - 60),
    };
    let value = unpacked(&packed(value));
    if bits & 0x80 == 0 { value } else { -value }
}

#[test]
fn arithmetic_is_right_to_the_last_bits() {
    let mut basic = Basic::new();
    let mut random = Random::new(31);
    for _ in 0..150 {
        let (a, b) = (number(&mut random), number(&mut random));
        let check = |name: &str, found: f64, right: f64, scale: f64| {
            assert!((found - right).abs() <= scale * 2f64.powi(-30), "{a} {name} {b}: {found}, not {right}");
        };
        check("+", basic.calculate(ADD, a, b), a + b, a.abs().max(b.abs()));
        check("from", basic.calculate(SUBTRACT, a, b), b - a, a.abs().max(b.abs()));
        check("*", basic.calculate(MULTIPLY, a, b), a * b, (a * b).abs());
        if a != 0.0 {
            check("under", basic.calculate(DIVIDE, a, b), b / a, (b / a).abs());
        }
        check("* 10, not", basic.calculate(TIMES_10, a, b), a * 10.0, a.abs() * 10.0);
        check("/ 10, not", basic.calculate(BY_10, a, b), a / 10.0, a.abs() / 10.0);
        check("int, not", basic.calculate(INT, a, b), a.floor(), 0.0);
        let order = match a.partial_cmp(&b).expect("numbers") {
            std::cmp::Ordering::Less => 0xff,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => 1,
        };
        for (first, second, order) in [(a, b, order), (a, a, 0)] {
            basic.put(FIRST, first);
            basic.put(SECOND, second);
            basic.call(LOAD_FAC, Basic::address(FIRST));
            assert_eq!(basic.call(COMPARE, Basic::address(SECOND)), order, "{first} with {second}");
        }
    }
}

#[test]
fn numbers_have_the_text_that_basic_prints() {
    let mut basic = Basic::new();
    for (number, text) in [
        (0.0, " 0"),
        (1.0, " 1"),
        (-1.0, "-1"),
        (10.0, " 10"),
        (0.5, " .5"),
        (-0.25, "-.25"),
        (0.01, " .01"),
        (0.001, " 1E-03"),
        (123_456_789.0, " 123456789"),
        (999_999_999.0, " 999999999"),
        (1e9, " 1E+09"),
        (1e10, " 1E+10"),
        (1.5e-10, " 1.5E-10"),
        (1e38, " 1E+38"),
        (65535.0, " 65535"),
        (100_000_000.0, " 100000000"),
        (unpacked(&[0x82, 0x49, 0x0f, 0xda, 0xa1]), " 3.14159265"),
        (1.0 / 3.0, " .333333333"),
        (99_999_999.95, " 100000000"),
    ] {
        assert_eq!(basic.text(number), text);
    }
}

#[test]
fn texts_are_read_as_numbers() {
    let mut basic = Basic::new();
    for (text, number) in [
        ("0", 0.0),
        ("1", 1.0),
        ("-1.5", -1.5),
        (" 6 5 5 3 5", 65535.0),
        (".5", 0.5),
        ("1E3", 1000.0),
        ("2.5E-3", 0.0025),
        ("+12.25E+2", 1225.0),
        ("1E10", 1e10),
        ("2.71590265", 2.715_902_65),
        ("7,8", 7.0),
        ("1.2.3", 1.2),
    ] {
        let found = basic.number(text);
        assert!((found - number).abs() <= number.abs() * 2f64.powi(-29), "{text}: {found}");
    }
    let mut random = Random::new(5);
    for _ in 0..40 {
        let value = number(&mut random);
        let text = basic.text(value);
        let again = basic.number(text.trim());
        assert!((again - value).abs() <= value.abs() * 1e-8, "{value} is {text}, which is {again}");
    }
}

/// Starts machine code at $C000, and returns the screen after 60 frames, and the end.
fn run(lines: &[(u16, &[u8])], code: &[u8]) -> (Option<End>, C64) {
    let mut machine = C64::new(Model::Pal);
    let mut at = 0x0801_u16;
    for &(number, text) in lines {
        let next = at + 5 + text.len() as u16;
        let mut line = next.to_le_bytes().to_vec();
        line.extend(number.to_le_bytes());
        line.extend(text);
        line.push(0);
        machine.load_at(at, &line);
        at = next;
    }
    machine.load_at(at, &[0, 0]);
    machine.start(&[&[0x00, 0xc0][..], code].concat()).expect("a program");
    let end = (at + 2).to_le_bytes();
    machine.load_at(0x2d, &end);
    let mut session = Session::new(machine);
    let end = session.run_frames(60);
    (end, session.machine.c64_mut().expect("a C64").clone())
}

fn screen(machine: &C64) -> String {
    screen_text(&tempo_emu::AnyComputer::from(machine.clone()))
}

#[test]
fn a_depacker_starts_the_basic_program_that_it_unpacked() {
    // jsr $A659: CLR, the text at the program's start; jmp $A7AE: the next statement.
    let code = [0x20, 0x59, 0xa6, 0x4c, 0xae, 0xa7];
    // POKE 49408,(2+3*4)/2: SYS 49216
    let lines: &[(u16, &[u8])] = &[
        (10, b"\x8f A REMARK:\x9e1"),
        (20, b"\x9749408,(2\xaa3\xac4)\xad2:\x97 49409,\xc2(49408)\xaa1"),
        (30, b"\x8940"),
        (35, b"\x80"),
        (40, b"\x99\"HELLO\";65535,\xab.5:\x9e49216"),
    ];
    let mut program = code.to_vec();
    program.resize(0x40, 0);
    // lda #3, sta $d7ff
    program.extend([0xba, 0x8e, 0x02, 0xc1, 0xa9, 0x03, 0x8d, 0xff, 0xd7]);
    let (end, machine) = run(lines, &program);
    let screen = screen(&machine);
    assert_eq!(end, Some(End::Exit(3)), "{screen}");
    assert_eq!(machine.board.ram()[0xc100..0xc103], [7, 8, 0xf6], "and the stack is that of SYS");
    assert!(screen.contains("HELLO 65535"), "{screen}");
    assert!(screen.contains("-.5"), "{screen}");
}

#[test]
fn lines_get_their_links_and_run_runs() {
    // jsr $A533: links; lda #0; jsr $A871: RUN; jmp $A7AE
    let code = [0x20, 0x33, 0xa5, 0xa9, 0, 0x20, 0x71, 0xa8, 0x4c, 0xae, 0xa7];
    let (end, machine) = run(&[(1, b"\x99\"ONE\""), (2, b"\x9e55295")], &code);
    // SYS 55295 is $D7FF, which is not code: a break.
    assert_eq!(end, None);
    assert!(screen(&machine).contains("READY."));
    let (end, machine) = run(&[(1, b"\x99\"ONE\""), (2, b"\x99\xab7"), (3, b"\x97 700,2,3")], &code);
    assert_eq!(end, None);
    let screen = screen(&machine);
    assert!(screen.contains("ONE\n-7\n"), "{screen}");
    assert!(screen.contains("?SYNTAX  ERROR IN 3"), "{screen}");
}

#[test]
fn an_entry_that_is_absent_is_known() {
    // FOR, by the interpreter; a call of SIN, and of the tape's motor.
    for (code, absent) in [
        (&[0x20, 0x59, 0xa6, 0x4c, 0xae, 0xa7][..], 0xa742),
        (&[0x20, 0x6b, 0xe2], 0xe26b),
        (&[0x20, 0xca, 0xfc], 0xfcca),
        (&[0x6c, 0x00, 0xa0][..], 0),
    ] {
        let (end, machine) = run(&[(1, b"\x81I\xb21\xa42")], code);
        if absent == 0 {
            assert_eq!(end, None, "a cold start");
            assert!(screen(&machine).contains("TEMPO KERNAL"));
        } else {
            assert_eq!((end, machine.absent_entry()), (Some(End::Jammed), Some(absent)));
        }
    }
    let mut machine = C64::new(Model::Pal);
    machine.start(&[0x00, 0xc0, 0xf2]).expect("a program");
    machine.run_frames(1);
    assert_eq!(machine.absent_entry(), None, "a program that stops itself");
    assert_eq!(machine.board.look(0xc000), Some(0xf2));
}

#[test]
fn a_gap_is_opened_in_memory() {
    for (len, distance) in [(1_u16, 1_u16), (255, 7), (256, 256), (257, 3), (3000, 100), (5000, 5000)] {
        let mut basic = Basic::new();
        let source: Vec<u8> = (0..len).map(|at| ((at * 7) >> 2) as u8).collect();
        basic.0.load_at(0x2000, &source);
        let (end, goal) = (0x2000 + len, 0x2000 + len + distance);
        basic.0.load_at(0x5f, &0x2000_u16.to_le_bytes());
        basic.0.load_at(0x5a, &end.to_le_bytes());
        basic.0.load_at(0x58, &goal.to_le_bytes());
        basic.call(0xa3bf, [0; 3]);
        let at = usize::from(0x2000 + distance);
        assert_eq!(basic.0.board.ram()[at..at + source.len()], source[..], "{len} bytes by {distance}");
    }
}
