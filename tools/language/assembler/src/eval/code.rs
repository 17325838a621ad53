//! Expressions in the form in which they are evaluated: the operation, and where its operands are, for every expression
//! of the tree under its number; and with them the statements that scripts execute most. Made once of a bound tree;
//! places and everything that is seldom asked for stay there.

use crate::arena::Arena;
use crate::intern::Name;
use crate::library;
use crate::names;
use crate::tree::*;

/// The operation of an expression on its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A number of two.
    Calculate(Binary),
    /// A number of two, of which the second is one of the numbers in the text.
    CalculateWith(Binary),
    /// A number of two that are variables or numbers in the text: nothing has to be evaluated before it.
    Leaf(Binary),
    /// A number of a variable on the stack and a number in the text.
    LeafWith(Binary),
    /// A condition of two.
    Compare(Binary),
    /// A condition of two that are variables or numbers in the text.
    CompareLeaf(Binary),
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
    /// Not compiled yet; until then it is evaluated like any other.
    NotLooked,
}

impl Op {
    /// Whether it most likely makes a number that `calculate` gives.
    #[inline(always)]
    pub fn gives_number(self) -> bool {
        matches!(
            self,
            Op::Calculate(_)
                | Op::CalculateWith(_)
                | Op::Leaf(_)
                | Op::LeafWith(_)
                | Op::Select(_)
                | Op::Numbers
                | Op::Method(_)
                | Op::Member
        )
    }
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

/// The stack is looked at this many levels apart.
const LEVELS: u16 = 16;
/// Deeper levels count as this level.
const DEEPEST: u16 = SIMPLE - LEVELS;
/// Evaluating it changes nothing.
const SIMPLE: u16 = 1 << 15;

impl Node {
    /// A statement without operands that needs the tree.
    const OTHER: Node = Node { op: Op::Other, depth: 0, a: Operand::NONE, b: Operand::NONE };
    /// The same without an effect.
    const PLAIN: Node = Node { depth: SIMPLE, ..Node::OTHER };
    const NOT_LOOKED: Node = Node { op: Op::NotLooked, ..Node::OTHER };

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
    /// A calculation with its own operands.
    Expression,
    /// One of the numbers in the text.
    Literal,
    /// A slot of a namespace.
    Static,
    /// A slot of the current frame on the stack.
    Local,
    /// A variable further out, or in a frame that stays: an expression as well.
    Outer,
    /// Any other expression: a method, a field, a function of the library.
    Complex,
    /// A calculation with variables and numbers in the text.
    Leaf,
    /// A call of a function of the source.
    Call,
    /// An element of the list or hashtable in a variable.
    Element,
}

/// A source and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operand(u32);

const SOURCE_SHIFT: u32 = 28;

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
            5 => Source::Complex,
            6 => Source::Leaf,
            7 => Source::Call,
            _ => Source::Element,
        }
    }

    /// Whether it is an expression that has to be evaluated.
    #[inline(always)]
    pub fn is_expression(self) -> bool {
        matches!(
            self.source(),
            Source::Expression | Source::Complex | Source::Leaf | Source::Call | Source::Element
        )
    }

    /// Whether it is there without evaluating anything.
    fn is_direct(self) -> bool {
        matches!(self.source(), Source::Literal | Source::Static | Source::Local)
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
    /// By expression; made with those around it when one is first needed.
    pub nodes: Arena<ExprId, Node>,
    pub literals: Vec<f64>,
    /// Arguments of methods and functions.
    pub arguments: Vec<Operand>,
    /// By statement; made when it is first executed.
    pub steps: Arena<StmtId, Step>,
    /// By loop.
    pub rounds: Vec<Round>,
    /// By `.if`.
    pub choices: Vec<Choice>,
    /// By function, macro and pseudo command.
    pub routines: Vec<Routine>,
}

/// The facts about a body that a call needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Routine {
    pub name: Name,
    pub scope: ScopeId,
    /// The slots of its frame, if that is on the stack.
    pub stacked: Option<u32>,
    pub start: StmtId,
    pub end: StmtId,
    /// The value, if the body is one `.return`.
    pub only: ExprId,
}

impl Routine {
    fn of(tree: &Tree, callable: &Callable) -> Routine {
        let is_one = callable.end == callable.start.next();
        let only = match tree.stmts.get(callable.start) {
            Some(&Stmt::Return { value }) if is_one => value,
            _ => ExprId::NONE,
        };
        let scope = tree.scopes.get(callable.scope);
        let stacked = scope.filter(|scope| scope.frame == callable.scope && scope.is_stacked());
        Routine {
            name: callable.name,
            scope: callable.scope,
            stacked: stacked.map(|scope| scope.frame_slots),
            start: callable.start,
            end: callable.end,
            only,
        }
    }
}

/// An `.if`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub condition: ExprId,
    /// Whether the bodies share the frame around them and have no label, so that there is nothing to leave after them.
    pub is_plain: bool,
    /// The variables of the bodies.
    pub then_slots: (u32, u32),
    pub else_slots: (u32, u32),
    pub else_start: StmtId,
    pub end: StmtId,
}

/// How a loop goes round whose body shares the frame around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    pub condition: ExprId,
    /// The step; [`ExprId::NONE`] if there is none, or more than one.
    pub step: ExprId,
    /// The variables of the body.
    pub first: u32,
    pub end: u32,
    /// Whether there is nothing else to do between two rounds.
    pub is_plain: bool,
    /// The variable that the step counts and the condition compares: its slot, by how much, and the comparison.
    pub counted: Option<(u32, f64, Binary)>,
    /// The value it is compared with.
    pub bound: Operand,
}

/// The effect of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Gives a variable its first value.
    Set { place: Operand, value: ExprId },
    /// The same with a calculation, if nothing else has to be noted.
    Calculate { place: Operand, value: ExprId },
    /// Gives a variable the result of a calculation.
    Assign { place: Operand, value: ExprId },
    /// Changes the list or hashtable in a variable.
    Change { change: Change, value: ExprId },
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

impl Step {
    /// Whether it says what to do.
    #[inline(always)]
    pub fn is_known(self) -> bool {
        !matches!(self, Step::Other | Step::NotLooked)
    }
}

impl Code {
    pub fn of(tree: &Tree) -> Code {
        let mut code = Code {
            nodes: Arena::filled_like(&tree.exprs, Node::NOT_LOOKED),
            literals: Vec::new(),
            arguments: Vec::new(),
            steps: Arena::filled_like(&tree.stmts, Step::NotLooked),
            rounds: Vec::with_capacity(tree.loops.len()),
            choices: tree.ifs.iter().map(|data| choice(tree, data)).collect(),
            routines: tree.callables.iter().map(|callable| Routine::of(tree, callable)).collect(),
        };
        for data in &tree.loops {
            code.look_at(tree, data.condition);
            tree.list(data.step).iter().for_each(|&step| code.look_at(tree, step));
            let round = code.round(tree, data);
            code.rounds.push(round);
        }
        code
    }

    /// Compiles an expression and its operands, which come right before it.
    pub fn look_at(&mut self, tree: &Tree, id: ExprId) {
        if self.nodes.get(id).is_none_or(|node| node.op != Op::NotLooked) {
            return;
        }
        if !has_direct_operands(tree, id) {
            for before in (first_of(tree, id).0..id.0).map(ExprId) {
                // Their parents know all about these.
                let is_direct = is_direct(tree, before);
                if !is_direct && self.nodes[before].op == Op::NotLooked {
                    self.nodes[before] = self.node(tree, &tree.exprs[before]);
                }
            }
        }
        self.nodes[id] = self.node(tree, &tree.exprs[id]);
    }

    fn round(&self, tree: &Tree, data: &Loop) -> Round {
        let body = &tree.scopes[data.body_scope];
        let step = if let [step] = tree.list(data.step) { *step } else { ExprId::NONE };
        let is_plain =
            body.frame != data.body_scope && data.entity == SymbolId::NONE && tree.list(data.step).len() <= 1;
        let node = |id: ExprId| self.nodes.get(id).copied().unwrap_or(Node::OTHER);
        let (count, condition) = (node(step), node(data.condition));
        let by = if count.op == Op::Step(Binary::Subtract) { -1.0 } else { 1.0 };
        let counted = match (count.op, condition.op) {
            (Op::Step(_), Op::CompareLeaf(op))
                if count.a.source() == Source::Local && count.a == condition.a =>
            {
                Some((count.a.index(), by, op))
            }
            _ => None,
        };
        // A count that changes the bound as well is none.
        let counted = counted.filter(|_| condition.b != count.a);
        let (first, end) = (body.first, body.first + body.slots);
        Round { condition: data.condition, step, first, end, is_plain, counted, bound: condition.b }
    }

    /// Notes the effect of a statement.
    #[cold]
    pub fn look(&mut self, tree: &Tree, at: StmtId, is_analysis: bool) {
        match tree.stmts[at] {
            Stmt::Var { value, .. } | Stmt::Eval { value } | Stmt::Return { value } => {
                self.look_at(tree, value)
            }
            Stmt::If(id) => self.look_at(tree, tree.ifs[id as usize].condition),
            _ => {}
        }
        self.steps[at] = match step(tree, &tree.stmts[at]) {
            Step::Set { place, value } if !is_analysis && self.op(value).gives_number() => {
                Step::Calculate { place, value }
            }
            Step::Do { value } if let Op::Change(change) = self.op(value) => Step::Change { change, value },
            Step::Do { value: id } => match tree.exprs[id] {
                Expr::Assign { op: None, value, .. }
                    if self.nodes[id].a.is_variable() && self.op(value).gives_number() =>
                {
                    Step::Assign { place: self.nodes[id].a, value }
                }
                _ => Step::Do { value: id },
            },
            step => step,
        };
    }

    fn op(&self, id: ExprId) -> Op {
        self.nodes.get(id).map_or(Op::Other, |node| node.op)
    }

    #[inline(never)]
    fn node(&mut self, tree: &Tree, expr: &Expr) -> Node {
        let (op, [a, b]) = match *expr {
            Expr::Number(_) | Expr::String(_) | Expr::Bool(_) | Expr::Null | Expr::Char(_) => {
                return Node::PLAIN;
            }
            Expr::Binary { op, left, right } if op.is_logic() => (
                Op::Logic(op == Binary::OrOr),
                [left, right].map(|id| Operand::new(Source::Expression, id.0)),
            ),
            Expr::Binary { op, left, right } => {
                let operands = [left, right].map(|id| self.operand(tree, id));
                let is_leaf = operands[0].is_direct() && operands[1].is_direct();
                let kind = match operands[1].source() {
                    _ if op.is_comparison() && is_leaf => Op::CompareLeaf(op),
                    _ if op.is_comparison() => Op::Compare(op),
                    Source::Literal if operands[0].source() == Source::Local => Op::LeafWith(op),
                    _ if is_leaf => Op::Leaf(op),
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
            Expr::CallUser { arguments, len, .. } => {
                let first = Operand::new(Source::Expression, self.arguments.len() as u32);
                let list = arguments as usize..arguments as usize + usize::from(len);
                for &id in &tree.lists[list] {
                    let argument = self.operand(tree, id);
                    self.arguments.push(argument);
                }
                (Op::Call, [first, Operand::NONE])
            }
            Expr::Step { op, target } => (Op::Step(op), [variable(tree, target), Operand::NONE]),
            Expr::Assign { target, .. } => (Op::Assign, [variable(tree, target), Operand::NONE]),
            Expr::Method { name, arguments, len } => match (name, len) {
                (names::ADD, 2) => self.change(tree, Change::Add, arguments, len),
                (names::SET, 3) => self.change(tree, Change::Set, arguments, len),
                (names::PUT, 3) => self.change(tree, Change::Put, arguments, len),
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
            _ => return Node::OTHER,
        };
        let depth = match op {
            Op::Leaf(_) | Op::LeafWith(_) | Op::CompareLeaf(_) => 1,
            Op::Method(method) => self.deepest_argument(b, method) + 1,
            Op::Calculate(_)
            | Op::CalculateWith(_)
            | Op::Compare(_)
            | Op::Logic(_)
            | Op::Select(_)
            | Op::Not => self.depth(a).max(self.depth(b)) + 1,
            _ => 0,
        };
        let depth = depth.min(DEEPEST);
        let is_simple = match op {
            Op::Calculate(_) => self.is_simple(a) && self.is_simple(b),
            Op::CalculateWith(_) | Op::Select(_) => self.is_simple(a),
            // The arguments of a method are.
            Op::Leaf(_) | Op::LeafWith(_) | Op::Method(_) => true,
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

    /// A method that changes what is in a variable. The second operand is where its arguments are, as a number in the
    /// text, if they leave the variable as it is.
    fn change(&mut self, tree: &Tree, change: Change, arguments: u32, len: u16) -> (Op, [Operand; 2]) {
        let list = &tree.lists[arguments as usize..arguments as usize + usize::from(len)];
        let receiver = self.operand(tree, list[0]);
        if !receiver.is_variable() {
            return (Op::Other, [Operand::NONE; 2]);
        }
        let first = self.arguments.len();
        for &id in &list[1..] {
            let argument = self.operand(tree, id);
            self.arguments.push(argument);
        }
        if self.arguments[first..].iter().all(|&argument| self.is_simple(argument)) {
            return (Op::Change(change), [receiver, Operand::new(Source::Literal, first as u32)]);
        }
        self.arguments.truncate(first);
        (Op::Change(change), [receiver, Operand::NONE])
    }

    /// How deep the arguments of a method nest.
    fn deepest_argument(&self, first: Operand, method: Method) -> u16 {
        let first = first.index() as usize;
        let arguments = self.arguments.get(first..first + method.arguments()).unwrap_or_default();
        arguments.iter().map(|&argument| self.depth(argument)).max().unwrap_or_default()
    }

    fn is_simple(&self, operand: Operand) -> bool {
        match operand.source() {
            Source::Expression | Source::Complex | Source::Element => {
                self.nodes.get(operand.expr()).is_some_and(|node| node.is_simple())
            }
            Source::Call => false,
            _ => true,
        }
    }

    fn depth(&self, operand: Operand) -> u16 {
        match operand.source() {
            // An expression comes after its operands.
            Source::Expression | Source::Complex | Source::Leaf | Source::Element => {
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
            Expr::CallUser { .. } => Operand::new(Source::Call, id.0),
            Expr::CallBuiltIn { .. } | Expr::Method { .. } | Expr::Member { .. } => match self.op(id) {
                Op::Method(Method::Get) => Operand::new(Source::Element, id.0),
                _ => Operand::new(Source::Complex, id.0),
            },
            _ => match self.nodes.get(id).map(|node| node.op) {
                Some(Op::Leaf(_) | Op::LeafWith(_)) => Operand::new(Source::Leaf, id.0),
                _ => Operand::new(Source::Expression, id.0),
            },
        }
    }
}

/// Whether an operand is there without being compiled.
#[inline]
fn is_direct(tree: &Tree, id: ExprId) -> bool {
    matches!(tree.exprs[id], Expr::Number(_) | Expr::Static { .. } | Expr::Local { .. })
}

/// Whether an expression has no operands that have to be compiled before it.
#[inline]
fn has_direct_operands(tree: &Tree, id: ExprId) -> bool {
    match tree.exprs[id] {
        Expr::Binary { left, right, .. } => is_direct(tree, left) && is_direct(tree, right),
        Expr::Unary { operand, .. } => is_direct(tree, operand),
        _ => is_direct(tree, id),
    }
}

/// The first of the expressions that an expression consists of; they are in the order in which they were read.
fn first_of(tree: &Tree, mut id: ExprId) -> ExprId {
    loop {
        let before = match tree.exprs[id] {
            Expr::Binary { left: first, .. }
            | Expr::Unary { operand: first, .. }
            | Expr::Pair { first, .. }
            | Expr::Index { base: first, .. }
            | Expr::Member { base: first, .. }
            | Expr::Ternary { condition: first, .. }
            | Expr::Assign { target: first, .. }
            | Expr::Step { target: first, .. }
            | Expr::Declare { value: first, .. } => first,
            Expr::CallBuiltIn { arguments, len, .. }
            | Expr::CallStruct { arguments, len, .. }
            | Expr::CallUser { arguments, len, .. }
            | Expr::Method { arguments, len, .. }
                if len > 0 =>
            {
                tree.lists[arguments as usize]
            }
            _ => return id,
        };
        // What is elsewhere is compiled when it is needed.
        if before >= id {
            return id;
        }
        id = before;
    }
}

fn choice(tree: &Tree, data: &If) -> Choice {
    let slots = |scope: ScopeId| {
        let body = tree.scopes.get(scope)?;
        (body.frame != scope).then_some((body.first, body.first + body.slots))
    };
    let then_slots = slots(data.then_scope);
    let else_slots = if data.else_scope == ScopeId::NONE { Some((0, 0)) } else { slots(data.else_scope) };
    Choice {
        condition: data.condition,
        is_plain: then_slots.is_some() && else_slots.is_some() && data.entity == SymbolId::NONE,
        then_slots: then_slots.unwrap_or_default(),
        else_slots: else_slots.unwrap_or_default(),
        else_start: if data.else_scope == ScopeId::NONE { data.end } else { data.else_start },
        end: data.end,
    }
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
