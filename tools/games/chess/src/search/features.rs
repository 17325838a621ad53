//! The features that the evaluation counts in a position, for the tuner: a value is the sum of counts times parameters.

use super::geometry::{code_of, x88};
use super::position::Position;
use super::values::{Blend, ORDER, TERMS, Term, Values, weight};
use crate::{Board, Color, Square};

/// The number of parameters of one phase: 64 squares of six types, then the terms.
pub const PARAMETERS: usize = 6 * 64 + TERMS;

/// The counts of one position, White's minus Black's.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// How much of the middle game it is, 0 to 1.
    pub middle: f64,
    /// Parameters that count, and how often. A square's parameter is what the piece is worth there in all.
    pub counts: Vec<(usize, f64)>,
}

impl Features {
    /// The features of a position; `None` if it has more pieces than the program's lists hold.
    pub fn of(board: &Board) -> Option<Features> {
        let mut blend = Values::default().blend(0);
        let position = Position::new(board, &blend)?;
        let mut counts = Vec::with_capacity(40);
        for square in Square::all() {
            let Some(piece) = board.piece_at(square) else { continue };
            let kind = code_of(piece) & 7;
            let place = ORDER.iter().position(|&known| known == kind)?;
            let (row, file) = (usize::from(x88(square) >> 4), usize::from(square.file()));
            let (row, sign) = if piece.color == Color::White { (row, 1.0) } else { (7 - row, -1.0) };
            counts.push((place * 64 + row * 8 + file, sign));
        }
        for term in 0..TERMS {
            let count = if term == Term::Tempo as usize {
                if position.white { 1 } else { -1 }
            } else {
                blend.terms = [0; TERMS];
                blend.terms[term] = 1;
                position.terms(&blend)
            };
            if count != 0 {
                counts.push((6 * 64 + term, f64::from(count)));
            }
        }
        Some(Features { middle: f64::from(weight(board)) / 256.0, counts })
    }
}

impl Values {
    /// The parameters of the middle game and of the endgame, in the order of [`Features`].
    pub fn parameters(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|phase| {
            let pick = |phases: super::Phases| f64::from(if phase == 0 { phases.middle } else { phases.end });
            let tables = if phase == 0 { &self.middle } else { &self.end };
            let squares = (0..6).flat_map(|place| {
                let base = pick(self.base[place]);
                tables[place].iter().map(move |&entry| base + f64::from(entry))
            });
            squares.chain(self.terms.iter().map(|&term| pick(term))).collect()
        })
    }

    /// Values of these parameters: every table's base is the middle of its range, so that entries fit a byte. Kings
    /// have no base, because they cancel.
    pub fn from_parameters(parameters: &[Vec<f64>; 2]) -> Values {
        let mut values = Values::default();
        for (phase, parameters) in parameters.iter().enumerate() {
            for place in 0..6 {
                let used: Vec<usize> = (0..64).filter(|cell| place != 0 || (8..56).contains(cell)).collect();
                let entry = |cell: usize| parameters[place * 64 + cell];
                let low = used.iter().map(|&cell| entry(cell)).fold(f64::INFINITY, f64::min);
                let high = used.iter().map(|&cell| entry(cell)).fold(f64::NEG_INFINITY, f64::max);
                let base = ((low + high) / 2.0).round();
                let table = if phase == 0 { &mut values.middle[place] } else { &mut values.end[place] };
                *table = [0; 64];
                for cell in used {
                    table[cell] = (entry(cell) - base).round().clamp(-127.0, 127.0) as i8;
                }
                let base = if place == 5 { 0 } else { base as i16 };
                let phases = &mut values.base[place];
                *(if phase == 0 { &mut phases.middle } else { &mut phases.end }) = base;
            }
            for (term, worth) in values.terms.iter_mut().zip(&parameters[6 * 64..]) {
                // The program keeps a term in a signed byte.
                let worth = worth.round().clamp(-127.0, 127.0) as i16;
                *(if phase == 0 { &mut term.middle } else { &mut term.end }) = worth;
            }
        }
        values
    }
}

/// The static value of a position for White as the search computes it at the root, without a search.
pub fn static_value(board: &Board, values: &Values) -> Option<i16> {
    let blend: Blend = values.blend_for(board);
    let position = Position::new(board, &blend)?;
    let (value, _) = position.evaluate(&blend, -1, 1, 16_000);
    Some(if position.white { value } else { -value })
}
