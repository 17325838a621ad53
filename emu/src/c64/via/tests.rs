use alloc::vec::Vec;

use super::*;

/// A chip whose registers have been written, one in each cycle.
fn via(writes: &[(u8, u8)]) -> Via {
    let mut via = Via::new();
    for &(number, value) in writes {
        via.tick();
        via.write(number, value);
    }
    via
}

/// The values of a register in the next cycles.
fn values(via: &mut Via, number: u8, cycles: usize) -> Vec<u8> {
    (0..cycles)
        .map(|_| {
            via.tick();
            via.peek(number)
        })
        .collect()
}

#[test]
fn timer_1_counts_once_and_starts_again_without_an_interrupt() {
    let mut one = via(&[(register::IER, 0xc0), (register::T1_LOW, 3), (register::T1_HIGH, 0)]);
    let mut flags = one.clone();
    assert_eq!(values(&mut one, register::T1_LOW, 11), [3, 2, 1, 0, 0xff, 3, 2, 1, 0, 0xff, 3]);
    // The flag and the line come with the cycle in which the counter has passed zero.
    assert_eq!(values(&mut flags, register::IFR, 6), [0, 0, 0, 0, 0xc0, 0xc0]);
    assert!(flags.is_requesting());
    // The low byte takes the flag back; without another start there is no second one.
    assert_eq!(flags.read(register::T1_LOW), 3);
    assert_eq!(values(&mut flags, register::IFR, 20), [0; 20]);
}

#[test]
fn timer_1_runs_freely_with_a_period_of_two_more_than_its_latch() {
    let mut via = via(&[(register::ACR, 0xc0), (register::T1_LOW, 2), (register::T1_HIGH, 0)]);
    let mut flags = Vec::new();
    let mut pb7 = Vec::new();
    for cycle in 1..=13 {
        via.tick();
        if via.peek(register::IFR) & flag::T1 != 0 {
            flags.push(cycle);
            via.read(register::T1_LOW);
        }
        pb7.push(via.port_b() >> 7);
    }
    assert_eq!(flags, [4, 8, 12]);
    assert_eq!(pb7, [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1]);
    // A new latch counts from the next round on, and its high byte takes the flag back.
    via.write(register::T1_LATCH_LOW, 7);
    via.write(register::T1_LATCH_HIGH, 0);
    assert_eq!(
        values(&mut via, register::T1_LOW, 8),
        [2, 1, 0, 0xff, 7, 6, 5, 4][1..].iter().chain(&[3]).copied().collect::<Vec<_>>()
    );
}

#[test]
fn pb7_is_low_from_the_start_to_the_end_of_a_count() {
    let mut via = via(&[(register::ACR, 0x80), (register::T1_LOW, 2), (register::T1_HIGH, 0)]);
    let levels: Vec<u8> = (0..8)
        .map(|_| {
            via.tick();
            via.port_b() >> 7
        })
        .collect();
    assert_eq!(levels, [0, 0, 0, 1, 1, 1, 1, 1]);
}

#[test]
fn timer_2_counts_once_and_goes_on_from_its_end() {
    let mut via = via(&[(register::T2_LOW, 2), (register::T2_HIGH, 1)]);
    let mut high = via.clone();
    assert_eq!(values(&mut via, register::T2_LOW, 5), [2, 1, 0, 0xff, 0xfe]);
    assert_eq!(values(&mut high, register::T2_HIGH, 5), [1, 1, 1, 0, 0]);
    assert_eq!(values(&mut via, register::IFR, 254), [0; 254]);
    via.tick();
    assert_eq!(via.peek(register::IFR), flag::T2);
    assert_eq!((via.read(register::T2_LOW), via.peek(register::IFR)), (0xff, 0));
}

#[test]
fn timer_2_counts_the_falls_of_pb6() {
    let mut via = via(&[(register::ACR, 0x20), (register::T2_LOW, 1), (register::T2_HIGH, 0)]);
    via.tick();
    for (level, expected) in [(0xbf, 0), (0xbf, 0), (0xff, 0), (0xbf, 0xff)] {
        via.set_port_b(level);
        via.tick();
        assert_eq!(via.peek(register::T2_LOW), expected);
    }
    assert_eq!(via.peek(register::IFR), flag::T2);
}

#[test]
fn the_shift_register_sends_a_bit_in_two_cycles() {
    let mut via = via(&[(register::ACR, 0x18), (register::SHIFT, 0xa5)]);
    let mut lines = Vec::new();
    let mut flagged = None;
    for cycle in 1..=20 {
        via.tick();
        lines.push((via.cb1(), via.cb2()));
        if flagged.is_none() && via.peek(register::IFR) == flag::SHIFT {
            flagged = Some(cycle);
        }
    }
    // Between the write and the first fall of the clock is a cycle; the flag comes with the eighth rise.
    assert_eq!(flagged, Some(17));
    let bits: Vec<bool> =
        lines.windows(2).filter(|pair| pair[0].0 && !pair[1].0).map(|pair| pair[1].1).collect();
    assert_eq!(bits, [true, false, true, false, false, true, false, true]);
    // The bits have gone round.
    assert_eq!((via.read(register::SHIFT), via.peek(register::IFR)), (0xa5, 0));
}

#[test]
fn timer_2_sets_the_pace_of_the_shift_register() {
    let mut via = via(&[(register::ACR, 0x14), (register::T2_LOW, 3), (register::SHIFT, 0x80)]);
    let clock: Vec<bool> = (0..16)
        .map(|_| {
            via.tick();
            via.cb1()
        })
        .collect();
    let changes: Vec<usize> = (1..16).filter(|&at| clock[at] != clock[at - 1]).collect();
    assert_eq!(changes, [4, 9, 14]);
}

#[test]
fn the_shift_register_receives_by_a_clock_from_outside() {
    let mut via = via(&[(register::ACR, 0x0c)]);
    for at in 0..8 {
        via.set_line(Line::Cb1, false);
        via.set_line(Line::Cb2, 0x3a_u8 >> (7 - at) & 1 != 0);
        assert_eq!(via.peek(register::IFR) & flag::SHIFT, 0, "bit {at}");
        via.set_line(Line::Cb1, true);
    }
    assert_eq!((via.peek(register::IFR) & flag::SHIFT, via.read(register::SHIFT)), (flag::SHIFT, 0x3a));
}

#[test]
fn edges_of_the_control_lines_raise_flags_and_accesses_to_the_port_take_them_back() {
    // CA1 falling, CA2 rising; CB1 rising, CB2 falling and independent.
    let mut via = via(&[(register::PCR, 0b0011_0100)]);
    for line in [Line::Ca1, Line::Ca2, Line::Cb1, Line::Cb2] {
        via.set_line(line, false);
    }
    assert_eq!(via.peek(register::IFR), flag::CA1 | flag::CB2);
    for line in [Line::Ca1, Line::Ca2, Line::Cb1, Line::Cb2] {
        via.set_line(line, true);
    }
    assert_eq!(via.peek(register::IFR), flag::CA1 | flag::CA2 | flag::CB1 | flag::CB2);
    via.read(register::ORA_QUIET);
    assert_eq!(via.peek(register::IFR), flag::CA1 | flag::CA2 | flag::CB1 | flag::CB2);
    via.read(register::ORA);
    via.write(register::ORB, 0);
    assert_eq!(via.peek(register::IFR), flag::CB2);
    via.write(register::IER, 0x80 | flag::CB2);
    assert_eq!((via.peek(register::IFR), via.peek(register::IER)), (flag::ANY | flag::CB2, 0x80 | flag::CB2));
    via.write(register::IFR, flag::CB2);
    via.write(register::IER, flag::CB2);
    assert_eq!((via.peek(register::IFR), via.peek(register::IER)), (0, 0x80));
}

#[test]
fn a_handshake_waits_for_the_answer_and_a_pulse_for_a_cycle() {
    // CA2: handshake, by reads and writes. CB2: by writes only.
    let mut via = via(&[(register::PCR, 0b1000_1000)]);
    via.read(register::ORB);
    assert!(via.ca2() && via.cb2());
    via.read(register::ORA);
    via.write(register::ORB, 0);
    for _ in 0..9 {
        via.tick();
        assert!(!via.ca2() && !via.cb2());
    }
    via.set_line(Line::Ca1, false);
    via.set_line(Line::Cb1, false);
    assert!(via.ca2() && via.cb2());
    // A pulse of a cycle.
    via.write(register::PCR, 0b1010_1010);
    via.write(register::ORA, 0);
    via.write(register::ORB, 0);
    let levels: Vec<(bool, bool)> = (0..3)
        .map(|_| {
            via.tick();
            (via.ca2(), via.cb2())
        })
        .collect();
    assert_eq!(levels, [(false, false), (true, true), (true, true)]);
    // Fixed levels.
    via.write(register::PCR, 0b1110_1100);
    assert!(!via.ca2() && via.cb2());
}

#[test]
fn ports_show_their_lines_and_latch_them_with_the_first_edge() {
    let mut via =
        via(&[(register::DDRA, 0xf0), (register::DDRB, 0xf0), (register::ORA, 0xa5), (register::ORB, 0xa5)]);
    via.set_port_a(0x5c);
    via.set_port_b(0x5c);
    // An output of port A reads its line, one of port B its register.
    assert_eq!((via.peek(register::ORA), via.peek(register::ORB)), (0xac, 0xac));
    assert_eq!((via.driven_a(), via.driven_b()), (0xaf, 0xaf));
    via.write(register::ACR, 0x03);
    via.set_line(Line::Ca1, false);
    via.set_line(Line::Cb1, false);
    via.set_port_a(0x53);
    via.set_port_b(0x53);
    assert_eq!((via.peek(register::ORA), via.read(register::ORB)), (0xac, 0xac));
    // The access took the flag of port B back, and with it the latch.
    assert_eq!((via.read(register::ORA), via.peek(register::ORB)), (0xac, 0xa3));
    assert_eq!(via.peek(register::ORA), 0xa3);
}

#[test]
fn a_reset_makes_ports_inputs_and_leaves_the_timers_alone() {
    let mut via =
        via(&[(register::T1_LOW, 9), (register::T1_HIGH, 0), (register::DDRA, 0xff), (register::IER, 0xff)]);
    via.tick();
    let count = via.peek(register::T1_LOW);
    via.reset();
    assert_eq!(
        (via.peek(register::DDRA), via.peek(register::IER), via.peek(register::T1_LOW)),
        (0, 0x80, count)
    );
    assert_eq!(values(&mut via, register::IFR, 20), [0; 20]);
}
