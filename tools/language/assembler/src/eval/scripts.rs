//! Statements of scripts that need not be executed again.
//!
//! Loops and calls that make tables seldom depend on an address. What such a statement left in variables, lists,
//! hashtables and structs is kept, and in the passes that follow it is put there without executing anything: known
//! values never change, so at the same point of the next pass the statement would do the same again.
//!
//! Containers are shared by reference. A kept statement knows those of the pass in which it was executed, so it can be
//! repeated only where the statements that made them were repeated as well. Each container has a number for that.

use std::rc::Rc;

use super::memo::Marks;
use super::{Eval, Evaluator};
use crate::arena::Arena;
use crate::hash::NumberSet;
use crate::intern::Name;
use crate::library;
use crate::names;
use crate::tree::*;
use crate::values::{Content, FrameId, Value, live};

/// Values that all kept statements may have together.
const MAX_VALUES: usize = 1 << 20;
/// A statement may have this many values for each iteration or call of it, and some more. Fewer if it changes what others
/// made: a list that grows by one statement after the other would be copied for each.
const VALUES_PER_TURN: u64 = 4;
const VALUES_MADE: u64 = 4096;
const VALUES_CHANGED: u64 = 256;

#[derive(Default)]
pub(super) struct Scripts {
    /// The slots that a statement may assign to, if the tree shows nothing against keeping it.
    slots: Arena<StmtId, Slots>,
    /// The kept results, in the order of execution.
    kept: Vec<Option<Kept>>,
    next: usize,
    /// The containers that kept statements have made or put back in this pass.
    current: NumberSet<u64>,
    recording: Option<Recording>,
    values: usize,
}

/// The tree's facts about a statement.
#[derive(Debug, Clone, Default)]
enum Slots {
    #[default]
    NotLooked,
    /// It cannot be kept.
    Never,
    May(Rc<[u32]>),
}

/// The effect of a statement.
struct Kept {
    stmt: StmtId,
    /// Statements inside of it.
    steps: u64,
    variables: Vec<(u32, Value)>,
    /// Containers that it made or changed, with their content after it.
    contents: Vec<(Value, Content)>,
    /// The containers that it made.
    made: Vec<u64>,
    /// Those of others that it changed or refers to.
    used: Vec<u64>,
}

/// A statement that is being executed to be kept.
struct Recording {
    marks: Marks,
    step: u64,
    turns: u64,
    /// Containers made from here on have larger numbers.
    first: u64,
    /// Containers of others that were changed.
    changed: Vec<Value>,
    seen: NumberSet<u64>,
    /// The last of these.
    last: u64,
    /// Something was locked, with all that is in it.
    has_locked: bool,
    /// Something was changed that cannot be put back.
    is_lost: bool,
}

impl Scripts {
    /// Begins a pass.
    pub fn restart(&mut self) {
        self.next = 0;
        self.current.clear();
        self.recording = None;
    }

    /// Notes that a method changes a value.
    #[inline]
    pub fn note_change(&mut self, value: &Value, method: Name) {
        let Some(recording) = &mut self.recording else { return };
        match value.serial() {
            // Its own are found again if they are of use later.
            Some(serial) if serial >= recording.first => {}
            Some(serial) if serial == recording.last => {}
            Some(serial) => {
                recording.last = serial;
                if recording.seen.insert(serial) {
                    recording.changed.push(value.clone());
                }
            }
            None => recording.is_lost = true,
        }
        recording.has_locked |= method == names::LOCK;
    }
}

impl Evaluator<'_> {
    /// Whether a statement is one that may be kept. Only asked outside of functions.
    #[inline]
    pub(super) fn is_script(&mut self, at: StmtId) -> bool {
        // Inside of a frame others could not tell what the statement changes.
        if self.frames.current() != FrameId::NONE {
            return false;
        }
        let is_candidate = match self.tree.stmts[at] {
            Stmt::For(_) | Stmt::While(_) | Stmt::If(_) => true,
            Stmt::Var { value, .. } | Stmt::Eval { value } if value != ExprId::NONE => !matches!(
                self.tree.exprs[value],
                Expr::Number(_) | Expr::String(_) | Expr::Bool(_) | Expr::Static { .. } | Expr::Step { .. }
            ),
            _ => false,
        };
        is_candidate && self.may_be_kept(at)
    }

    fn may_be_kept(&mut self, at: StmtId) -> bool {
        // Analysis collects what is found on the way.
        if self.scripts.recording.is_some() || self.options.evaluate_afresh || self.options.analysis {
            return false;
        }
        match self.scripts.slots.get(at) {
            Some(Slots::May(_)) => return true,
            Some(Slots::Never) => return false,
            Some(Slots::NotLooked) => {}
            None => self.scripts.slots = Arena::filled_like(&self.tree.stmts, Slots::NotLooked),
        }
        let slots = Look::at(self.tree, at, self.after(at));
        let is_script = slots.is_some();
        self.scripts.slots[at] = slots.map_or(Slots::Never, |slots| Slots::May(slots.into()));
        is_script
    }

    /// Does what a statement did in the pass before, or executes it to keep that.
    pub(super) fn run_script(&mut self, at: StmtId) -> Eval<StmtId> {
        let number = self.scripts.next;
        self.scripts.next += 1;
        if self.scripts.kept.len() <= number {
            self.scripts.kept.resize_with(number + 1, || None);
        }
        if let Some(kept) = self.scripts.kept[number].take() {
            let is_same = |serial| self.scripts.current.contains(serial);
            // After an error values may be others than before.
            let is_fine = self.faults.reports.is_empty();
            if is_fine && kept.stmt == at && kept.used.iter().all(is_same) {
                for (slot, value) in &kept.variables {
                    *self.frames.kept_mut(*slot) = value.clone();
                }
                for (container, content) in &kept.contents {
                    container.restore(content);
                }
                self.step += kept.steps;
                self.scripts.current.extend(&kept.made);
                self.scripts.kept[number] = Some(kept);
                return Ok(self.after(at));
            }
            self.scripts.values -= kept.size();
        }
        self.scripts.recording = Some(Recording {
            marks: self.marks.clone(),
            step: self.step,
            turns: self.budget.turns,
            first: live::next_serial(),
            changed: Vec::new(),
            seen: NumberSet::default(),
            last: u64::MAX,
            has_locked: false,
            is_lost: false,
        });
        let end = self.after(at);
        let result = self.run(at, end).map(|_| end);
        let recording = self.scripts.recording.take();
        if result.is_ok()
            && let Some(kept) = recording.and_then(|recording| self.keep_script(at, recording))
        {
            self.scripts.values += kept.size();
            self.scripts.current.extend(&kept.made);
            self.scripts.kept[number] = Some(kept);
        }
        result
    }

    /// The effect of a statement, if it can be repeated without running it.
    fn keep_script(&self, at: StmtId, recording: Recording) -> Option<Kept> {
        let Recording { marks, step, turns, first, changed, mut seen, has_locked, is_lost, .. } = recording;
        if is_lost || !self.marks.all_known_since(&marks) {
            return None;
        }
        let turns = self.budget.turns.saturating_sub(turns);
        let base = if changed.is_empty() { VALUES_MADE } else { VALUES_CHANGED };
        let mut left = (base + VALUES_PER_TURN * turns).min((MAX_VALUES - self.scripts.values) as u64);

        let Slots::May(slots) = self.scripts.slots.get(at)? else { return None };
        let variables: Vec<(u32, Value)> =
            slots.iter().map(|&slot| (slot, self.frames.kept(slot).clone())).collect();
        let mut kept = Kept {
            stmt: at,
            steps: self.step - step,
            contents: Vec::new(),
            made: Vec::new(),
            used: Vec::new(),
            variables: Vec::new(),
        };
        let mut waiting: Vec<Value> = variables.iter().map(|(_, value)| value.clone()).collect();
        let is_changed = std::mem::take(&mut seen);
        waiting.extend(changed);
        while let Some(value) = waiting.pop() {
            match &value {
                Value::Matrix(_) => return None,
                value if value.is_unknown() => return None,
                _ => {}
            }
            let Some(serial) = value.serial().filter(|&serial| seen.insert(serial)) else { continue };
            left = left.checked_sub(1 + value.item_count() as u64)?;
            let is_made = serial >= first;
            if is_made {
                kept.made.push(serial);
            } else if self.scripts.current.contains(&serial) {
                kept.used.push(serial);
            } else {
                return None;
            }
            value.each_item(|item| {
                if !matches!(item, Value::Number(_)) {
                    waiting.push(item.clone());
                }
            });
            if is_made || is_changed.contains(&serial) {
                let content = value.content()?;
                kept.contents.push((value, content));
            }
        }
        kept.variables = variables;
        // What was locked may be any of those.
        (!has_locked || kept.used.is_empty()).then_some(kept)
    }
}

impl Kept {
    /// How many values it has.
    fn size(&self) -> usize {
        let contents: usize = self.contents.iter().map(|(_, content)| 1 + content.len()).sum();
        self.variables.len() + contents
    }
}

/// The look at the tree: whether a statement does nothing but calculate.
struct Look<'a> {
    tree: &'a Tree,
    /// The slots of namespaces that it may assign to.
    slots: Vec<u32>,
    functions: Vec<u32>,
    /// Whether executing it takes longer than putting values back.
    is_work: bool,
}

impl Look<'_> {
    /// The slots that the statements of a range may assign to; `None` if they cannot be kept.
    fn at(tree: &Tree, start: StmtId, end: StmtId) -> Option<Vec<u32>> {
        let mut look = Look { tree, slots: Vec::new(), functions: Vec::new(), is_work: false };
        let mut is_fine = look.statements(start, end, false);
        let mut next = 0;
        while is_fine && let Some(&function) = look.functions.get(next) {
            next += 1;
            let callable = &tree.callables[function as usize];
            is_fine = look.statements(callable.start, callable.end, true);
        }
        look.slots.sort_unstable();
        look.slots.dedup();
        (is_fine && look.is_work).then_some(look.slots)
    }

    fn statements(&mut self, start: StmtId, end: StmtId, is_function: bool) -> bool {
        let tree = self.tree;
        tree.stmts.range(start..end).iter().all(|stmt| match *stmt {
            Stmt::Block(id) => tree.blocks[id as usize].entity == SymbolId::NONE,
            Stmt::Skip { .. } => true,
            Stmt::If(id) => {
                let data = &tree.ifs[id as usize];
                data.entity == SymbolId::NONE && self.expression(data.condition, 0)
            }
            Stmt::For(id) | Stmt::While(id) => {
                let data = &tree.loops[id as usize];
                self.is_work = true;
                let parts = tree.list(data.init).iter().chain(tree.list(data.step)).chain([&data.condition]);
                data.entity == SymbolId::NONE && parts.into_iter().all(|&expr| self.expression(expr, 0))
            }
            Stmt::Var { symbol, value } => {
                self.declares(symbol);
                value == ExprId::NONE || self.expression(value, 0)
            }
            Stmt::Eval { value } => self.expression(value, 0),
            Stmt::Return { value } => is_function && self.expression(value, 0),
            _ => false,
        })
    }

    fn declares(&mut self, symbol: SymbolId) {
        let symbol = &self.tree.symbols[symbol];
        let scope = &self.tree.scopes[symbol.scope];
        if scope.kind == ScopeKind::Namespace {
            self.slots.push(scope.base + symbol.slot);
        }
    }

    fn list(&mut self, start: u32, len: u16, depth: u32) -> bool {
        let tree = self.tree;
        let list = &tree.lists[start as usize..start as usize + usize::from(len)];
        list.iter().all(|&expr| self.expression(expr, depth))
    }

    fn expression(&mut self, id: ExprId, depth: u32) -> bool {
        if depth > 100 {
            return false;
        }
        let tree = self.tree;
        let depth = depth + 1;
        match tree.exprs[id] {
            Expr::Number(_)
            | Expr::String(_)
            | Expr::Bool(_)
            | Expr::Null
            | Expr::Char(_)
            | Expr::Template(_)
            | Expr::CommandLine
            | Expr::Namespace(_)
            | Expr::Static { .. }
            | Expr::Local { .. } => true,
            Expr::Unary { operand, .. } => self.expression(operand, depth),
            Expr::Binary { left, right, .. } => self.expression(left, depth) && self.expression(right, depth),
            Expr::Pair { first, second } => self.expression(first, depth) && self.expression(second, depth),
            Expr::Index { base, index } => self.expression(base, depth) && self.expression(index, depth),
            Expr::Member { base, .. } => self.expression(base, depth),
            Expr::Ternary { condition, branches } => {
                self.expression(condition, depth) && self.list(branches, 2, depth)
            }
            Expr::Assign { target, value, .. } => self.target(target, depth) && self.expression(value, depth),
            Expr::Step { target, .. } => self.target(target, depth),
            Expr::Declare { symbol, value } => {
                self.declares(symbol);
                self.expression(value, depth)
            }
            Expr::CallBuiltIn { function, arguments, len } => {
                self.is_work = true;
                (library::is_pure(function) || library::is_loader(function))
                    && self.list(arguments, len, depth)
            }
            Expr::CallStruct { arguments, len, .. } | Expr::Method { arguments, len, .. } => {
                self.is_work = true;
                self.list(arguments, len, depth)
            }
            Expr::CallUser { function, arguments, len } => {
                self.is_work = true;
                if !self.functions.contains(&function) {
                    self.functions.push(function);
                }
                self.list(arguments, len, depth)
            }
            // The address; and what is not resolved.
            Expr::Pc | Expr::Name { .. } | Expr::MultiRef(_) | Expr::Call { .. } | Expr::Poison => false,
        }
    }

    fn target(&mut self, id: ExprId, depth: u32) -> bool {
        match self.tree.exprs[id] {
            Expr::Static { slot, .. } => {
                self.slots.push(slot);
                true
            }
            Expr::Local { .. } => true,
            Expr::Member { base, .. } => self.expression(base, depth),
            _ => false,
        }
    }
}
