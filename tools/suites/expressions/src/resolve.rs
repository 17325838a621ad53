//! The resolved tree: every name is a value or an index, so **an unresolved name cannot be written in it**. Made from the
//! written tree by [`resolve`]; who resolves says what names mean, and which forms there are beside the common ones.

use tempo_diagnostics::Span;

use crate::ast::{self, Beam, Binary, Compare, ExprKind, Flag, Half, Register, Width};

/// A variable by its place among those that are bound where it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variable(pub u32);

/// A resolved expression. `F` are the forms that only some users of the language know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr<F> {
    pub span: Span,
    pub kind: Kind<F>,
}

/// The kinds of resolved expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<F> {
    Number(i64),
    /// The value of a symbol, with the name it was found by.
    Label(String, i64),
    Variable(Variable),
    Register(Register),
    Flag(Flag),
    Cycles,
    Beam(Beam),
    Low(Box<Expr<F>>),
    High(Box<Expr<F>>),
    /// `peekbyte`, `peekword`, and the suffixes `.b` `.w` `.lw`.
    Read(Width, Box<Expr<F>>),
    /// The lone place left of a comparison: the byte stored there.
    PlaceRead(Box<Expr<F>>),
    MemChk(Box<[Expr<F>; 3]>),
    MemCmp(Box<[Expr<F>; 3]>),
    Paren(Box<Expr<F>>),
    Negate(Box<Expr<F>>),
    Not(Box<Expr<F>>),
    Binary(Binary, Box<Expr<F>>, Box<Expr<F>>),
    Compare(Compare, Box<Expr<F>>, Box<Expr<F>>),
    In {
        value: Box<Expr<F>>,
        set: Set<F>,
        negated: bool,
    },
    And(Box<Expr<F>>, Box<Expr<F>>),
    Or(Box<Expr<F>>, Box<Expr<F>>),
    Form(F),
}

/// The right side of `in`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Set<F> {
    Range(Box<Expr<F>>, Box<Expr<F>>),
    List(Vec<Expr<F>>),
}

/// Forms of one user of the language.
pub trait Form: Sized {
    /// Calls `visit` for every expression directly inside the form.
    fn visit(&self, visit: &mut dyn FnMut(&Expr<Self>));
}

impl<F: Form> Expr<F> {
    /// Calls `visit` for this expression and everything inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr<F>)) {
        visit(self);
        match &self.kind {
            Kind::Number(_)
            | Kind::Label(..)
            | Kind::Variable(_)
            | Kind::Register(_)
            | Kind::Flag(_)
            | Kind::Cycles
            | Kind::Beam(_) => {}
            Kind::Low(inner)
            | Kind::High(inner)
            | Kind::Read(_, inner)
            | Kind::PlaceRead(inner)
            | Kind::Paren(inner)
            | Kind::Negate(inner)
            | Kind::Not(inner) => inner.walk(visit),
            Kind::MemChk(all) | Kind::MemCmp(all) => all.iter().for_each(|one| one.walk(visit)),
            Kind::Binary(_, left, right)
            | Kind::Compare(_, left, right)
            | Kind::And(left, right)
            | Kind::Or(left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Kind::In { value, set, .. } => {
                value.walk(visit);
                match set {
                    Set::Range(from, to) => {
                        from.walk(visit);
                        to.walk(visit);
                    }
                    Set::List(all) => all.iter().for_each(|one| one.walk(visit)),
                }
            }
            Kind::Form(form) => form.visit(&mut |inner| inner.walk(visit)),
        }
    }
}

/// Gives names their meaning. `None` is a fault that the resolver has noted.
pub trait Resolver {
    /// The forms of this user.
    type Form;

    /// `[name]`.
    fn symbol(&mut self, name: &str, span: Span) -> Option<Expr<Self::Form>>;

    /// A bare word.
    fn name(&mut self, name: &str, span: Span) -> Option<Expr<Self::Form>>;

    /// An expression of another kind than those of [`Kind`].
    fn form(&mut self, expr: &ast::Expr) -> Option<Expr<Self::Form>>;

    /// An operand of a calculation.
    fn operand(&mut self, operand: &Expr<Self::Form>) {
        let _ = operand;
    }

    /// A comparison.
    fn compare(
        &mut self,
        operator: Compare,
        left: Expr<Self::Form>,
        right: Expr<Self::Form>,
    ) -> Kind<Self::Form> {
        Kind::Compare(operator, Box::new(left), Box::new(right))
    }

    /// The place of the beam.
    fn beam(&mut self, span: Span) {
        let _ = span;
    }

    /// `.L` and `.H` mean something.
    fn upper_halves(&self) -> bool {
        true
    }
}

/// The resolved expression, or `None` after a fault. All parts are looked at, so that one run shows all faults.
pub fn resolve<R: Resolver + ?Sized>(expr: &ast::Expr, names: &mut R) -> Option<Expr<R::Form>> {
    let span = expr.span;
    let kind = match &expr.kind {
        ExprKind::Number(number) => Kind::Number(*number),
        ExprKind::Bool(on) => Kind::Number(i64::from(*on)),
        ExprKind::Symbol(name) => return names.symbol(name, span),
        ExprKind::Name(name) => return names.name(name, span),
        ExprKind::Register(register) => Kind::Register(*register),
        ExprKind::Flag(flag) => Kind::Flag(*flag),
        ExprKind::Cycles => Kind::Cycles,
        ExprKind::Beam(part) => {
            names.beam(span);
            Kind::Beam(*part)
        }
        ExprKind::Half(half, inner) => {
            let inner = boxed(inner, names)?;
            match half {
                Half::UpperLow | Half::UpperHigh if !names.upper_halves() => Kind::Paren(inner),
                Half::Low | Half::UpperLow => Kind::Low(inner),
                Half::High | Half::UpperHigh => Kind::High(inner),
            }
        }
        ExprKind::Read(width, inner) => Kind::Read(*width, boxed(inner, names)?),
        ExprKind::PlaceRead(inner) => Kind::PlaceRead(boxed(inner, names)?),
        ExprKind::Paren(inner) => Kind::Paren(boxed(inner, names)?),
        ExprKind::Negate(inner) => Kind::Negate(boxed(inner, names)?),
        ExprKind::Not(inner) => Kind::Not(boxed(inner, names)?),
        ExprKind::MemChk(all) => Kind::MemChk(three(all, names)?),
        ExprKind::MemCmp(all) => Kind::MemCmp(three(all, names)?),
        ExprKind::Binary(operator, left, right) => {
            let left = operand(left, names);
            let right = operand(right, names);
            Kind::Binary(*operator, left?, right?)
        }
        ExprKind::Compare(operator, left, right) => {
            let left = resolve(left, names);
            let right = resolve(right, names);
            names.compare(*operator, left?, right?)
        }
        ExprKind::In { value, set, negated } => {
            let value = boxed(value, names);
            let set = resolve_set(set, names);
            Kind::In { value: value?, set: set?, negated: *negated }
        }
        ExprKind::And(left, right) => {
            let (left, right) = (boxed(left, names), boxed(right, names));
            Kind::And(left?, right?)
        }
        ExprKind::Or(left, right) => {
            let (left, right) = (boxed(left, names), boxed(right, names));
            Kind::Or(left?, right?)
        }
        ExprKind::Text(_)
        | ExprKind::Calls { .. }
        | ExprKind::Spy { .. }
        | ExprKind::Captured(_)
        | ExprKind::Bytes(_)
        | ExprKind::EncodedText(..)
        | ExprKind::Fen(_)
        | ExprKind::Screen(_)
        | ExprKind::Contains(..)
        | ExprKind::Backend(_) => return names.form(expr),
    };
    Some(Expr { span, kind })
}

/// The resolved set, or `None` after a fault.
pub fn resolve_set<R: Resolver + ?Sized>(set: &ast::Set, names: &mut R) -> Option<Set<R::Form>> {
    Some(match set {
        ast::Set::Range(from, to) => {
            let (from, to) = (boxed(from, names), boxed(to, names));
            Set::Range(from?, to?)
        }
        ast::Set::List(all) => Set::List(resolve_all(all, names)?),
    })
}

/// The resolved expressions, or `None` after a fault in any of them.
pub fn resolve_all<R: Resolver + ?Sized>(all: &[ast::Expr], names: &mut R) -> Option<Vec<Expr<R::Form>>> {
    let resolved: Vec<Option<Expr<R::Form>>> = all.iter().map(|one| resolve(one, names)).collect();
    resolved.into_iter().collect()
}

fn boxed<R: Resolver + ?Sized>(expr: &ast::Expr, names: &mut R) -> Option<Box<Expr<R::Form>>> {
    resolve(expr, names).map(Box::new)
}

fn operand<R: Resolver + ?Sized>(expr: &ast::Expr, names: &mut R) -> Option<Box<Expr<R::Form>>> {
    let operand = resolve(expr, names)?;
    names.operand(&operand);
    Some(Box::new(operand))
}

fn three<R: Resolver + ?Sized>(all: &[ast::Expr; 3], names: &mut R) -> Option<Box<[Expr<R::Form>; 3]>> {
    let [first, second, third] = [0, 1, 2].map(|index| resolve(&all[index], names));
    Some(Box::new([first?, second?, third?]))
}
