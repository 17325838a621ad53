//! Expressions in the form in which they are evaluated: the operation, and where its operands are, for every expression
//! of the tree under its number. Made once of a bound tree; places and everything that is seldom asked for stay there.

use crate::arena::Arena;
use crate::library;
use crate::tree::*;

/// What an expression does with its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A number of two.
    Calculate(Binary),
    /// A condition of two.
    Compare(Binary),
    /// `&&` and `||`; the first operand may decide if it is this.
    Logic(bool),
    /// A number of one.
    Select(Unary),
    Not,
    /// A function of the library that makes a number of numbers.
    Numbers,
    /// `target++` and `target--`.
    Step(Binary),
    /// `target = value` and its like.
    Assign,
    /// Whatever the tree says.
    Other,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub op: Op,
    /// How deep its operands nest.
    depth: u16,
    pub a: Operand,
    pub b: Operand,
}

const _: () = assert!(size_of::<Node>() == 12);

/// The stack is looked at so many levels apart.
const LEVELS: u16 = 16;

impl Node {
    /// Whether it is time to look at the stack.
    #[inline]
    pub fn is_deep(self) -> bool {
        self.depth.is_multiple_of(LEVELS)
    }
}

/// Where an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// An expression with operands of its own.
    Expression,
    /// One of the numbers in the text.
    Literal,
    /// A slot of a namespace.
    Static,
    /// A slot of the current frame on the stack.
    Local,
    /// A variable further out, or in a frame that stays: an expression as well.
    Outer,
}

/// A source and its number there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand(u32);

const SOURCE_SHIFT: u32 = 29;

impl Operand {
    const NONE: Operand = Operand(0);

    fn new(source: Source, index: u32) -> Operand {
        debug_assert!(index < 1 << SOURCE_SHIFT);
        Operand((source as u32) << SOURCE_SHIFT | index)
    }

    #[inline(always)]
    pub fn source(self) -> Source {
        match self.0 >> SOURCE_SHIFT {
            0 => Source::Expression,
            1 => Source::Literal,
            2 => Source::Static,
            3 => Source::Local,
            _ => Source::Outer,
        }
    }

    /// The number of an expression.
    #[inline(always)]
    pub fn expr(self) -> ExprId {
        ExprId(self.index())
    }

    #[inline(always)]
    pub fn index(self) -> u32 {
        self.0 & ((1 << SOURCE_SHIFT) - 1)
    }
}

#[derive(Debug, Default)]
pub(super) struct Code {
    /// By expression.
    pub nodes: Arena<ExprId, Node>,
    pub literals: Vec<f64>,
}

impl Code {
    pub fn of(tree: &Tree) -> Code {
        let mut code = Code { nodes: Arena::with_capacity(tree.exprs.len()), literals: Vec::new() };
        for expr in &tree.exprs {
            let node = code.node(tree, expr);
            code.nodes.push(node);
        }
        code
    }

    #[inline]
    fn node(&mut self, tree: &Tree, expr: &Expr) -> Node {
        let (op, [a, b]) = match *expr {
            Expr::Binary { op, left, right } if op.is_logic() => (
                Op::Logic(op == Binary::OrOr),
                [left, right].map(|id| Operand::new(Source::Expression, id.0)),
            ),
            Expr::Binary { op, left, right } => {
                let kind = if op.is_comparison() { Op::Compare(op) } else { Op::Calculate(op) };
                (kind, [left, right].map(|id| self.operand(tree, id)))
            }
            Expr::Unary { op: Unary::Not, operand } => {
                (Op::Not, [Operand::new(Source::Expression, operand.0), Operand::NONE])
            }
            Expr::Unary { op, operand } => (Op::Select(op), [self.operand(tree, operand), Operand::NONE]),
            Expr::CallBuiltIn { function, arguments, len } if library::numbers(function).is_some() => {
                let arguments = &tree.lists[arguments as usize..arguments as usize + usize::from(len)];
                let [a, b] = [arguments.first(), arguments.get(1)];
                (Op::Numbers, [a, b].map(|id| id.map_or(Operand::NONE, |&id| self.operand(tree, id))))
            }
            Expr::Step { op, target } => (Op::Step(op), [variable(tree, target), Operand::NONE]),
            Expr::Assign { target, .. } => (Op::Assign, [variable(tree, target), Operand::NONE]),
            _ => (Op::Other, [Operand::NONE; 2]),
        };
        let depth = match op {
            Op::Other | Op::Step(_) | Op::Assign | Op::Numbers => 0,
            _ => self.depth(a).max(self.depth(b)).saturating_add(1),
        };
        Node { op, depth, a, b }
    }

    fn depth(&self, operand: Operand) -> u16 {
        match operand.source() {
            // An expression comes after its operands.
            Source::Expression => self.nodes.get(operand.expr()).map_or(0, |node| node.depth),
            _ => 0,
        }
    }

    #[inline]
    fn operand(&mut self, tree: &Tree, id: ExprId) -> Operand {
        match tree.exprs[id] {
            Expr::Number(number) => {
                self.literals.push(number.get());
                Operand::new(Source::Literal, self.literals.len() as u32 - 1)
            }
            Expr::Static { slot, .. } => Operand::new(Source::Static, slot),
            Expr::Local { hops: 0, slot, symbol } if is_stacked(tree, symbol) => {
                Operand::new(Source::Local, slot.into())
            }
            Expr::Local { .. } => Operand::new(Source::Outer, id.0),
            _ => Operand::new(Source::Expression, id.0),
        }
    }
}

/// The place of a variable that can be assigned to; anything else is an expression.
fn variable(tree: &Tree, id: ExprId) -> Operand {
    let is_variable = |symbol: SymbolId| tree.symbols[symbol].kind == SymbolKind::Variable;
    match tree.exprs[id] {
        Expr::Static { slot, symbol } if is_variable(symbol) => Operand::new(Source::Static, slot),
        Expr::Local { hops: 0, slot, symbol } if is_variable(symbol) && is_stacked(tree, symbol) => {
            Operand::new(Source::Local, slot.into())
        }
        Expr::Local { symbol, .. } if is_variable(symbol) => Operand::new(Source::Outer, id.0),
        _ => Operand::new(Source::Expression, id.0),
    }
}

fn is_stacked(tree: &Tree, symbol: SymbolId) -> bool {
    let frame = tree.scopes[tree.symbols[symbol].scope].frame;
    tree.scopes.get(frame).is_some_and(Scope::is_stacked)
}
