//! Results that need not be evaluated again.
//!
//! Two things are kept. Within a pass, the results of functions that depend on nothing but their arguments. From pass
//! to pass, the bytes of `.fill`s that changed nothing: known values never change, so at the same point of the next
//! pass they are the same. The tree says what an expression could do ([`Grade`]), and marks made during evaluation
//! say what only a value can tell ([`Marks`]).

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::Evaluator;
use crate::arena::Arena;
use crate::library;
use crate::tree::*;
use crate::values::Value;

/// The dependencies and side effects of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// Depends on arguments and on what never changes.
    Pure,
    /// Depends on the point of execution.
    Reads,
    /// Changes something outside of itself.
    Effects,
}

/// Counts what makes a value depend on more than the tree shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Values that were not known, and effects that are to be seen outside of the script.
    unknown: Cell<u64>,
    /// Changes of values that others see.
    changed: Cell<u64>,
    /// Reads of values that others may change.
    shared: Cell<u64>,
}

impl Marks {
    /// Something is not known yet, or is done outside of the script.
    pub fn unknown(&self) {
        self.unknown.set(self.unknown.get() + 1);
    }

    /// A value that others see was changed.
    pub fn changed(&self) {
        self.changed.set(self.changed.get() + 1);
    }

    /// Whether all was known since some earlier marks.
    pub fn all_known_since(&self, before: &Marks) -> bool {
        self.unknown == before.unknown
    }

    /// Something was read that may be different the next time.
    pub fn shared(&self) {
        self.shared.set(self.shared.get() + 1);
    }
}

/// A function and its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    function: u32,
    /// Four bits for each argument.
    kinds: u32,
    arguments: [u64; MAX_ARGUMENTS],
}

/// Calls with more are not kept.
const MAX_ARGUMENTS: usize = 6;
/// Entries at the start and at most; both are powers of two.
const FIRST_ENTRIES: usize = 256;
const MAX_ENTRIES: usize = 1 << 14;
/// A function is tried so often before its results must have been of use.
const TRIALS: u32 = 512;

#[derive(Default)]
pub(super) struct Memo {
    /// By function; `None` before it is asked for.
    grades: Vec<Option<Grade>>,
    changing: OnceCell<Arena<SymbolId, bool>>,
    functions: Vec<Use>,
    /// Each key has one place; the last call wins.
    entries: Vec<Option<(Key, Value)>>,
    len: usize,
    /// The bytes of fills in the order of execution, for the passes to come.
    fills: Vec<Option<(StmtId, Rc<[u8]>)>>,
    next_fill: usize,
}

/// Whether results of a function are worth keeping.
#[derive(Debug, Clone, Copy, Default)]
struct Use {
    /// Whether they depend on the arguments alone, and looking them up may be quicker than a call.
    is_candidate: Option<bool>,
    /// In this pass.
    calls: u32,
    hits: u32,
}

impl Memo {
    /// Begins a pass. A constant has no value before its declaration and a list may be locked later on, so results of
    /// functions do not outlive the pass.
    pub fn restart(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry = None);
        self.len = 0;
        for function in &mut self.functions {
            (function.calls, function.hits) = (0, 0);
        }
        self.next_fill = 0;
    }

    fn get(&mut self, key: &Key) -> Option<Value> {
        let place = hash(key) & self.entries.len().checked_sub(1)?;
        let (known, value) = self.entries[place].as_ref()?;
        (known == key).then(|| value.clone())
    }

    fn put(&mut self, key: Key, value: Value) {
        if self.len * 2 >= self.entries.len() && self.entries.len() < MAX_ENTRIES {
            let larger = (self.entries.len() * 4).clamp(FIRST_ENTRIES, MAX_ENTRIES);
            let old = std::mem::replace(&mut self.entries, vec![None; larger]);
            self.len = 0;
            old.into_iter().flatten().for_each(|(key, value)| self.place(key, value));
        }
        self.place(key, value);
    }

    fn place(&mut self, key: Key, value: Value) {
        let place = hash(&key) & (self.entries.len() - 1);
        self.len += usize::from(self.entries[place].replace((key, value)).is_none());
    }
}

fn hash(key: &Key) -> usize {
    let mut hash = u64::from(key.function) << 32 | u64::from(key.kinds);
    let arguments = (u32::BITS - key.kinds.leading_zeros()).div_ceil(4);
    for &argument in key.arguments.iter().take(arguments as usize) {
        hash = (hash.rotate_left(23) ^ argument).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 40) as usize
}

/// A value as two numbers, if that is all there is to it.
fn plain(value: &Value) -> Option<(u32, u64)> {
    Some(match *value {
        Value::Null => (1, 0),
        Value::Bool(value) => (2, u64::from(value)),
        Value::Number(number) => (3, number.to_bits()),
        // Within a pass a slot has one value, if it has any.
        Value::Label(is_entity, slot, _) => (4 + u32::from(is_entity), u64::from(slot)),
        _ => return None,
    })
}

impl Evaluator<'_> {
    /// Whether the results of a function are kept as long as they are of use.
    #[inline]
    pub(super) fn keeps_results(&mut self, function: u32, arguments: u16) -> bool {
        if usize::from(arguments) > MAX_ARGUMENTS {
            return false;
        }
        match self.memo.functions.get(function as usize) {
            Some(&Use { is_candidate: Some(is_candidate), calls, hits }) => {
                is_candidate && (calls <= TRIALS || hits >= calls / 8)
            }
            _ => self.is_candidate(function),
        }
    }

    /// The key of a call with the arguments on top of the stack.
    pub(super) fn memo_key(&self, function: u32, arguments: u16) -> Option<Key> {
        let mut key = Key { function, kinds: 0, arguments: [0; MAX_ARGUMENTS] };
        for (index, value) in self.frames.top(arguments.into()).iter().enumerate() {
            let (kind, bits) = plain(value)?;
            key.kinds |= kind << (4 * index);
            key.arguments[index] = bits;
        }
        Some(key)
    }

    /// Whether a function depends on its arguments alone, and does more than to return something simple.
    #[cold]
    fn is_candidate(&mut self, function: u32) -> bool {
        let callable = &self.tree.callables[function as usize];
        let is_long = match *self.tree.stmts.range(callable.start..callable.end) {
            [Stmt::Return { value }] => {
                let mut called = Vec::new();
                self.own_grade(value, true, &mut called, 0);
                !called.is_empty()
            }
            _ => true,
        };
        let is_candidate =
            is_long && !self.options.evaluate_afresh && self.function_grade(function) == Grade::Pure;
        self.memo.functions.resize(self.tree.callables.len(), Use::default());
        self.memo.functions[function as usize].is_candidate = Some(is_candidate);
        is_candidate
    }

    pub(super) fn memo_get(&mut self, key: &Key) -> Option<Value> {
        let value = self.memo.get(key);
        let uses = &mut self.memo.functions[key.function as usize];
        uses.calls = uses.calls.saturating_add(1);
        uses.hits += u32::from(value.is_some());
        value
    }

    /// Keeps the result of a call, if nothing but the arguments decided it.
    pub(super) fn memo_put(&mut self, key: Key, before: &Marks, value: &Value) {
        let is_plain = plain(value).is_some() || matches!(value, Value::Text(_));
        if is_plain && self.marks == *before {
            self.memo.put(key, value.clone());
        }
    }

    /// The bytes that this execution of a `.fill` had in the pass before.
    pub(super) fn known_fill(&mut self, at: StmtId) -> Option<Rc<[u8]>> {
        let number = self.memo.next_fill;
        self.memo.next_fill += 1;
        let (stmt, bytes) = self.memo.fills.get(number)?.as_ref()?;
        // After an error values may be others than before.
        (*stmt == at && self.faults.reports.is_empty()).then(|| bytes.clone())
    }

    /// Keeps the bytes of a `.fill`, if it changed nothing and all was known.
    pub(super) fn keep_fill(&mut self, at: StmtId, fill: &Fill, before: &Marks, bytes: &[u8]) {
        let number = self.memo.next_fill - 1;
        if self.options.evaluate_afresh
            || self.marks.unknown != before.unknown
            || self.marks.changed != before.changed
        {
            return;
        }
        let values = self.tree.list(fill.values);
        if values.iter().all(|&expr| matches!(self.tree.exprs[expr], Expr::Number(_))) {
            return;
        }
        let values = std::iter::once(&fill.count).chain(values);
        let grade = values.map(|&expr| self.expr_grade(expr, false)).max();
        if grade.is_none_or(|grade| grade == Grade::Effects) {
            return;
        }
        if self.memo.fills.len() <= number {
            self.memo.fills.resize(number + 1, None);
        }
        self.memo.fills[number] = Some((at, bytes.into()));
    }

    // --- what the tree says

    /// The grade of a function and of all that it calls.
    fn function_grade(&mut self, function: u32) -> Grade {
        if let Some(&Some(grade)) = self.memo.grades.get(function as usize) {
            return grade;
        }
        let mut grade = Grade::Pure;
        let mut seen = vec![function];
        let mut next = 0;
        while let Some(&function) = seen.get(next) {
            next += 1;
            grade = grade.max(self.body_grade(function, &mut seen));
        }
        self.memo.grades.resize(self.tree.callables.len(), None);
        self.memo.grades[function as usize] = Some(grade);
        grade
    }

    fn body_grade(&self, function: u32, seen: &mut Vec<u32>) -> Grade {
        let tree = self.tree;
        let callable = &tree.callables[function as usize];
        let mut grade = Grade::Pure;
        let mut look = |expr: ExprId| {
            if expr != ExprId::NONE {
                grade = grade.max(self.own_grade(expr, true, seen, 0));
            }
        };
        for stmt in tree.stmts.range(callable.start..callable.end) {
            match *stmt {
                Stmt::Block(_) | Stmt::Skip { .. } => {}
                Stmt::If(id) => look(tree.ifs[id as usize].condition),
                Stmt::For(id) | Stmt::While(id) => {
                    let data = &tree.loops[id as usize];
                    look(data.condition);
                    tree.list(data.init).iter().chain(tree.list(data.step)).for_each(|&expr| look(expr));
                }
                Stmt::Var { value, .. } | Stmt::Eval { value } | Stmt::Return { value } => look(value),
                _ => return Grade::Effects,
            }
        }
        grade
    }

    /// The grade of an expression outside of functions.
    fn expr_grade(&mut self, expr: ExprId, is_inside: bool) -> Grade {
        let mut called = Vec::new();
        let own = self.own_grade(expr, is_inside, &mut called, 0);
        called.into_iter().map(|function| self.function_grade(function)).fold(own, Grade::max)
    }

    /// The grade of an expression without that of the functions it calls, which are added to `called`.
    fn own_grade(&self, id: ExprId, is_inside: bool, called: &mut Vec<u32>, depth: u32) -> Grade {
        if depth > 100 {
            return Grade::Effects;
        }
        let tree = self.tree;
        let mut of = |expr: ExprId| self.own_grade(expr, is_inside, called, depth + 1);
        let list = |start: u32, len: u16| &tree.lists[start as usize..start as usize + usize::from(len)];
        match tree.exprs[id] {
            Expr::Number(_)
            | Expr::String(_)
            | Expr::Bool(_)
            | Expr::Null
            | Expr::Template(_)
            | Expr::CommandLine
            | Expr::Namespace(_) => Grade::Pure,
            // The address, and the encoding.
            Expr::Pc | Expr::Char(_) => Grade::Reads,
            Expr::Static { symbol, .. } if self.changing()[symbol] => Grade::Reads,
            Expr::Static { .. } => Grade::Pure,
            Expr::Local { .. } if is_inside => Grade::Pure,
            Expr::Local { .. } => Grade::Reads,
            Expr::Unary { operand, .. } => of(operand),
            Expr::Binary { left, right, .. } => of(left).max(of(right)),
            Expr::Pair { first, second } => of(first).max(of(second)),
            Expr::Index { base, index } => of(base).max(of(index)),
            Expr::Member { base, .. } => of(base),
            Expr::Ternary { condition, branches } => {
                let condition = of(condition);
                list(branches, 2).iter().map(|&branch| of(branch)).fold(condition, Grade::max)
            }
            Expr::Assign { target, value, .. } if is_inside => match tree.exprs[target] {
                Expr::Local { .. } => of(value),
                _ => Grade::Effects,
            },
            Expr::Step { target, .. } if is_inside => match tree.exprs[target] {
                Expr::Local { .. } => Grade::Pure,
                _ => Grade::Effects,
            },
            Expr::Declare { value, .. } if is_inside => of(value),
            Expr::CallBuiltIn { function, arguments, len } => {
                let own = if library::is_pure(function) { Grade::Pure } else { Grade::Effects };
                list(arguments, len).iter().map(|&argument| of(argument)).fold(own, Grade::max)
            }
            Expr::CallStruct { arguments, len, .. } | Expr::Method { arguments, len, .. } => {
                list(arguments, len).iter().map(|&argument| of(argument)).fold(Grade::Pure, Grade::max)
            }
            Expr::CallUser { function, arguments, len } => {
                let own =
                    list(arguments, len).iter().map(|&argument| of(argument)).fold(Grade::Pure, Grade::max);
                if !called.contains(&function) {
                    called.push(function);
                }
                own
            }
            Expr::Assign { .. }
            | Expr::Step { .. }
            | Expr::Declare { .. }
            | Expr::Name { .. }
            | Expr::MultiRef(_)
            | Expr::Call { .. }
            | Expr::Poison => Grade::Effects,
        }
    }

    /// The symbols that something assigns to.
    fn changing(&self) -> &Arena<SymbolId, bool> {
        self.memo.changing.get_or_init(|| {
            let mut changing = Arena::filled_like(&self.tree.symbols, false);
            for expr in &self.tree.exprs {
                if let Expr::Assign { target, .. } | Expr::Step { target, .. } = *expr
                    && let Expr::Static { symbol, .. } = self.tree.exprs[target]
                {
                    changing[symbol] = true;
                }
            }
            changing
        })
    }
}
