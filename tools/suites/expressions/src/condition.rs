//! Conditions that are asked again and again, as those of breakpoints are: the resolved tree, and for the simple ones the
//! comparisons it comes to.

use crate::ast::{Compare, Flag, Register, Width};
use crate::eval::{Scope, eval, fold};
use crate::resolve::{Expr, Kind};

/// A value that one look at the scope gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Atom {
    Number(i64),
    Register(Register),
    Flag(Flag),
    Byte(u16),
    Word(u16),
}

impl Atom {
    fn of<F>(expr: &Expr<F>) -> Option<Atom> {
        let constant = |inner: &Expr<F>| match &inner.kind {
            Kind::Number(_) | Kind::Label(..) => fold(inner).map(|at| at as u16),
            _ => None,
        };
        Some(match &expr.kind {
            Kind::Number(number) | Kind::Label(_, number) => Atom::Number(*number),
            Kind::Register(register) => Atom::Register(*register),
            Kind::Flag(flag) => Atom::Flag(*flag),
            Kind::PlaceRead(at) | Kind::Read(Width::Byte, at) => Atom::Byte(constant(at)?),
            Kind::Read(Width::Word, at) => Atom::Word(constant(at)?),
            Kind::Paren(inner) => Atom::of(inner)?,
            _ => return None,
        })
    }

    #[inline(always)]
    fn value<F, S: Scope<F>>(self, scope: &S) -> Option<i64> {
        Some(match self {
            Atom::Number(number) => number,
            Atom::Register(register) => scope.register(register)?,
            Atom::Flag(flag) => i64::from(scope.flag(flag)?),
            Atom::Byte(at) => i64::from(scope.peek(at)?),
            Atom::Word(at) => i64::from(scope.peek(at)?) | i64::from(scope.peek(at.wrapping_add(1))?) << 8,
        })
    }
}

/// A comparison of two atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Test(Atom, Compare, Atom);

/// The tests that must all hold, if that is all the expression says. It is most of what people write, and what a
/// breakpoint in a loop is asked for every time.
fn tests<F>(expr: &Expr<F>, all: &mut Vec<Test>) -> Option<()> {
    match &expr.kind {
        Kind::Compare(operator, left, right) => {
            all.push(Test(Atom::of(left)?, *operator, Atom::of(right)?));
        }
        Kind::And(left, right) => {
            tests(left, all)?;
            tests(right, all)?;
        }
        Kind::Paren(inner) => tests(inner, all)?,
        _ => return None,
    }
    Some(())
}

/// A resolved expression that is evaluated often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition<F> {
    expr: Expr<F>,
    /// The same as tests that must all hold, if it is that simple.
    tests: Option<Box<[Test]>>,
}

impl<F> Condition<F> {
    /// Makes an expression ready to be evaluated often.
    pub fn new(expr: Expr<F>) -> Condition<F> {
        let mut all = Vec::new();
        let tests = tests(&expr, &mut all).map(|()| all.into_boxed_slice());
        Condition { expr, tests }
    }

    /// The expression.
    pub fn expr(&self) -> &Expr<F> {
        &self.expr
    }

    /// Whether it is a row of simple comparisons.
    pub fn is_simple(&self) -> bool {
        self.tests.is_some()
    }

    /// The value, as [`eval`] gives it.
    #[inline]
    pub fn eval<S: Scope<F>>(&self, scope: &mut S) -> Option<i64> {
        let Some(tests) = &self.tests else { return eval(&self.expr, scope) };
        for &Test(left, compare, right) in tests {
            // None of the tests has an effect, so the rest need not be looked at.
            if !compare.holds(&left.value(scope)?, &right.value(scope)?) {
                return Some(0);
            }
        }
        Some(1)
    }
}
