//! Expressions in the form in which they are evaluated: the operation, and where its operands are, for every expression
//! of the tree under its number; and with them the statements that scripts execute most. Made once of a bound tree;
//! places and everything that is seldom asked for stay there.

use crate::arena::Arena;
use crate::intern::Name;
use crate::library;
use crate::names;
use crate::tree::*;

/// What an expression does with its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A number of two.
    Calculate(Binary),
    /// A number of two, of which the second is one of the numbers in the text.
    CalculateWith(Binary),
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
    /// A method of a variable that mostly takes numbers.
    Method(Method),
    /// A method that changes the list or hashtable in a variable.
    Change(Change),
    /// A variable that needs no search.
    Variable,
    /// A field of a variable.
    Member,
    /// A function of the source.
    Call,
    /// Whatever the tree says.
    Other,
}

/// A method that reads a list, hashtable or picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Size,
    Pixel,
    ContainsKey,
}

impl Method {
    /// How many it takes.
    #[inline(always)]
    pub fn arguments(self) -> usize {
        match self {
            Method::Size => 0,
            Method::Get | Method::ContainsKey => 1,
            Method::Pixel => 2,
        }
    }
}

/// A method that changes a list or hashtable by one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Add,
    Set,
    Put,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub op: Op,
    /// How deep its operands nest, and [`SIMPLE`].
    depth: u16,
    pub a: Operand,
    pub b: Operand,
}

const _: () = assert!(size_of::<Node>() == 12);

/// The stack is looked at so many levels apart.
const LEVELS: u16 = 16;
/// Deeper levels count as this level.
const DEEPEST: u16 = SIMPLE - LEVELS;
/// Evaluating it changes nothing.
const SIMPLE: u16 = 1 << 15;

impl Node {
    /// Whether it is time to look at the stack.
    #[inline]
    pub fn is_deep(self) -> bool {
        self.depth.is_multiple_of(LEVELS)
    }

    /// Whether evaluating it changes nothing, so that it may be done before or after something else.
    fn is_simple(self) -> bool {
        self.depth & SIMPLE != 0
    }
}

/// Where an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A calculation with operands of its own.
    Expression,
    /// One of the numbers in the text.
    Literal,
    /// A slot of a namespace.
    Static,
    /// A slot of the current frame on the stack.
    Local,
    /// A variable further out, or in a frame that stays: an expression as well.
    Outer,
    /// Any other expression: a call, a method, a field.
    Complex,
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
            4 => Source::Outer,
            _ => Source::Complex,
        }
    }

    /// Whether it is an expression that has to be evaluated.
    #[inline(always)]
    pub fn is_expression(self) -> bool {
        matches!(self.source(), Source::Expression | Source::Complex)
    }

    /// Whether it is a slot that needs no search.
    fn is_variable(self) -> bool {
        matches!(self.source(), Source::Static | Source::Local)
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
    /// Arguments of methods.
    pub arguments: Vec<Operand>,
    /// By statement; made when it is first executed.
    pub steps: Arena<StmtId, Step>,
    /// By loop.
    pub rounds: Vec<Round>,
}

/// How a loop goes round whose body shares the frame around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub condition: ExprId,
    /// The step, if it is just one; otherwise [`ExprId::NONE`].
    pub step: ExprId,
    /// The variables of the body.
    pub first: u32,
    pub end: u32,
    /// Whether there is nothing else to do between two rounds.
    pub is_plain: bool,
}

/// The effect of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Gives a variable its first value.
    Set { place: Operand, value: ExprId },
    /// Evaluates an expression for what it does.
    Do { value: ExprId },
    /// Ends a function.
    Return { value: ExprId },
    /// `.if`, by number.
    If(u32),
    /// `.for` and `.while`, by number.
    Repeat(u32),
    /// `{ … }`, by number.
    Block(u32),
    /// Whatever the tree says.
    Other,
    /// Not known yet.
    NotLooked,
}

const _: () = assert!(size_of::<Step>() == 12);

impl Code {
    pub fn of(tree: &Tree) -> Code {
        let nodes = Arena::with_capacity(tree.exprs.len());
        let steps = Arena::filled_like(&tree.stmts, Step::NotLooked);
        let rounds = tree.loops.iter().map(|data| round(tree, data)).collect();
        let mut code = Code { nodes, steps, rounds, literals: Vec::new(), arguments: Vec::new() };
        for expr in &tree.exprs {
            let node = code.node(tree, expr);
            code.nodes.push(node);
        }
        code
    }

    /// The effect of a statement, which is kept.
    #[cold]
    pub fn look(&mut self, tree: &Tree, at: StmtId) -> Step {
        let step = step(tree, &tree.stmts[at]);
        self.steps[at] = step;
        step
    }

    #[inline]
    fn node(&mut self, tree: &Tree, expr: &Expr) -> Node {
        let (op, [a, b]) = match *expr {
            Expr::Binary { op, left, right } if op.is_logic() => (
                Op::Logic(op == Binary::OrOr),
                [left, right].map(|id| Operand::new(Source::Expression, id.0)),
            ),
            Expr::Binary { op, left, right } => {
                let operands = [left, right].map(|id| self.operand(tree, id));
                let kind = match operands[1].source() {
                    _ if op.is_comparison() => Op::Compare(op),
                    Source::Literal => Op::CalculateWith(op),
                    _ => Op::Calculate(op),
                };
                (kind, operands)
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
            Expr::CallUser { .. } => (Op::Call, [Operand::NONE; 2]),
            Expr::Step { op, target } => (Op::Step(op), [variable(tree, target), Operand::NONE]),
            Expr::Assign { target, .. } => (Op::Assign, [variable(tree, target), Operand::NONE]),
            Expr::Method { name, arguments, len } => match (name, len) {
                (names::ADD, 2) => self.change(tree, Change::Add, arguments),
                (names::SET, 3) => self.change(tree, Change::Set, arguments),
                (names::PUT, 3) => self.change(tree, Change::Put, arguments),
                _ => match self.method(tree, name, arguments, len) {
                    Some((method, operands)) => (Op::Method(method), operands),
                    None => (Op::Other, [Operand::NONE; 2]),
                },
            },
            Expr::Static { slot, .. } => (Op::Variable, [Operand::new(Source::Static, slot), Operand::NONE]),
            Expr::Local { hops: 0, slot, symbol } if is_stacked(tree, symbol) => {
                (Op::Variable, [Operand::new(Source::Local, slot.into()), Operand::NONE])
            }
            Expr::Member { base, .. } => match self.operand(tree, base) {
                base if base.is_variable() => (Op::Member, [base, Operand::NONE]),
                _ => (Op::Other, [Operand::NONE; 2]),
            },
            _ => (Op::Other, [Operand::NONE; 2]),
        };
        let depth = match op {
            Op::Calculate(_)
            | Op::CalculateWith(_)
            | Op::Compare(_)
            | Op::Logic(_)
            | Op::Select(_)
            | Op::Not => (self.depth(a).max(self.depth(b)) + 1).min(DEEPEST),
            _ => 0,
        };
        let is_simple = match op {
            Op::Calculate(_) => self.is_simple(a) && self.is_simple(b),
            Op::CalculateWith(_) | Op::Select(_) => self.is_simple(a),
            // Its arguments are.
            Op::Method(_) => true,
            _ => false,
        };
        Node { op, depth: if is_simple { depth | SIMPLE } else { depth }, a, b }
    }

    /// A method of [`Method`] with the place of its receiver and of its arguments. The receiver has to be a variable that
    /// the arguments leave as it is.
    #[inline]
    fn method(
        &mut self,
        tree: &Tree,
        name: Name,
        arguments: u32,
        len: u16,
    ) -> Option<(Method, [Operand; 2])> {
        let method = match (name, len) {
            (names::GET, 2) => Method::Get,
            (names::SIZE, 1) => Method::Size,
            (names::GET_PIXEL, 3) => Method::Pixel,
            (names::CONTAINS_KEY, 2) => Method::ContainsKey,
            _ => return None,
        };
        let (start, first) = (arguments as usize, self.arguments.len());
        let receiver = self.operand(tree, tree.lists[start]);
        for index in 1..usize::from(len) {
            let argument = self.operand(tree, tree.lists[start + index]);
            self.arguments.push(argument);
        }
        let is_simple = self.arguments[first..].iter().all(|&argument| self.is_simple(argument));
        if !receiver.is_variable() || !is_simple {
            self.arguments.truncate(first);
            return None;
        }
        Some((method, [receiver, Operand::new(Source::Expression, first as u32)]))
    }

    /// A method that changes what is in a variable.
    fn change(&mut self, tree: &Tree, change: Change, arguments: u32) -> (Op, [Operand; 2]) {
        match self.operand(tree, tree.lists[arguments as usize]) {
            receiver if receiver.is_variable() => (Op::Change(change), [receiver, Operand::NONE]),
            _ => (Op::Other, [Operand::NONE; 2]),
        }
    }

    fn is_simple(&self, operand: Operand) -> bool {
        match operand.source() {
            Source::Expression | Source::Complex => {
                self.nodes.get(operand.expr()).is_some_and(|node| node.is_simple())
            }
            _ => true,
        }
    }

    fn depth(&self, operand: Operand) -> u16 {
        match operand.source() {
            // An expression comes after its operands.
            Source::Expression | Source::Complex => {
                self.nodes.get(operand.expr()).map_or(0, |node| node.depth & !SIMPLE)
            }
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
            Expr::CallUser { .. } | Expr::CallBuiltIn { .. } | Expr::Method { .. } | Expr::Member { .. } => {
                Operand::new(Source::Complex, id.0)
            }
            _ => Operand::new(Source::Expression, id.0),
        }
    }
}

fn round(tree: &Tree, data: &Loop) -> Round {
    let body = &tree.scopes[data.body_scope];
    let step = if let [step] = tree.list(data.step) { *step } else { ExprId::NONE };
    let is_plain = body.frame != data.body_scope && data.entity == SymbolId::NONE && step != ExprId::NONE;
    Round { condition: data.condition, step, first: body.first, end: body.first + body.slots, is_plain }
}

fn step(tree: &Tree, stmt: &Stmt) -> Step {
    match *stmt {
        Stmt::Var { symbol, value } if value != ExprId::NONE => {
            let scope = &tree.scopes[tree.symbols[symbol].scope];
            let slot = tree.symbols[symbol].slot;
            if scope.kind == ScopeKind::Namespace {
                Step::Set { place: Operand::new(Source::Static, scope.base + slot), value }
            } else if is_stacked(tree, symbol) {
                Step::Set { place: Operand::new(Source::Local, slot), value }
            } else {
                Step::Other
            }
        }
        Stmt::Eval { value } => Step::Do { value },
        Stmt::Return { value } => Step::Return { value },
        Stmt::If(id) => Step::If(id),
        Stmt::For(id) | Stmt::While(id) => Step::Repeat(id),
        Stmt::Block(id) => Step::Block(id),
        _ => Step::Other,
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
