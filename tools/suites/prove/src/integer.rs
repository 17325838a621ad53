//! Integers as formulas: two's complement words that are as wide as their range needs, so that nothing overflows.

use crate::claim::{Operator, Relation};
use crate::graph::{Bit, Graph};

/// An integer between two bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Int {
    /// Two's complement, low bit first.
    pub bits: Vec<Bit>,
    /// No value is below.
    pub lo: i128,
    /// No value is above.
    pub hi: i128,
}

/// An operation that has no formula; only numbers can decide it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoFormula(pub &'static str);

/// The widest integer.
const WIDEST: usize = 100;

fn width(lo: i128, hi: i128) -> usize {
    let of = |value: i128| (128 - (if value < 0 { !value } else { value }).leading_zeros()) as usize;
    of(lo).max(of(hi)) + 1
}

impl Int {
    /// A constant.
    pub fn constant(value: i128) -> Int {
        let bits = (0..width(value, value)).map(|bit| Bit::of(value >> bit & 1 == 1)).collect();
        Int { bits, lo: value, hi: value }
    }

    /// From bits without a sign, low bit first.
    pub fn unsigned(bits: &[Bit]) -> Int {
        let mut hi = 0;
        let mut lo = 0;
        for (place, bit) in bits.iter().enumerate() {
            hi |= i128::from(*bit != Bit::FALSE) << place;
            lo |= i128::from(*bit == Bit::TRUE) << place;
        }
        let mut bits = bits.to_vec();
        bits.push(Bit::FALSE);
        Int { bits, lo, hi }.trimmed()
    }

    /// A condition as 1 or 0.
    pub fn condition(bit: Bit) -> Int {
        Int::unsigned(&[bit])
    }

    /// The value, if there is only one.
    pub fn known(&self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Less than all that the bits could be.
    #[must_use]
    pub fn within(mut self, lo: i128, hi: i128) -> Int {
        (self.lo, self.hi) = (self.lo.max(lo), self.hi.min(hi));
        self.trimmed()
    }

    fn trimmed(mut self) -> Int {
        if let Some(value) = self.known() {
            return Int::constant(value);
        }
        self.bits.truncate(width(self.lo, self.hi));
        self
    }

    fn extended(&self, width: usize) -> Vec<Bit> {
        let sign = *self.bits.last().expect("there is a sign");
        (0..width).map(|place| self.bits.get(place).copied().unwrap_or(sign)).collect()
    }

    /// The low bits.
    pub fn low(&self, width: usize) -> Vec<Bit> {
        self.extended(width)
    }

    /// The first if the bit is set, else the second.
    pub fn choose(choice: Bit, one: &Int, two: &Int, graph: &mut Graph) -> Int {
        if one == two {
            return one.clone();
        }
        let (lo, hi) = (one.lo.min(two.lo), one.hi.max(two.hi));
        let width = one.bits.len().max(two.bits.len());
        let (one, two) = (one.extended(width), two.extended(width));
        let bits = one.iter().zip(&two).map(|(&one, &two)| graph.mux(choice, one, two)).collect();
        Int { bits, lo, hi }
    }

    /// Whether it is not zero.
    pub fn is_true(&self, graph: &mut Graph) -> Bit {
        !graph.is_zero(&self.bits)
    }

    /// The negative.
    pub fn negate(&self, graph: &mut Graph) -> Result<Int, NoFormula> {
        Int::constant(0).binary(Operator::Subtract, self, graph)
    }

    /// Whether it is so.
    pub fn compare(&self, relation: Relation, other: &Int, graph: &mut Graph) -> Bit {
        // What the bounds say needs no formula.
        let order = |lo: i128, hi: i128, below: i128, above: i128| match () {
            () if hi < below => Some(true),
            () if lo > above => Some(false),
            () => None,
        };
        match relation {
            Relation::Equal | Relation::NotEqual => {
                let width = self.bits.len().max(other.bits.len());
                let is_apart = self.hi < other.lo || other.hi < self.lo;
                let equal = if is_apart {
                    Bit::FALSE
                } else {
                    graph.is_equal(&self.extended(width), &other.extended(width))
                };
                if relation == Relation::Equal { equal } else { !equal }
            }
            Relation::Less => match order(self.lo, self.hi, other.lo, other.hi) {
                Some(known) => Bit::of(known),
                None => !other.is_at_most(self, graph),
            },
            Relation::LessEqual => self.is_at_most(other, graph),
            Relation::Greater => other.compare(Relation::Less, self, graph),
            Relation::GreaterEqual => other.is_at_most(self, graph),
        }
    }

    fn is_at_most(&self, other: &Int, graph: &mut Graph) -> Bit {
        if self.hi <= other.lo {
            return Bit::TRUE;
        }
        if self.lo > other.hi {
            return Bit::FALSE;
        }
        let width = self.bits.len().max(other.bits.len());
        let (mut a, mut b) = (self.extended(width), other.extended(width));
        // With the sign turned, the order is that of numbers without one.
        (a[width - 1], b[width - 1]) = (!a[width - 1], !b[width - 1]);
        graph.is_at_most(&a, &b)
    }

    /// Computes.
    pub fn binary(&self, operator: Operator, other: &Int, graph: &mut Graph) -> Result<Int, NoFormula> {
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            let value = crate::claim::compute(operator, a, b);
            return value.map(Int::constant).map_err(|_| NoFormula("a number that has no value"));
        }
        match operator {
            Operator::Add => {
                let (lo, hi) = (self.lo + other.lo, self.hi + other.hi);
                let width = checked(width(lo, hi))?;
                let bits = graph.add(&self.extended(width), &other.extended(width), Bit::FALSE).0;
                Ok(Int { bits, lo, hi })
            }
            Operator::Subtract => {
                let (lo, hi) = (self.lo - other.hi, self.hi - other.lo);
                let width = checked(width(lo, hi))?;
                let inverse: Vec<Bit> = other.extended(width).into_iter().map(|bit| !bit).collect();
                let bits = graph.add(&self.extended(width), &inverse, Bit::TRUE).0;
                Ok(Int { bits, lo, hi })
            }
            Operator::Multiply => self.multiply(other, graph),
            Operator::Divide => Ok(self.divide(other, graph)?.0),
            Operator::Remainder => Ok(self.divide(other, graph)?.1),
            Operator::Quotient | Operator::Rest => self.truncate(operator, other, graph),
            Operator::And | Operator::Or | Operator::Xor => {
                let width = self.bits.len().max(other.bits.len());
                let (a, b) = (self.extended(width), other.extended(width));
                let f = match operator {
                    Operator::And => Graph::and,
                    Operator::Or => Graph::or,
                    _ => Graph::xor,
                };
                let bits: Vec<Bit> = a.iter().zip(&b).map(|(&a, &b)| f(graph, a, b)).collect();
                let is_natural = bits[width - 1] == Bit::FALSE;
                if is_natural {
                    return Ok(Int::unsigned(&bits[..width - 1]));
                }
                let half = 1i128 << (width - 1);
                Ok(Int { bits, lo: -half, hi: half - 1 })
            }
            Operator::Left | Operator::Right => {
                if other.lo < 0 || other.hi > 64 {
                    return Err(NoFormula("a shift by an unknown number of places that may be too many"));
                }
                self.shift(operator, other, graph)
            }
        }
    }

    fn multiply(&self, other: &Int, graph: &mut Graph) -> Result<Int, NoFormula> {
        let ends = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        let (lo, hi) = (*ends.iter().min().expect("four"), *ends.iter().max().expect("four"));
        let width = checked(width(lo, hi))?;
        // The shorter one gives the rows. The row of a sign counts negative.
        let (a, b) = if self.bits.len() >= other.bits.len() { (self, other) } else { (other, self) };
        let mut sum = vec![Bit::FALSE; width];
        let is_natural = b.lo >= 0;
        let rows = if is_natural { b.bits.len() - 1 } else { b.bits.len() };
        for row in 0..rows.min(width) {
            let bit = b.bits[row];
            if bit == Bit::FALSE {
                continue;
            }
            let a = a.extended(width - row);
            let product: Vec<Bit> = a.iter().map(|&a| graph.and(a, bit)).collect();
            let (low, high) = sum.split_at(row);
            let high = if !is_natural && row == rows - 1 {
                let inverse: Vec<Bit> = product.iter().map(|&bit| !bit).collect();
                graph.add(high, &inverse, Bit::TRUE).0
            } else {
                graph.add(high, &product, Bit::FALSE).0
            };
            sum = [low.to_vec(), high].concat();
        }
        Ok(Int { bits: sum, lo, hi }.trimmed())
    }

    fn shift(&self, operator: Operator, places: &Int, graph: &mut Graph) -> Result<Int, NoFormula> {
        let mut ends = Vec::new();
        for value in [self.lo, self.hi] {
            for places in [places.lo, places.hi] {
                let end = crate::claim::compute(operator, value, places);
                ends.push(end.map_err(|_| NoFormula("a number that is too large"))?);
            }
        }
        let (lo, hi) = (*ends.iter().min().expect("four"), *ends.iter().max().expect("four"));
        let result_width = checked(width(lo, hi))?;
        let wide = checked(result_width.max(self.bits.len()))?;
        let mut bits = self.extended(wide);
        let sign = bits[wide - 1];
        for (power, &choice) in places.bits[..places.bits.len() - 1].iter().enumerate() {
            let by = 1usize << power;
            let moved: Vec<Bit> = (0..wide)
                .map(|place| match operator {
                    Operator::Left => {
                        if place >= by {
                            bits[place - by]
                        } else {
                            Bit::FALSE
                        }
                    }
                    _ => {
                        if place + by < wide {
                            bits[place + by]
                        } else {
                            sign
                        }
                    }
                })
                .collect();
            bits = bits.iter().zip(&moved).map(|(&stay, &moved)| graph.mux(choice, moved, stay)).collect();
        }
        bits.truncate(result_width);
        Ok(Int { bits, lo, hi }.trimmed())
    }

    /// Quotient or remainder, rounded towards zero.
    fn truncate(&self, operator: Operator, by: &Int, graph: &mut Graph) -> Result<Int, NoFormula> {
        let pick =
            |(quotient, rest): (Int, Int)| if operator == Operator::Quotient { quotient } else { rest };
        if self.lo >= 0 {
            return Ok(pick(self.divide(by, graph)?));
        }
        let is_negative = self.compare(Relation::Less, &Int::constant(0), graph);
        let opposite = self.negate(graph)?;
        let size = Int::choose(is_negative, &opposite, self, graph);
        let size = size.within(0, self.hi.max(-self.lo));
        let value = pick(size.divide(by, graph)?);
        let opposite = value.negate(graph)?;
        Ok(Int::choose(is_negative, &opposite, &value, graph))
    }

    /// Quotient and remainder, rounded down.
    fn divide(&self, by: &Int, graph: &mut Graph) -> Result<(Int, Int), NoFormula> {
        if by.lo <= 0 {
            return Err(NoFormula("a division by an unknown number that may be zero or less"));
        }
        if self.lo < 0 {
            // Multiples of the divisor make it positive and come off the quotient again.
            let Some(divisor) = by.known() else {
                return Err(NoFormula("a division of a negative number by an unknown one"));
            };
            let turns = (-self.lo + divisor - 1) / divisor;
            let lifted = self.binary(Operator::Add, &Int::constant(turns * divisor), graph)?;
            let (quotient, rest) = lifted.divide(by, graph)?;
            return Ok((quotient.binary(Operator::Subtract, &Int::constant(turns), graph)?, rest));
        }
        if let Some(divisor) = by.known().filter(|divisor| divisor.count_ones() == 1) {
            let quotient =
                self.shift(Operator::Right, &Int::constant(divisor.trailing_zeros().into()), graph)?;
            return Ok((quotient, self.binary(Operator::And, &Int::constant(divisor - 1), graph)?));
        }
        let digits = &self.bits[..self.bits.len() - 1];
        let wide = by.bits.len() + 1;
        let divisor = by.extended(wide);
        let inverse: Vec<Bit> = divisor.iter().map(|&bit| !bit).collect();
        let mut rest = vec![Bit::FALSE; wide];
        let mut quotient = vec![Bit::FALSE; digits.len()];
        for place in (0..digits.len()).rev() {
            rest.insert(0, digits[place]);
            rest.truncate(wide);
            let (difference, fits) = graph.add(&rest, &inverse, Bit::TRUE);
            quotient[place] = fits;
            rest = rest.iter().zip(&difference).map(|(&rest, &less)| graph.mux(fits, less, rest)).collect();
        }
        let quotient = Int::unsigned(&quotient).within(0, self.hi / by.lo);
        Ok((quotient, Int::unsigned(&rest).within(0, (by.hi - 1).min(self.hi))))
    }
}

fn checked(width: usize) -> Result<usize, NoFormula> {
    if width > WIDEST { Err(NoFormula("a number of more than 100 bits")) } else { Ok(width) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::LANES;

    /// Every operator on small signed and unsigned numbers gives what arithmetic gives.
    #[test]
    fn formulas_are_arithmetic() {
        use Operator::*;
        let mut graph = Graph::default();
        let bits: Vec<Bit> = (0..8).map(|_| graph.variable([0; LANES])).collect();
        let natural = (Int::unsigned(&bits[..4]), 0, 0);
        let shifted = |graph: &mut Graph, by: i128| {
            Int::unsigned(&bits[4..]).binary(Subtract, &Int::constant(by), graph).expect("small")
        };
        let others =
            [(shifted(&mut graph, 0), 0), (shifted(&mut graph, 6), 6), (shifted(&mut graph, -1), -1)];
        for (other, offset) in others {
            for operator in
                [Add, Subtract, Multiply, Divide, Remainder, Quotient, Rest, And, Or, Xor, Left, Right]
            {
                for (one, two) in [(&natural.0, &other), (&other, &natural.0)] {
                    let Ok(formula) = one.binary(operator, two, &mut graph) else { continue };
                    let less = formula.compare(Relation::Less, two, &mut graph);
                    for value in 0..256u32 {
                        let natural = i128::from(value & 15);
                        let other_value = i128::from(value >> 4) - offset;
                        let is_first = std::ptr::eq(one, &other);
                        let (a, b) = if is_first { (other_value, natural) } else { (natural, other_value) };
                        let Ok(expected) = crate::claim::compute(operator, a, b) else { continue };
                        let found = graph.evaluate(&formula.bits, |number| value >> number & 1 == 1);
                        let mut number =
                            found.iter().enumerate().fold(0i128, |sum, (i, &bit)| sum | i128::from(bit) << i);
                        if *found.last().expect("a sign") {
                            number -= 1 << found.len();
                        }
                        assert_eq!(number, expected, "{operator:?} {a} {b}");
                        assert!(formula.lo <= expected && expected <= formula.hi);
                        let found = graph.evaluate(&[less], |number| value >> number & 1 == 1);
                        assert_eq!(found[0], expected < b, "{operator:?} {a} {b}");
                    }
                }
            }
        }
    }
}
