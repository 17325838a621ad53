//! Results and flags of an instruction as formulas of its operands, decimal mode included.

use tempo_isa::Mnemonic;

use crate::graph::{Bit, Byte, Graph, byte};
use crate::state::State;

pub(super) fn show(graph: &mut Graph, state: &mut State, value: &Byte) {
    state.n = value[7];
    state.z = graph.is_zero(value);
}

pub(super) fn count(graph: &mut Graph, value: &Byte, up: bool) -> Byte {
    let step = if up { byte(1) } else { byte(0xff) };
    graph.add_bytes(value, &step, Bit::FALSE).0
}

fn inverse(value: &Byte) -> Byte {
    value.map(|bit| !bit)
}

/// Executes an instruction on a value that it reads.
pub(super) fn operate(graph: &mut Graph, state: &mut State, mnemonic: Mnemonic, value: &Byte) {
    match mnemonic {
        Mnemonic::Lda => set_a(graph, state, *value),
        Mnemonic::Ldx => {
            state.x = *value;
            show(graph, state, value);
        }
        Mnemonic::Ldy => {
            state.y = *value;
            show(graph, state, value);
        }
        Mnemonic::Lax => {
            state.x = *value;
            set_a(graph, state, *value);
        }
        Mnemonic::And | Mnemonic::Ora | Mnemonic::Eor => {
            let f = match mnemonic {
                Mnemonic::And => Graph::and,
                Mnemonic::Ora => Graph::or,
                _ => Graph::xor,
            };
            let result = graph.each(&state.a, value, f);
            set_a(graph, state, result);
        }
        Mnemonic::Cmp => compare(graph, state, state.a, value),
        Mnemonic::Cpx => compare(graph, state, state.x, value),
        Mnemonic::Cpy => compare(graph, state, state.y, value),
        Mnemonic::Bit => {
            let both = graph.each(&state.a, value, Graph::and);
            state.z = graph.is_zero(&both);
            (state.n, state.v) = (value[7], value[6]);
        }
        Mnemonic::Adc => add(graph, state, value),
        Mnemonic::Sbc | Mnemonic::Sbc2 => subtract(graph, state, value),
        Mnemonic::Anc | Mnemonic::Anc2 => {
            let result = graph.each(&state.a, value, Graph::and);
            set_a(graph, state, result);
            state.c = result[7];
        }
        Mnemonic::Alr => {
            let masked = graph.each(&state.a, value, Graph::and);
            state.a = modify(graph, state, Mnemonic::Lsr, &masked);
        }
        Mnemonic::Arr => rotate_masked(graph, state, value),
        Mnemonic::Sbx => {
            let both = graph.each(&state.a, &state.x.clone(), Graph::and);
            let (result, carry) = graph.add_bytes(&both, &inverse(value), Bit::TRUE);
            state.x = result;
            state.c = carry;
            show(graph, state, &result);
        }
        _ => unreachable!("{mnemonic:?} reads nothing"),
    }
}

/// Returns the byte that an instruction writes in place of another.
pub(super) fn modify(graph: &mut Graph, state: &mut State, mnemonic: Mnemonic, old: &Byte) -> Byte {
    let left = |low: Bit| -> Byte { std::array::from_fn(|i| if i == 0 { low } else { old[i - 1] }) };
    let right = |high: Bit| -> Byte { std::array::from_fn(|i| if i == 7 { high } else { old[i + 1] }) };
    match mnemonic {
        Mnemonic::Asl | Mnemonic::Slo => {
            let new = left(Bit::FALSE);
            state.c = old[7];
            finish(graph, state, mnemonic == Mnemonic::Slo, Mnemonic::Ora, new)
        }
        Mnemonic::Rol | Mnemonic::Rla => {
            let new = left(state.c);
            state.c = old[7];
            finish(graph, state, mnemonic == Mnemonic::Rla, Mnemonic::And, new)
        }
        Mnemonic::Lsr | Mnemonic::Sre => {
            let new = right(Bit::FALSE);
            state.c = old[0];
            finish(graph, state, mnemonic == Mnemonic::Sre, Mnemonic::Eor, new)
        }
        Mnemonic::Ror | Mnemonic::Rra => {
            let new = right(state.c);
            state.c = old[0];
            finish(graph, state, mnemonic == Mnemonic::Rra, Mnemonic::Adc, new)
        }
        Mnemonic::Inc | Mnemonic::Isc => {
            let new = count(graph, old, true);
            finish(graph, state, mnemonic == Mnemonic::Isc, Mnemonic::Sbc, new)
        }
        _ => {
            let new = count(graph, old, false);
            finish(graph, state, mnemonic == Mnemonic::Dcp, Mnemonic::Cmp, new)
        }
    }
}

/// The flags of a changed byte; the undocumented instructions do something with it instead.
fn finish(graph: &mut Graph, state: &mut State, combined: bool, with: Mnemonic, new: Byte) -> Byte {
    if combined {
        operate(graph, state, with, &new);
    } else {
        show(graph, state, &new);
    }
    new
}

fn set_a(graph: &mut Graph, state: &mut State, value: Byte) {
    state.a = value;
    show(graph, state, &value);
}

fn compare(graph: &mut Graph, state: &mut State, register: Byte, value: &Byte) {
    let (difference, carry) = graph.add_bytes(&register, &inverse(value), Bit::TRUE);
    state.c = carry;
    state.n = difference[7];
    // Equality is a simpler formula than a difference of zero.
    state.z = graph.is_equal(&register, value);
}

/// Overflow of a sum: the signs of both parts are other than that of the result.
fn overflow(graph: &mut Graph, a: Bit, b: Bit, sum: Bit) -> Bit {
    let (one, two) = (graph.xor(a, sum), graph.xor(b, sum));
    graph.and(one, two)
}

fn add(graph: &mut Graph, state: &mut State, value: &Byte) {
    let (sum, carry) = graph.add_bytes(&state.a, value, state.c);
    if !state.d {
        state.v = overflow(graph, state.a[7], value[7], sum[7]);
        state.c = carry;
        set_a(graph, state, sum);
        return;
    }
    let a = state.a;
    state.z = graph.is_zero(&sum);
    // The low digit, five bits; from ten on it is corrected.
    let (low, high) = graph.add(&a[..4], &value[..4], state.c);
    let over = {
        let three_or_two = graph.or(low[1], low[2]);
        let above = graph.and(low[3], three_or_two);
        graph.or(high, above)
    };
    let six = [Bit::FALSE, Bit::TRUE, Bit::TRUE, Bit::FALSE];
    let corrected = graph.add(&low, &six, Bit::FALSE).0;
    let low: Vec<Bit> =
        low.iter().zip(&corrected).map(|(&plain, &more)| graph.mux(over, more, plain)).collect();
    // The high digit with the carry of the low one.
    let (top, top_carry) = graph.add(&a[4..], &value[4..], over);
    state.n = top[3];
    state.v = overflow(graph, a[7], value[7], top[3]);
    let above = {
        let three_or_two = graph.or(top[1], top[2]);
        let above = graph.and(top[3], three_or_two);
        graph.or(top_carry, above)
    };
    let corrected = graph.add(&top, &six, Bit::FALSE).0;
    state.c = above;
    state.a = std::array::from_fn(|i| match i {
        0..4 => low[i],
        _ => graph.mux(above, corrected[i - 4], top[i - 4]),
    });
}

fn subtract(graph: &mut Graph, state: &mut State, value: &Byte) {
    let inverted = inverse(value);
    let (difference, carry) = graph.add_bytes(&state.a, &inverted, state.c);
    let a = state.a;
    let overflows = overflow(graph, a[7], inverted[7], difference[7]);
    if !state.d {
        state.v = overflows;
        state.c = carry;
        set_a(graph, state, difference);
        return;
    }
    // Each digit that borrows is less by six more.
    let (low, fits) = graph.add(&a[..4], &inverted[..4], state.c);
    let ten = [Bit::FALSE, Bit::TRUE, Bit::FALSE, Bit::TRUE];
    let less = graph.add(&low, &ten, Bit::FALSE).0;
    let low: Vec<Bit> = low.iter().zip(&less).map(|(&plain, &less)| graph.mux(fits, plain, less)).collect();
    let (top, top_fits) = graph.add(&a[4..], &inverted[4..], fits);
    let less = graph.add(&top, &ten, Bit::FALSE).0;
    state.v = overflows;
    state.c = carry;
    state.n = difference[7];
    state.z = graph.is_zero(&difference);
    state.a = std::array::from_fn(|i| match i {
        0..4 => low[i],
        _ => graph.mux(top_fits, top[i - 4], less[i - 4]),
    });
}

/// `arr`: the AND, rotated right through the adder, whose decimal correction applies.
fn rotate_masked(graph: &mut Graph, state: &mut State, value: &Byte) {
    let masked = graph.each(&state.a, value, Graph::and);
    let rotated: Byte = std::array::from_fn(|i| if i == 7 { state.c } else { masked[i + 1] });
    show(graph, state, &rotated);
    if !state.d {
        state.c = rotated[6];
        state.v = graph.xor(rotated[6], rotated[5]);
        state.a = rotated;
        return;
    }
    state.v = graph.xor(masked[6], rotated[6]);
    // A digit plus its own low bit that is above five: 5 (its low bit is set) or more.
    let above = |graph: &mut Graph, digit: &[Bit]| {
        let five = graph.and(digit[2], digit[0]);
        let six = graph.and(digit[2], digit[1]);
        let either = graph.or(five, six);
        graph.or(digit[3], either)
    };
    let six = [Bit::FALSE, Bit::TRUE, Bit::TRUE, Bit::FALSE];
    let low_above = above(graph, &masked[..4]);
    let low = graph.add(&rotated[..4], &six, Bit::FALSE).0;
    let top_above = above(graph, &masked[4..]);
    let top = graph.add(&rotated[4..], &six, Bit::FALSE).0;
    state.c = top_above;
    state.a = std::array::from_fn(|i| match i {
        0..4 => graph.mux(low_above, low[i], rotated[i]),
        _ => graph.mux(top_above, top[i - 4], rotated[i]),
    });
}
