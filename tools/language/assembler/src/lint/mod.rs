//! Warnings about programs that assemble: what a reader of the source would ask about.
//!
//! Runs once, on the tree and on final addresses, and only if warnings are asked for
//! ([`Options::lints`](crate::Options::lints)). What only evaluation knows, such as a value that does not fit, `eval`
//! reports itself. Comments that begin with `tempo:` allow a warning or ask for a check; `comments` reads them.

mod branches;
mod code;
mod comments;
mod contracts;
mod flow;
mod names;
mod routines;
mod values;

use std::cell::{LazyCell, OnceCell};
use std::collections::HashSet;

use crate::codes::Code;
use crate::eval::{Request, Settled};
use crate::layout::memory::Memory;
use crate::options::{Lints, Options};
use crate::report::Report;
use crate::source::Sources;
use crate::tree::Tree;
use tempo_diagnostics::plural;

pub(crate) use values::{Cut, fits_data, report as cut_off};

pub(crate) use comments::Comments;
pub use comments::tempo_comments;

use code::Listing;

/// All warnings of a finished program: those found on the way, and those of the checks here.
pub(crate) fn warnings(
    tree: &Tree,
    settled: &Settled,
    sources: &Sources,
    options: &Options,
    comments: &LazyCell<Comments, impl FnOnce() -> Comments>,
    found: Vec<Report>,
) -> Vec<Report> {
    let mut reports = found;
    if reports.is_empty() && !options.lints.any() {
        return reports;
    }
    if options.lints.any() {
        let listing = Listing::of(tree, &settled.made);
        let mut check = Check {
            tree,
            settled,
            sources,
            listing: &listing,
            comments,
            unknown_code: OnceCell::new(),
            reports: Found { kept: reports, lints: &options.lints },
        };
        check.unknown_codes();
        check.layout();
        if options.lints.is_on(Code::UnusedLabel) {
            check.unused_labels();
        }
        check.missing_hashes();
        check.colours_as_addresses();
        check.addresses_in_four_bytes();
        check.parentheses_before_x();
        check.flow();
        check.decided_branches();
        check.page_crossings();
        check.contracts();
        check.routines();
        reports = check.reports.kept;
    }
    let is_cut = reports.len() >= MOST;
    let mut seen = HashSet::new();
    reports.retain(|report| {
        let is_asked = report.code == Code::ForcedAbsolute && !options.lints.off.contains(&report.code)
            || options.lints.is_on(report.code);
        let is_ours = report.span.is_none_or(|span| sources.file_of(span) != 0);
        // Kick Assembler gives its own warning for each execution.
        let is_new = report.code == Code::ForcedAbsolute || seen.insert((report.code, report.span));
        is_asked && is_ours && is_new && !comments.allow(report, sources)
    });
    leave_out_optional(&mut reports, sources);
    reports.sort_by_key(|report| report.span.map(|span| span.start));
    if let Some(last) = reports.last_mut().filter(|_| is_cut) {
        last.notes.push(format!("the checks end after {MOST} warnings; there may be more"));
    }
    reports
}

/// The warnings of a program that ended with errors: those found on the way that do not depend on the rest.
pub(crate) fn early_warnings(
    sources: &Sources,
    options: &Options,
    comments: &LazyCell<Comments, impl FnOnce() -> Comments>,
    found: Vec<Report>,
) -> Vec<Report> {
    let is_wanted = |report: &Report| options.lints.is_on(report.code) && !comments.allow(report, sources);
    let mut reports: Vec<Report> = found.into_iter().filter(is_wanted).collect();
    leave_out_optional(&mut reports, sources);
    reports
}

/// Leaves out symbols that look misspelled and are defined at another place, or in a comment that shows how.
fn leave_out_optional(reports: &mut Vec<Report>, sources: &Sources) {
    if !reports.iter().any(|report| report.code == Code::MisspelledSymbol) {
        return;
    }
    let texts = (0..sources.len()).map(|file| sources.text(file));
    let defined: HashSet<&str> = texts
        .flat_map(|text| text.split("#define ").skip(1))
        .filter_map(|part| {
            part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').find(|word| !word.is_empty())
        })
        .collect();
    reports.retain(|report| {
        report.code != Code::MisspelledSymbol
            || report.span.is_none_or(|span| !defined.contains(sources.text_of(span)))
    });
}

/// The checks say no more after this many warnings: each takes about a kilobyte, and a source of a megabyte can have as
/// many as it has lines.
const MOST: usize = 10_000;

/// Warnings, up to [`MOST`] of those that are asked for.
struct Found<'a> {
    kept: Vec<Report>,
    lints: &'a Lints,
}

impl Found<'_> {
    fn push(&mut self, report: Report) {
        if self.kept.len() < MOST && self.lints.is_on(report.code) {
            self.kept.push(report);
        }
    }

    fn append(&mut self, reports: &mut Vec<Report>) {
        reports.drain(..).for_each(|report| self.push(report));
    }
}

/// The subject of the checks.
struct Check<'a> {
    tree: &'a Tree,
    settled: &'a Settled,
    sources: &'a Sources,
    listing: &'a Listing<'a>,
    comments: &'a Comments,
    /// See `runs_unknown_code`.
    unknown_code: OnceCell<bool>,
    reports: Found<'a>,
}

impl Check<'_> {
    fn memory(&self) -> &Memory {
        &self.settled.made.memory
    }

    /// Comments that allow what there is not.
    fn unknown_codes(&mut self) {
        for (span, word) in &self.comments.unknown {
            let message = format!("no warning has the code '{word}'");
            let known = Code::ALL.iter().filter(|code| code.is_warning()).map(|code| code.as_str());
            let report = Report::warning(Code::UnknownAllowed, *span, message);
            self.reports.push(match tempo_diagnostics::nearest(&word.to_ascii_uppercase(), known) {
                Some(near) => report.with_help(format!("did you mean {near}?")),
                None => report.with_help("docs/errors.md lists the codes of warnings, which begin with W"),
            });
        }
    }

    /// Blocks that leave the address space, and parameters of segments that do nothing.
    fn layout(&mut self) {
        let mut found = Vec::new();
        let files = self.settled.made.requests.iter().filter_map(|request| match request {
            Request::File { is_bin: true, content, .. } => Some(&content.segments),
            _ => None,
        });
        let files: Vec<&str> = files.flatten().map(String::as_str).collect();
        for segment in &self.memory().segments {
            let parameters = &segment.parameters;
            if let (Some(_), Some(after), Some(span)) =
                (parameters.start, &parameters.start_after, segment.span)
            {
                let message = format!("'start' of segment '{}' is ignored", segment.name);
                let label = format!("it starts after '{after}'");
                found.push(Report::warning(Code::StartIgnored, span, message).with_label(label));
            }
            for block in &segment.blocks {
                let Some(start) = block.start else { continue };
                let end = start + block.bytes.len() as i64;
                let beyond = |limit: i64| block.first_beyond(limit).map(|stmt| self.tree.stmt_spans[stmt]);
                // A block that starts above is meant to be there: the bank of a cartridge.
                // Nor has a file without addresses to fit: the image of a memory expansion.
                let is_image = parameters.out_bin.is_some() || files.contains(&segment.name.as_str());
                if start <= 0xffff
                    && !is_image
                    && end > 0x10000
                    && let Some(span) = beyond(0x10000)
                {
                    let bytes = end - 0x10000;
                    let message =
                        format!("the block '{}' goes {} past $FFFF", block.name, plural(bytes, "byte"));
                    found.push(
                        Report::warning(Code::PastTheEnd, span, message)
                            .with_note(format!("it begins at ${start:04X} and ends at ${:X}", end - 1)),
                    );
                }
                if let Some(max) = parameters.content.max
                    && block.is_virtual
                    && end > max + 1
                    && let Some(span) = beyond(max + 1)
                {
                    let bytes = end - max - 1;
                    let message = format!(
                        "the virtual segment '{}' goes {} past its max ${max:04X}",
                        segment.name,
                        plural(bytes, "byte")
                    );
                    found.push(
                        Report::warning(Code::VirtualPastMax, span, message)
                            .with_note("bounds are enforced for segments that are written only"),
                    );
                }
            }
        }
        self.reports.append(&mut found);
    }
}
