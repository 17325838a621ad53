//! `.modify` and `.filemodify`: code in its own memory, packed into the memory around it; and `modify=` of segments.

use std::rc::Rc;

use super::parameters::Evaluated;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::crunch::{self, CrunchError, Crunched, Job};
use crate::dialect::{MODIFIERS, Modifier, PLUGINS, Plugin, Reach, plugin};
use crate::intern::Name;
use crate::layout::image;
use crate::layout::memory::{Content, DEFAULT_START, Memory, Piece};
use crate::report::Report;
use crate::tree::{ExprId, List, StmtId, Tree};
use crate::values::{Invalid, InvalidKind, Value};
use tempo_diagnostics::{Label, Span};

/// The segment that a body fills.
const SEGMENT: &str = "<<modify>>";

/// The work that `.filemodify` leaves at the end of a pass.
pub(super) struct FileModify {
    at: StmtId,
    outer: Outer,
}

/// The state around a body.
struct Outer {
    memory: Memory,
    labels: usize,
    watches: (usize, usize),
    segment_outs: usize,
    unresolved: u64,
}

/// Plugins of a program, in the order of their directives.
pub(super) fn plugins(tree: &Tree) -> Vec<&'static Plugin> {
    tree.plugins.iter().filter_map(|&(class, _)| plugin(tree.strings[class as usize].as_str())).collect()
}

/// Reports on the plugins that are not built in.
pub(crate) fn unknown_plugins(tree: &Tree) -> Vec<Report> {
    let classes = tree.plugins.iter().map(|&(class, span)| (tree.strings[class as usize].as_str(), span));
    classes
        .filter(|(class, _)| plugin(class).is_none())
        .map(|(class, span)| unknown_plugin(class, span))
        .collect()
}

fn unknown_plugin(class: &str, span: Span) -> Report {
    let report = Report::error(Code::NeedsJava, span, "Can't find class for plugin");
    let known: Vec<&str> = PLUGINS.iter().map(|plugin| plugin.class).collect();
    let help = match tempo_diagnostics::nearest(class, known.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("plugins are Java classes, and {class} cannot be run without Java"),
    };
    report.with_note(format!("built in are: {}", known.join(", "))).with_help(help)
}

impl Evaluator<'_> {
    /// Loads a plugin whose name is not a plain string; the others are known before anything runs.
    pub(super) fn plugin(&mut self, name: ExprId, span: Span) -> Eval<()> {
        let Some(class) = self.eval_text(name, span)? else { return Ok(()) };
        match plugin(class.as_str()) {
            Some(plugin) => {
                self.plugins.push(plugin);
                Ok(())
            }
            None => Err(Box::new(unknown_plugin(class.as_str(), span))),
        }
    }

    /// The modifier of a name, if a plugin gives it.
    fn modifier(&self, name: &str, reach: Reach) -> Option<Modifier> {
        let item = MODIFIERS.iter().find(|item| item.name == name)?;
        let is_given = |plugin: &&&'static Plugin| {
            let is_there = reach == Reach::Modify || plugin.reach == Reach::Everywhere;
            is_there && plugin.modifiers.contains(&item.modifier)
        };
        self.plugins.iter().find(is_given).map(|_| item.modifier)
    }

    /// Help for a modifier that is not known.
    fn modifier_help(&self, name: &str) -> String {
        let names = || MODIFIERS.iter().map(|item| item.name);
        if let Some(item) = MODIFIERS.iter().find(|item| item.name == name) {
            let giver = PLUGINS.iter().find(|plugin| plugin.modifiers.contains(&item.modifier));
            let class = giver.map_or("", |plugin| plugin.class);
            return format!("load it: .plugin \"{class}\"");
        }
        match tempo_diagnostics::nearest(name, names()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("built in are: {}", names().collect::<Vec<_>>().join(", ")),
        }
    }

    fn expect_modifier(&self, name: Name, span: Span) -> Eval<Modifier> {
        let name = self.tree.name(name);
        self.modifier(name, Reach::Modify).ok_or_else(|| {
            let mut report = self.error(Code::NeedsJava, span, format!("Unknown modifyer: {name}"));
            report.help = Some(self.modifier_help(name));
            report
        })
    }

    pub(super) fn modify(
        &mut self,
        at: StmtId,
        name: Name,
        arguments: List,
        (start, end): (StmtId, StmtId),
    ) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let modifier = self.expect_modifier(name, span)?;
        let tree = self.tree;
        let mut values = Vec::new();
        for &argument in &tree.lists[arguments.range()] {
            values.push(self.eval(argument)?);
        }
        let unknown = values.iter().find_map(Value::find_invalid);
        let job = match unknown {
            Some(invalid) => {
                self.unresolved(invalid, span);
                Job::new(modifier)
            }
            None => self.job_of_arguments(modifier, &values, span)?,
        };
        let outer = self.enter_modifier();
        let flow = self.run(start, end);
        self.made.memory.suspend();
        let (body, is_known) = self.leave_modifier(outer);
        flow?;
        if !is_known || unknown.is_some() {
            self.lose_size(at, Invalid::new(InvalidKind::Number, ExprId::NONE));
            return Ok(());
        }
        self.put_packed(at, &job, &body)
    }

    /// Everything that follows is packed when the pass ends.
    pub(super) fn file_modify(&mut self, at: StmtId, name: Name) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let modifier = self.expect_modifier(name, span)?;
        if self.file_modify.is_some() {
            return self.fail(Code::NeedsJava, span, ".filemodify can be used only once");
        }
        let outer = self.enter_modifier();
        self.file_modify = Some((FileModify { at, outer }, Job::new(modifier)));
        Ok(())
    }

    /// Ends the body of `.filemodify`, if there is one.
    pub(super) fn end_file_modify(&mut self) {
        let Some((FileModify { at, outer }, job)) = self.file_modify.take() else { return };
        self.made.memory.suspend();
        let (body, is_known) = self.leave_modifier(outer);
        if !self.faults.reports.is_empty() {
            return;
        }
        if !is_known {
            self.lose_size(at, Invalid::new(InvalidKind::Number, ExprId::NONE));
            return;
        }
        // The output is where a program without addresses starts.
        self.made.memory.switch(0);
        if self.made.memory.pc() != Some(DEFAULT_START) {
            let span = self.tree.stmt_spans[at];
            self.made.memory.start_block("Unnamed".to_owned(), Some(DEFAULT_START), false, span);
        }
        if let Err(report) = self.put_packed(at, &job, &body) {
            self.report(*report);
        }
    }

    fn enter_modifier(&mut self) -> Outer {
        let memory = Memory::named(SEGMENT, self.options.limits.output_bytes);
        let outer = Outer {
            memory: std::mem::replace(&mut self.made.memory, memory),
            labels: self.made.labels.len(),
            watches: (self.made.breakpoints.len(), self.made.watchpoints.len()),
            segment_outs: self.made.segment_outs.len(),
            unresolved: self.progress.unresolved,
        };
        self.made.memory.emitted = outer.memory.emitted;
        self.bodies += 1;
        outer
    }

    /// The filled memory, and whether all of it is known.
    fn leave_modifier(&mut self, outer: Outer) -> (Memory, bool) {
        self.bodies -= 1;
        let body = std::mem::replace(&mut self.made.memory, outer.memory);
        self.made.memory.emitted = body.emitted;
        // What the body declares counts for the segment around it.
        let segment = self.made.memory.current as u32;
        self.made.labels[outer.labels..].iter_mut().for_each(|label| label.segment = segment);
        self.made.breakpoints[outer.watches.0..].iter_mut().for_each(|watch| watch.segment = segment);
        self.made.watchpoints[outer.watches.1..].iter_mut().for_each(|watch| watch.segment = segment);
        self.made.segment_outs.truncate(outer.segment_outs);
        let blocks = || body.segments.iter().flat_map(|segment| &segment.blocks);
        let has_places =
            blocks().all(|block| block.has_size && (block.start.is_some() || block.bytes.is_empty()));
        let is_known = has_places && self.progress.unresolved == outer.unresolved;
        (body, is_known)
    }

    fn put_packed(&mut self, at: StmtId, job: &Job, body: &Memory) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let content = Content::default();
        let pieces = image::pieces(body, Some(0), &content).and_then(|pieces| {
            image::check(SEGMENT, &pieces, &content, false)?;
            Ok(pieces)
        });
        let pieces = pieces.map_err(|error| Box::new(crate::check::report(error, Some(span))))?;
        let crunched = self.crunch(job, &pieces, span)?;
        for line in &crunched.console {
            self.budget.wrote(2 * line.len() as u64 + 256);
            self.made.console.push(line.clone());
        }
        let bytes = crunched.bytes();
        let offset = self.made.memory.len();
        self.check_room(span, bytes.len() as u64)?;
        self.made.memory.extend(&bytes);
        self.finish(at, offset)
    }

    /// Packs, or finds what an earlier pass packed.
    fn crunch(&mut self, job: &Job, pieces: &[Piece], span: Span) -> Eval<Rc<Crunched>> {
        let known = self.crunched.iter().find(|(other, blocks, _)| other == job && blocks == pieces);
        if let Some((.., crunched)) = known {
            return Ok(crunched.clone());
        }
        let crunched = crunch::run(job, pieces).map_err(|error| {
            let mut report = self.error(Code::Packing, span, error.to_string());
            if error == CrunchError::Empty {
                // Kick Assembler gives no place; the label does.
                report.span = None;
                report.labels.push(Label { span, text: "nothing follows to be packed".to_owned() });
                report.help = Some("a modifier needs one byte at least".to_owned());
            }
            report
        })?;
        let crunched = Rc::new(crunched);
        self.crunched.push((job.clone(), pieces.to_vec(), crunched.clone()));
        Ok(crunched)
    }

    /// A 16-bit address; a value other than a number counts as not given.
    fn job_address(&self, modifier: Modifier, value: Option<&Value>) -> Eval<Option<u16>> {
        let Some(number) = value.and_then(Value::as_number) else { return Ok(None) };
        if (1.0..65536.0).contains(&number) {
            return Ok(Some(number as u16));
        }
        let what = if modifier == Modifier::Xex { "An address" } else { "Maximum offset size" };
        let message = format!("{}: {what} must be a positive 16-bit integer", modifier.name());
        Err(Box::new(Report::error(Code::Packing, None, message)))
    }

    /// The place of packed data that is checked; numbers that are not addresses mean no check.
    fn job_check(&self, modifier: Modifier, value: Option<&Value>, span: Span) -> Eval<Option<u16>> {
        let Some(value) = value else { return Ok(None) };
        let number = value.number().map_err(|error| {
            let mut report = self.conversion(span, error);
            if modifier != Modifier::MemExomizer {
                report.message =
                    format!("{}\n{}( int startAddress [no check] )", report.message, modifier.name());
            }
            report
        })?;
        Ok((0.0..65536.0).contains(&number).then_some(number as u16))
    }

    fn job_of_arguments(&self, modifier: Modifier, values: &[Value], span: Span) -> Eval<Job> {
        let mut job = Job::new(modifier);
        let flag = |index: usize, default: bool| match values.get(index) {
            Some(value) => value.bool().map_err(|error| self.conversion(span, error)),
            None => Ok(default),
        };
        match modifier {
            Modifier::ByteBoozer | Modifier::B2 => job.start = self.job_address(modifier, values.first())?,
            Modifier::B2Exe => job.jump = self.job_address(modifier, values.first())?,
            Modifier::MemExomizer => {
                (job.is_forward, job.has_literal_runs) = (flag(0, false)?, flag(1, true)?);
                job.start = self.job_check(modifier, values.get(2), span)?;
            }
            Modifier::ForwardMemExomizer | Modifier::BackwardMemExomizer => {
                job.start = self.job_check(modifier, values.first(), span)?;
            }
            Modifier::LevelExomizer => {
                (job.is_forward, job.has_literal_runs) = (flag(0, false)?, flag(1, true)?);
                job.has_offsets = flag(2, false)?;
            }
            Modifier::RawExomizer => {
                (job.is_forward, job.has_literal_runs) = (flag(0, false)?, flag(1, true)?);
                job.is_reversed = flag(2, false)?;
                job.farthest = self.job_address(modifier, values.get(3))?.unwrap_or(u16::MAX);
            }
            Modifier::DeltaPacker => job.is_reversed = flag(0, false)?,
            Modifier::Ts => {
                (job.is_in_place, job.is_self_extracting) = (flag(0, false)?, flag(1, false)?);
                job.jump = self.job_address(modifier, values.get(2))?;
            }
            Modifier::Xex => {
                job.jump = self.job_address(modifier, values.first())?;
                job.init = self.job_address(modifier, values.get(1))?;
            }
        }
        Ok(job)
    }

    /// The modifier that `modify=` names.
    pub(super) fn job_of_parameters(&self, name: &str, map: &Evaluated, span: Span) -> Eval<Job> {
        let Some(modifier) =
            self.modifier(name, Reach::Everywhere).filter(|one| !one.item().parameters.is_empty())
        else {
            let mut report = self.error(Code::NeedsJava, span, format!("Unknown modifier '{name}'"));
            let is_packer = MODIFIERS.iter().any(|item| item.name == name);
            report.help = Some(match is_packer {
                true if self.modifier(name, Reach::Modify).is_some() => {
                    format!("'{name}' is for .modify; segments take those of the archives of plugins")
                }
                _ => format!("built in is 'BasicUpstart', too; {}", self.modifier_help(name)),
            });
            return Err(report);
        };
        let mut job = Job::new(modifier);
        let allowed = modifier.item().parameters;
        for (word, place, value) in map.arguments(self.tree) {
            if !allowed.contains(&word) {
                let mut report = self.error(Code::UnknownParameter, place, "Unknown parameter");
                let near = tempo_diagnostics::nearest(word, allowed.iter().copied());
                report.help = Some(match near {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("{name} takes: {}", allowed.join(", ")),
                });
                return Err(report);
            }
            let flag = || value.bool().map_err(|error| self.conversion(place, error));
            let is_exomizer = matches!(
                modifier,
                Modifier::MemExomizer | Modifier::ForwardMemExomizer | Modifier::BackwardMemExomizer
            );
            match word {
                "_startAddressForValidation" if is_exomizer => {
                    job.start = self.job_check(modifier, Some(value), place)?;
                }
                "_startAddressForValidation" => job.start = self.job_address(modifier, Some(value))?,
                "_forwardCrunching" => job.is_forward = flag()?,
                "_useLiterals" => job.has_literal_runs = flag()?,
                "_maximumOffsetSize" => {
                    job.farthest = self.job_address(modifier, Some(value))?.unwrap_or(u16::MAX);
                }
                "_jmpAdress" | "_RunAddr" => job.jump = self.job_address(modifier, Some(value))?,
                "_InitAddr" => job.init = self.job_address(modifier, Some(value))?,
                "_inplace" => job.is_in_place = flag()?,
                "_sfx" => job.is_self_extracting = flag()?,
                _ => {}
            }
        }
        Ok(job)
    }
}
