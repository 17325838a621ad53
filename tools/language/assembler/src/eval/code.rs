//! Expressions and functions in the form in which they are executed quickly: a node for each operator, variables in
//! numbered registers, statements as jumps. Made of the tree once something is evaluated often.
//!
//! Only what changes nothing but its own variables has such a form. Executing it is handled by `quick`.

use crate::library::{self, Numbers};
use crate::names;
use crate::tree::*;

/// The index of a [`Node`].
pub(super) type NodeId = u32;

#[derive(Debug, Clone, Copy)]
pub(super) enum Node {
    Number(f64),
    Bool(bool),
    Char(char),
    /// A variable of the function.
    Register(u32),
    /// A variable of the statement around an expression.
    Local {
        hops: u16,
        slot: u16,
    },
    Static(u32),
    Select {
        op: Unary,
        operand: NodeId,
    },
    Not(NodeId),
    Calculate {
        op: Binary,
        left: NodeId,
        right: NodeId,
    },
    Compare {
        op: Binary,
        left: NodeId,
        right: NodeId,
    },
    /// `left && right` or `left || right`; the left one decides if it is this.
    Logic {
        decided: bool,
        left: NodeId,
        right: NodeId,
    },
    /// The branches are two entries of the lists.
    Choose {
        condition: NodeId,
        branches: u32,
    },
    /// A function of numbers; the arguments are entries of the lists.
    BuiltIn {
        numbers: &'static Numbers,
        arguments: u32,
    },
    /// `get` and `uget`.
    Element {
        is_unsigned: bool,
        receiver: NodeId,
        index: NodeId,
    },
    /// `size` and `getSize`.
    Size {
        is_file: bool,
        receiver: NodeId,
    },
    Call {
        function: u32,
        arguments: u32,
        len: u16,
    },
}

/// A statement of a function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    Set {
        register: u32,
        value: NodeId,
    },
    /// The same with a value that is a number.
    SetNumber {
        register: u32,
        value: NodeId,
    },
    /// Variables of a scope that is entered have no value yet.
    Clear {
        start: u32,
        end: u32,
    },
    Jump {
        to: u32,
    },
    JumpUnless {
        condition: NodeId,
        to: u32,
    },
    /// A loop goes round.
    Turn,
    Evaluate(NodeId),
    Return(NodeId),
    /// The end of the function.
    End,
}

/// Where the code of a function is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function {
    /// Its first operation.
    pub start: u32,
    /// Its parameters are the first of them.
    pub registers: u32,
}

/// What was compiled.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub nodes: Vec<Node>,
    /// Arguments and branches.
    pub lists: Vec<NodeId>,
    pub ops: Vec<Op>,
}

impl Code {
    /// The code of an expression outside of functions, if it has such a form.
    pub fn expression(&mut self, tree: &Tree, expr: ExprId) -> Option<NodeId> {
        Compiler::new(tree, self, false).node(expr, 0)
    }

    /// The code of a function, if it has such a form.
    pub fn function(&mut self, tree: &Tree, function: u32) -> Option<Function> {
        let callable = &tree.callables[function as usize];
        let start = self.ops.len() as u32;
        let mut compiler = Compiler::new(tree, self, true);
        compiler.enter(callable.scope)?;
        if compiler.registers < callable.parameters {
            return None;
        }
        compiler.statements(callable.start, callable.end)?;
        compiler.code.ops.push(Op::End);
        let registers = compiler.registers;
        Some(Function { start, registers })
    }
}

/// Operators deeper than this are left to the tree.
const MAX_DEPTH: u32 = 50;
/// Functions that do nothing but return an expression are put in the place of a call, so many in each other.
const MAX_INLINES: u32 = 4;

struct Compiler<'a> {
    tree: &'a Tree,
    code: &'a mut Code,
    is_function: bool,
    registers: u32,
    /// The first register of each scope.
    scopes: Vec<(ScopeId, u32)>,
    /// The scope of the function whose body stands for a call, and what its parameters are.
    inlined: Option<(ScopeId, Vec<NodeId>)>,
    /// How many calls were replaced by a body, one in the other.
    inlines: u32,
}

impl<'a> Compiler<'a> {
    fn new(tree: &'a Tree, code: &'a mut Code, is_function: bool) -> Compiler<'a> {
        Compiler { tree, code, is_function, registers: 0, scopes: Vec::new(), inlined: None, inlines: 0 }
    }

    fn push(&mut self, node: Node) -> Option<NodeId> {
        self.code.nodes.push(node);
        Some(self.code.nodes.len() as NodeId - 1)
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// Gives the variables of a scope registers, which are returned.
    fn enter(&mut self, id: ScopeId) -> Option<(u32, u32)> {
        let start = self.registers;
        let Some(scope) = self.tree.scopes.get(id as usize) else { return Some((start, start)) };
        if scope.kind != ScopeKind::Local || scope.kept > 0 || scope.is_entity {
            return None;
        }
        self.scopes.push((id, start));
        self.registers += scope.slots;
        Some((start, self.registers))
    }

    /// The same for a scope inside of the function.
    fn enter_inner(&mut self, id: ScopeId) -> Option<()> {
        let (start, end) = self.enter(id)?;
        if start < end {
            self.code.ops.push(Op::Clear { start, end });
        }
        Some(())
    }

    fn register(&self, symbol: SymbolId) -> Option<u32> {
        let symbol = &self.tree.symbols[symbol as usize];
        let (_, first) = self.scopes.iter().find(|(scope, _)| *scope == symbol.scope)?;
        Some(first + symbol.slot)
    }

    // --- statements

    fn statements(&mut self, start: StmtId, end: StmtId) -> Option<()> {
        let tree = self.tree;
        let mut at = start;
        while at < end {
            let mut next = at + 1;
            match tree.stmts[at as usize] {
                Stmt::Skip { end } => next = end,
                Stmt::Block(id) => {
                    let Block { scope, entity, end } = tree.blocks[id as usize];
                    if entity != NONE {
                        return None;
                    }
                    self.enter_inner(scope)?;
                    self.statements(at + 1, end)?;
                    next = end;
                }
                Stmt::If(id) => {
                    let data = &tree.ifs[id as usize];
                    self.condition(at, data)?;
                    next = data.end;
                }
                Stmt::For(id) | Stmt::While(id) => {
                    let data = &tree.loops[id as usize];
                    self.repeat(at, data)?;
                    next = data.end;
                }
                Stmt::Var { symbol, value } if value != NONE => {
                    let value = self.node(value, 0)?;
                    let register = self.register(symbol)?;
                    self.set(register, value);
                }
                Stmt::Eval { value } => self.evaluate(value)?,
                Stmt::Return { value } => {
                    let value = self.node(value, 0)?;
                    self.code.ops.push(Op::Return(value));
                }
                _ => return None,
            }
            at = next;
        }
        Some(())
    }

    fn condition(&mut self, at: StmtId, data: &If) -> Option<()> {
        if data.entity != NONE {
            return None;
        }
        let condition = self.node(data.condition, 0)?;
        let test = self.here();
        self.code.ops.push(Op::JumpUnless { condition, to: 0 });
        self.enter_inner(data.then_scope)?;
        self.statements(at + 1, data.else_start)?;
        let mut to = self.here();
        if data.else_scope != NONE {
            self.code.ops.push(Op::Jump { to: 0 });
            to = self.here();
            self.enter_inner(data.else_scope)?;
            self.statements(data.else_start, data.end)?;
            let end = self.here();
            self.code.ops[to as usize - 1] = Op::Jump { to: end };
        }
        self.code.ops[test as usize] = Op::JumpUnless { condition, to };
        Some(())
    }

    fn repeat(&mut self, at: StmtId, data: &Loop) -> Option<()> {
        let tree = self.tree;
        if data.entity != NONE {
            return None;
        }
        if data.header_scope != NONE {
            self.enter_inner(data.header_scope)?;
        }
        for &init in tree.list(data.init) {
            self.evaluate(init)?;
        }
        let test = self.here();
        let condition = self.node(data.condition, 0)?;
        self.code.ops.push(Op::JumpUnless { condition, to: 0 });
        self.code.ops.push(Op::Turn);
        self.enter_inner(data.body_scope)?;
        self.statements(at + 1, data.end)?;
        for &step in tree.list(data.step) {
            self.evaluate(step)?;
        }
        self.code.ops.push(Op::Jump { to: test });
        let to = self.here();
        self.code.ops[test as usize] = Op::JumpUnless { condition, to };
        Some(())
    }

    /// An expression whose value nobody uses.
    fn evaluate(&mut self, expr: ExprId) -> Option<()> {
        let (register, value) = match self.tree.exprs[expr as usize] {
            Expr::Assign { op: None, target, value } => (self.target(target)?, self.node(value, 0)?),
            Expr::Assign { op: Some(op), target, value } => {
                let register = self.target(target)?;
                let left = self.push(Node::Register(register))?;
                let right = self.node(value, 0)?;
                (register, self.binary(op, left, right)?)
            }
            Expr::Step { op, target } => {
                let register = self.target(target)?;
                let left = self.push(Node::Register(register))?;
                let right = self.push(Node::Number(1.0))?;
                (register, self.binary(op, left, right)?)
            }
            Expr::Declare { symbol, value } => {
                let value = self.node(value, 0)?;
                (self.register(symbol)?, value)
            }
            _ => {
                let value = self.node(expr, 0)?;
                self.code.ops.push(Op::Evaluate(value));
                return Some(());
            }
        };
        self.set(register, value);
        Some(())
    }

    fn set(&mut self, register: u32, value: NodeId) {
        let is_number = matches!(
            self.code.nodes[value as usize],
            Node::Number(_) | Node::Calculate { .. } | Node::Select { .. } | Node::BuiltIn { .. }
        );
        let op = if is_number { Op::SetNumber { register, value } } else { Op::Set { register, value } };
        self.code.ops.push(op);
    }

    /// The register of a variable that is assigned to.
    fn target(&self, expr: ExprId) -> Option<u32> {
        let Expr::Local { symbol, .. } = self.tree.exprs[expr as usize] else { return None };
        let is_variable = self.tree.symbols[symbol as usize].kind == SymbolKind::Variable;
        if is_variable { self.register(symbol) } else { None }
    }

    // --- expressions

    fn node(&mut self, expr: ExprId, depth: u32) -> Option<NodeId> {
        if depth > MAX_DEPTH {
            return None;
        }
        let depth = depth + 1;
        let node = match self.tree.exprs[expr as usize] {
            Expr::Number(number) => Node::Number(number.get()),
            Expr::Bool(value) => Node::Bool(value),
            Expr::Char(c) => Node::Char(c),
            Expr::Static { slot, .. } => Node::Static(slot),
            Expr::Local { symbol, .. } if self.inlined.is_some() => return self.parameter(symbol),
            Expr::Local { symbol, .. } if self.is_function => Node::Register(self.register(symbol)?),
            Expr::Local { hops, slot, .. } => Node::Local { hops, slot },
            Expr::Unary { op: Unary::Not, operand } => Node::Not(self.node(operand, depth)?),
            Expr::Unary { op, operand } => Node::Select { op, operand: self.node(operand, depth)? },
            Expr::Binary { op, left, right } => {
                let left = self.node(left, depth)?;
                let right = self.node(right, depth)?;
                return self.binary(op, left, right);
            }
            Expr::Ternary { condition, branches } => {
                let condition = self.node(condition, depth)?;
                Node::Choose { condition, branches: self.list(branches, 2, depth)? }
            }
            Expr::CallBuiltIn { function, arguments, len } => {
                let numbers = library::numbers(function)?;
                Node::BuiltIn { numbers, arguments: self.list(arguments, len, depth)? }
            }
            Expr::CallUser { function, arguments, len } => {
                if let Some(body) = self.inlinable(function, arguments, len) {
                    return self.inline(function, body, arguments, len, depth);
                }
                Node::Call { function, arguments: self.list(arguments, len, depth)?, len }
            }
            Expr::Method { name: name @ (names::SIZE | names::GET_SIZE), arguments, len: 1 } => {
                let receiver = self.node(self.tree.lists[arguments as usize], depth)?;
                Node::Size { is_file: name == names::GET_SIZE, receiver }
            }
            Expr::Method { name: name @ (names::GET | names::UGET), arguments, len: 2 } => {
                let receiver = self.node(self.tree.lists[arguments as usize], depth)?;
                let index = self.node(self.tree.lists[arguments as usize + 1], depth)?;
                Node::Element { is_unsigned: name == names::UGET, receiver, index }
            }
            _ => return None,
        };
        self.push(node)
    }

    fn binary(&mut self, op: Binary, left: NodeId, right: NodeId) -> Option<NodeId> {
        self.push(match op {
            Binary::AndAnd => Node::Logic { decided: false, left, right },
            Binary::OrOr => Node::Logic { decided: true, left, right },
            Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Equal
            | Binary::NotEqual => Node::Compare { op, left, right },
            _ => Node::Calculate { op, left, right },
        })
    }

    // --- functions in the place of a call

    /// What a parameter of the function is whose body is being compiled in the place of a call.
    fn parameter(&self, symbol: SymbolId) -> Option<NodeId> {
        let symbol = &self.tree.symbols[symbol as usize];
        let (scope, nodes) = self.inlined.as_ref()?;
        if *scope == symbol.scope { nodes.get(symbol.slot as usize).copied() } else { None }
    }

    /// The expression that a function returns, if it can stand for a call: an argument that has to be calculated is
    /// calculated once, as it would be by a call.
    fn inlinable(&self, function: u32, arguments: u32, len: u16) -> Option<ExprId> {
        let tree = self.tree;
        let callable = &tree.callables[function as usize];
        let [Stmt::Return { value }] = tree.stmts[callable.start as usize..callable.end as usize] else {
            return None;
        };
        if self.inlines >= MAX_INLINES || callable.parameters != u32::from(len) {
            return None;
        }
        let mut uses = vec![0; len.into()];
        self.count_uses(value, Certain::Yes, &mut uses, 0)?;
        let is_fine = |(index, &uses): (usize, &u32)| {
            let argument = tree.exprs[tree.lists[arguments as usize + index] as usize];
            uses == 1
                || matches!(
                    argument,
                    Expr::Number(_)
                        | Expr::Bool(_)
                        | Expr::Char(_)
                        | Expr::Static { .. }
                        | Expr::Local { .. }
                )
        };
        uses.iter().enumerate().all(is_fine).then_some(value)
    }

    /// Counts how often each parameter is used; twice for a use that depends on a condition.
    fn count_uses(&self, expr: ExprId, certain: Certain, uses: &mut [u32], depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let tree = self.tree;
        let mut count = |expr: ExprId, certain: Certain| self.count_uses(expr, certain, uses, depth + 1);
        match tree.exprs[expr as usize] {
            Expr::Number(_) | Expr::Bool(_) | Expr::Char(_) | Expr::Static { .. } => Some(()),
            Expr::Local { symbol, .. } => {
                let slot = tree.symbols[symbol as usize].slot;
                *uses.get_mut(slot as usize)? += if certain == Certain::Yes { 1 } else { 2 };
                Some(())
            }
            Expr::Unary { operand, .. } => count(operand, certain),
            Expr::Binary { op, left, right } => {
                count(left, certain)?;
                let is_logic = matches!(op, Binary::AndAnd | Binary::OrOr);
                count(right, if is_logic { Certain::No } else { certain })
            }
            Expr::Ternary { condition, branches } => {
                count(condition, certain)?;
                count(tree.lists[branches as usize], Certain::No)?;
                count(tree.lists[branches as usize + 1], Certain::No)
            }
            Expr::CallBuiltIn { arguments, len, .. }
            | Expr::CallUser { arguments, len, .. }
            | Expr::Method { arguments, len, .. } => {
                let arguments = arguments as usize..arguments as usize + usize::from(len);
                tree.lists[arguments].iter().try_for_each(|&argument| count(argument, certain))
            }
            _ => None,
        }
    }

    fn inline(
        &mut self,
        function: u32,
        body: ExprId,
        arguments: u32,
        len: u16,
        depth: u32,
    ) -> Option<NodeId> {
        let mut nodes = Vec::with_capacity(len.into());
        for index in arguments..arguments + u32::from(len) {
            nodes.push(self.node(self.tree.lists[index as usize], depth)?);
        }
        let scope = self.tree.callables[function as usize].scope;
        let outer = self.inlined.replace((scope, nodes));
        self.inlines += 1;
        let node = self.node(body, depth);
        self.inlines -= 1;
        self.inlined = outer;
        node
    }

    fn list(&mut self, start: u32, len: u16, depth: u32) -> Option<u32> {
        // Those of inner calls come behind.
        let first = self.code.lists.len();
        self.code.lists.resize(first + usize::from(len), 0);
        for index in 0..usize::from(len) {
            let node = self.node(self.tree.lists[start as usize + index], depth)?;
            self.code.lists[first + index] = node;
        }
        Some(first as u32)
    }
}

/// Whether an expression is evaluated in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certain {
    Yes,
    No,
}
