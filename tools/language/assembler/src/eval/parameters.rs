//! Parameter maps of segments, files and disks: evaluated, checked, and sorted into what they mean.

use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::dialect::{BASIC_UPSTART, Place};
use crate::intern::Name;
use crate::layout::memory::{Content, Packer, Piece, SegmentParameters};
use crate::names;
use crate::tree::{ExprId, Parameters, StmtId, Tree};
use crate::values::Value;
use tempo_diagnostics::Span;

/// A map after evaluation.
pub(super) struct Evaluated {
    pub span: Span,
    entries: Vec<Entry>,
}

struct Entry {
    name: Name,
    span: Span,
    value: Value,
}

impl Evaluated {
    fn find(&self, name: Name) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The parameters of a modifier: those that begin with an underscore.
    pub fn arguments<'m>(&'m self, tree: &'m Tree) -> impl Iterator<Item = (&'m str, Span, &'m Value)> {
        let entries = self.entries.iter().map(|entry| (tree.name(entry.name), entry.span, &entry.value));
        entries.filter(|(name, ..)| name.starts_with('_'))
    }

    pub fn span_of(&self, name: Name) -> Option<Span> {
        self.find(name).map(|entry| entry.span)
    }
}

impl Evaluator<'_> {
    /// Evaluates a map; names that the place does not have are refused.
    pub(super) fn evaluate_parameters(&mut self, at: StmtId, map: &Parameters, of: Place) -> Eval<Evaluated> {
        let directive = self.tree.stmt_spans[at];
        let has_content = of.includes(Place::Content);
        let mut entries: Vec<Entry> = Vec::new();
        for parameter in &map.entries {
            let name = parameter.name;
            // What a modifier takes: by name, or as `marg1` and so on beside it.
            let word = self.tree.name(name);
            let has_modifier = map.entries.iter().any(|parameter| parameter.name == names::MODIFY);
            let is_numbered = word.strip_prefix("marg").is_some_and(|number| number.parse::<u8>().is_ok());
            let is_argument = has_content && (word.starts_with('_') || has_modifier && is_numbered);
            let mut all = of.own().iter().chain(Place::Content.own().iter().filter(|_| has_content));
            let is_known = is_argument || all.clone().any(|&known| known == name);
            if !is_known {
                let mut report = self.error(Code::UnknownParameter, parameter.span, "Unknown parameter");
                let candidates: Vec<&str> = all.by_ref().map(|&name| self.tree.name(name)).collect();
                let near = tempo_diagnostics::nearest(self.tree.name(name), candidates.iter().copied());
                report.help = Some(match near {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("there are: {}", candidates.join(", ")),
                });
                return Err(report);
            }
            if entries.iter().any(|entry| entry.name == name) {
                return self.fail(Code::DuplicateParameter, parameter.span, "Duplicate parameter");
            }
            let value =
                if parameter.value == ExprId::NONE { Value::Bool(true) } else { self.eval(parameter.value)? };
            if let Some(invalid) = value.find_invalid() {
                if has_modifier && crate::dialect::plugins::may_wait(word) {
                    self.unresolved(invalid, parameter.span);
                    entries.push(Entry { name, span: parameter.span, value });
                    continue;
                }
                let message = "All segment definition parameters must be valid in first pass";
                return self.fail(Code::UnknownParameterValue, directive, message);
            }
            entries.push(Entry { name, span: parameter.span, value });
        }
        Ok(Evaluated { span: map.span, entries })
    }

    pub(super) fn parameter_text(&self, map: &Evaluated, name: Name) -> Eval<Option<String>> {
        match map.find(name) {
            None => Ok(None),
            Some(entry) => match self.text_of(&entry.value) {
                Ok(text) => Ok(Some(text.as_str().to_owned())),
                Err(error) => Err(self.conversion(entry.span, error)),
            },
        }
    }

    pub(super) fn required_text(&self, map: &Evaluated, name: Name) -> Eval<String> {
        match self.parameter_text(map, name)? {
            Some(text) => Ok(text),
            None => self.fail(
                Code::ParameterMissing,
                map.span,
                format!("Paremter '{}' is missing.", self.tree.name(name)),
            ),
        }
    }

    pub(super) fn parameter_integer(&self, map: &Evaluated, name: Name) -> Eval<Option<i64>> {
        match map.find(name) {
            None => Ok(None),
            Some(entry) => self.integer_of(&entry.value, entry.span).map(Some),
        }
    }

    fn parameter_address(&self, map: &Evaluated, name: Name) -> Eval<Option<i64>> {
        match map.find(name) {
            None => Ok(None),
            Some(entry) => {
                let number = self.integer_of(&entry.value, entry.span)?;
                self.address(number, entry.span).map(Some)
            }
        }
    }

    pub(super) fn optional_flag(&self, map: &Evaluated, name: Name) -> Eval<Option<bool>> {
        let flag = |entry: &Entry| entry.value.bool().map_err(|error| self.conversion(entry.span, error));
        map.find(name).map(flag).transpose()
    }

    pub(super) fn parameter_flag(&self, map: &Evaluated, name: Name) -> Eval<bool> {
        Ok(self.optional_flag(map, name)?.unwrap_or(false))
    }

    /// The parts of a comma-separated string.
    pub(super) fn parameter_names(&self, map: &Evaluated, name: Name) -> Eval<Vec<String>> {
        let text = self.parameter_text(map, name)?.unwrap_or_default();
        Ok(text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }

    pub(super) fn segment_parameters(&mut self, at: StmtId, map: &Evaluated) -> Eval<SegmentParameters> {
        Ok(SegmentParameters {
            start: self.parameter_address(map, names::START)?,
            start_after: self.parameter_text(map, names::START_AFTER)?,
            align: self.parameter_address(map, names::ALIGN)?,
            is_virtual: self.parameter_flag(map, names::VIRTUAL)?,
            dest: self.parameter_text(map, names::DEST)?.unwrap_or_default(),
            out_prg: self.parameter_text(map, names::OUT_PRG)?,
            out_bin: self.parameter_text(map, names::OUT_BIN)?,
            content: self.content(at, map)?,
        })
    }

    pub(super) fn content(&mut self, at: StmtId, map: &Evaluated) -> Eval<Content> {
        let directive = self.tree.stmt_spans[at];
        let mut content = Content {
            min: self.parameter_address(map, names::MIN)?,
            max: self.parameter_address(map, names::MAX)?,
            fill: self.parameter_flag(map, names::FILL)?,
            fill_byte: self.parameter_integer(map, names::FILL_BYTE)?.unwrap_or(0) as u8,
            segments: self.parameter_names(map, names::SEGMENTS)?,
            files: Vec::new(),
            allow_overlap: self.parameter_flag(map, names::ALLOW_OVERLAP)?,
            hide: self.parameter_flag(map, names::HIDE)?,
            added: Vec::new(),
            packer: None,
        };
        if content.fill && (content.min.is_none() || content.max.is_none()) {
            let span = map.span_of(names::FILL).unwrap_or(directive);
            return self.fail(Code::FillWithoutBounds, span, "Cant use fill without both min and max");
        }
        for name in self.parameter_names(map, names::PRG_FILES)? {
            let span = map.span_of(names::PRG_FILES).unwrap_or(directive);
            let bytes = self.parameter_file(&name, span)?;
            match tempo_formats::prg::read(&bytes) {
                Ok((start, bytes)) => {
                    let (start, bytes) = (i64::from(start), bytes.to_vec());
                    content.files.push(Piece { name, start, bytes, span: Some(span), ..Piece::default() });
                }
                Err(error) => {
                    return self.fail(Code::DataFile, span, format!("Can't read '{name}': {error}"));
                }
            }
        }
        for name in self.parameter_names(map, names::SID_FILES)? {
            let span = map.span_of(names::SID_FILES).unwrap_or(directive);
            let bytes = self.parameter_file(&name, span)?;
            match tempo_formats::sid::parse(&bytes) {
                Ok(sid) => {
                    let (start, bytes) = (i64::from(sid.location), sid.data);
                    content.files.push(Piece { name, start, bytes, span: Some(span), ..Piece::default() });
                }
                Err(error) => {
                    return self.fail(Code::DataFile, span, format!("Can't read '{name}': {error}"));
                }
            }
        }
        if let Some(modifier) = self.parameter_text(map, names::MODIFY)? {
            if modifier != BASIC_UPSTART.name {
                let job = self.job_of_parameters(&modifier, map, directive)?;
                self.made.packers += 1;
                content.packer = Some(Packer { job, id: self.made.packers });
                return Ok(content);
            }
            let Some(start) = self.parameter_address(map, names::ARG_START)? else {
                return self.fail(Code::ParameterMissing, map.span, "Paremter '_start' is missing.");
            };
            content.added.push(basic_upstart(start));
        }
        Ok(content)
    }

    fn parameter_file(&mut self, name: &str, span: Span) -> Eval<std::sync::Arc<Vec<u8>>> {
        match self.load(name, span) {
            Ok(loaded) => Ok(loaded.bytes),
            Err(error) => {
                let mut report = self.error(Code::DataFile, span, format!("Can't open file '{name}'"));
                report.notes.push(self.not_read(name, span, &error));
                Err(report)
            }
        }
    }
}

/// The BASIC line `10 SYS address` where BASIC programs start.
fn basic_upstart(address: i64) -> Piece {
    let digits = address.to_string();
    let end = 0x0801 + 6 + digits.len() as u16;
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&end.to_le_bytes());
    bytes.extend_from_slice(&[10, 0, 0x9e]);
    bytes.extend_from_slice(digits.as_bytes());
    bytes.extend_from_slice(&[0, 0, 0]);
    Piece { name: BASIC_UPSTART.name.to_owned(), start: 0x0801, bytes, ..Piece::default() }
}
