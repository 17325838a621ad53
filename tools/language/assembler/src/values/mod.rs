//! Values of the script language and their conversions. Knows nothing of statements, scopes or passes.

mod content;
mod files;
pub(crate) mod live;
mod number;
mod table;
mod text;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use crate::tree::{ExprId, Form, NONE, ScopeId};
use tempo_diagnostics::Span;

pub(crate) use content::Content;
pub(crate) use files::BinaryFile;
pub(crate) use number::{to_i32, to_i64};
pub(crate) use table::Table;
pub(crate) use text::Text;

/// A value. Sixteen bytes; what is shared is counted.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    /// A number that knows its character; the code is that of the encoding in force when it was read.
    Char(char, u8),
    /// A number that knows its symbol: the slot of a label. With `true` the next slot has its members.
    Label(bool, u32, f64),
    Text(Rc<Text>),
    List(Rc<List>),
    Table(Rc<Table>),
    Struct(Rc<Struct>),
    Vector(Rc<[f64; 3]>),
    Matrix(Rc<Matrix>),
    Argument(Rc<Argument>),
    /// A namespace, by its scope.
    Namespace(ScopeId),
    /// The labels of one run of a body, by its frame; `NONE` if it has none.
    Members(FrameId),
    /// The labels of each run of a loop body.
    MemberList(Rc<Vec<FrameId>>),
    /// Where the halves of a `.lohifill` start.
    LoHi(Rc<(f64, f64)>),
    Binary(Rc<BinaryFile>),
    Picture(Rc<Picture>),
    Sid(Rc<tempo_formats::sid::Sid>),
    Asset(Rc<tempo_formats::assets::Asset>),
    /// A file made by `createFile`, by number.
    OutputFile(u32),
    Invalid(Invalid),
}

const _: () = assert!(size_of::<Value>() == 16);

/// One run of a scope, by the number that the evaluator gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameId(pub u32);

impl FrameId {
    /// No frame: outside of all scopes but namespaces.
    pub const NONE: FrameId = FrameId(NONE);
}

/// A value that is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub kind: InvalidKind,
    /// It comes from a symbol of a `.zp` block.
    pub is_zp: bool,
    /// It comes from an error that was reported; nothing more is said about it.
    pub is_poison: bool,
    /// The expression that could not be resolved.
    pub origin: ExprId,
}

/// The type of an unknown value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InvalidKind {
    Number,
    Text,
    Bool,
    Other,
}

impl Invalid {
    pub fn new(kind: InvalidKind, origin: ExprId) -> Invalid {
        Invalid { kind, is_zp: false, is_poison: false, origin }
    }

    /// With the expression for its origin, if it has none yet.
    #[inline]
    pub fn wanted_by(self, expr: ExprId) -> Invalid {
        Invalid { origin: if self.origin == ExprId::NONE { expr } else { self.origin }, ..self }
    }

    pub fn with_kind(self, kind: InvalidKind) -> Invalid {
        Invalid { kind, ..self }
    }

    /// Of two unknowns: the first, with the marks of both.
    pub fn and(self, other: Invalid) -> Invalid {
        Invalid { is_zp: self.is_zp || other.is_zp, is_poison: self.is_poison || other.is_poison, ..self }
    }
}

/// A list, shared by reference.
#[derive(Debug)]
pub(crate) struct List {
    pub items: RefCell<Vec<Value>>,
    pub is_locked: Cell<bool>,
    pub birth: Birth,
    /// See [`Value::serial`].
    pub serial: u64,
}

/// When and where a mutable value was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Birth {
    /// Number of the statement in the order of execution.
    pub step: u64,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub definition: u32,
    pub fields: RefCell<Vec<Value>>,
    /// See [`Value::serial`].
    pub serial: u64,
}

#[derive(Debug)]
pub(crate) struct Matrix {
    pub rows: RefCell<[[f64; 4]; 4]>,
    pub is_locked: Cell<bool>,
}

/// A command argument: a mode and a number.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub mode: ArgumentMode,
    /// A number or invalid.
    pub value: Value,
}

/// The mode of a command argument: as written, or an exact one from a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentMode {
    Written(Form),
    ZeroPage,
    ZeroPageIndirectX,
}

impl ArgumentMode {
    /// The number `getType()` gives.
    pub fn number(self) -> i32 {
        match self {
            ArgumentMode::Written(Form::None) => 0,
            ArgumentMode::Written(Form::Immediate) => 1,
            ArgumentMode::ZeroPage => 2,
            ArgumentMode::ZeroPageIndirectX => 5,
            ArgumentMode::Written(Form::IndirectY) => 6,
            ArgumentMode::Written(Form::Plain | Form::Pair) => -1,
            ArgumentMode::Written(Form::PlainX) => -2,
            ArgumentMode::Written(Form::PlainY) => -3,
            ArgumentMode::Written(Form::Indirect) => -4,
            ArgumentMode::Written(Form::IndirectX) => -5,
            ArgumentMode::Written(Form::IndirectZ) => 12,
            ArgumentMode::Written(Form::FarIndirectZ) => 13,
            ArgumentMode::Written(Form::FarIndirect) => 14,
            ArgumentMode::Written(Form::StackIndirectY) => 15,
            ArgumentMode::Written(Form::Test) => -6,
            ArgumentMode::Written(Form::TestX) => -7,
            ArgumentMode::Written(Form::Triple) => -8,
        }
    }

    pub fn from_number(number: i32) -> Option<ArgumentMode> {
        Some(match number {
            0 => ArgumentMode::Written(Form::None),
            1 => ArgumentMode::Written(Form::Immediate),
            2 => ArgumentMode::ZeroPage,
            5 => ArgumentMode::ZeroPageIndirectX,
            6 => ArgumentMode::Written(Form::IndirectY),
            -1 => ArgumentMode::Written(Form::Plain),
            -2 => ArgumentMode::Written(Form::PlainX),
            -3 => ArgumentMode::Written(Form::PlainY),
            -4 => ArgumentMode::Written(Form::Indirect),
            -5 => ArgumentMode::Written(Form::IndirectX),
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            ArgumentMode::Written(Form::None) => "NONE",
            ArgumentMode::Written(Form::Immediate) => "IMMEDIATE",
            ArgumentMode::ZeroPage => "ZEROPAGE",
            ArgumentMode::ZeroPageIndirectX => "IZEROPAGEX",
            ArgumentMode::Written(Form::IndirectY) => "IZEROPAGEY",
            ArgumentMode::Written(Form::Plain | Form::Pair) => "*ABSOLUTE",
            ArgumentMode::Written(Form::PlainX) => "*ABSOLUTEX",
            ArgumentMode::Written(Form::PlainY) => "*ABSOLUTEY",
            ArgumentMode::Written(Form::Indirect) => "*INDIRECT",
            ArgumentMode::Written(Form::IndirectX) => "*INDIRECTX",
            ArgumentMode::Written(Form::IndirectZ) => "IZEROPAGEZ",
            ArgumentMode::Written(Form::FarIndirectZ) => "32IZEROPAGEZ",
            ArgumentMode::Written(Form::FarIndirect) => "32IZEROPAGE",
            ArgumentMode::Written(Form::StackIndirectY) => "ISTACKZEROPAGEY",
            ArgumentMode::Written(Form::Test) => "*IMMEDIATEANDABSOLUTE",
            ArgumentMode::Written(Form::TestX) => "*IMMEDIATEANDABSOLUTEX",
            ArgumentMode::Written(Form::Triple) => "ABSOLUTE3",
        }
    }
}

/// A picture with the colours that have numbers.
#[derive(Debug)]
pub(crate) struct Picture {
    pub image: Rc<tempo_formats::picture::Picture>,
    /// Those that the source gave, or those of the picture when they are first needed.
    colours: OnceCell<Vec<u32>>,
}

impl Picture {
    pub fn new(image: Rc<tempo_formats::picture::Picture>, colours: Option<Vec<u32>>) -> Picture {
        Picture { image, colours: colours.map_or_else(OnceCell::new, OnceCell::from) }
    }

    pub fn colours(&self) -> &[u32] {
        self.colours.get_or_init(|| self.image.colours())
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Null,
    Boolean,
    Number,
    Char,
    Label,
    Text,
    List,
    Hashtable,
    Struct,
    Vector,
    Matrix,
    Argument,
    Namespace,
    Scope,
    Binary,
    Picture,
    Sid,
    CharPad,
    SpritePad,
    OutputFile,
    Unresolved,
}

impl std::fmt::Display for Type {
    /// As Kick Assembler names it.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Type::Null => "Null",
            Type::Boolean => "boolean",
            Type::Number => "number",
            Type::Char => "char",
            Type::Label => "LabelValue",
            Type::Text => "String",
            Type::List => "List",
            Type::Hashtable => "Hashtable",
            Type::Struct => "struct",
            Type::Vector => "Vector",
            Type::Matrix => "Matrix",
            Type::Argument => "65xxArgumentValue",
            Type::Namespace => "Namespace",
            Type::Scope => "Scope",
            Type::Binary => "BinaryFile",
            Type::Picture => "Picture",
            Type::Sid => "SidFile",
            Type::CharPad => "CharPadFile",
            Type::SpritePad => "SpritePadFile",
            Type::OutputFile => "OutputFile",
            Type::Unresolved => "unresolved",
        })
    }
}

/// A conversion that is not possible; the sentence is Kick Assembler's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConversionError {
    #[error("Can't get a double representation from a value of type {0}")]
    Number(Type),
    #[error("Can't get a boolean representation from a value of type {0}")]
    Bool(Type),
    #[error("Can't get a string representation from a value of type {0}")]
    Text(Type),
    #[error("Can't get a list from value of type {0}")]
    List(Type),
    #[error("Can't get a vector from value of type {0}")]
    Vector(Type),
}

impl ConversionError {
    /// The type of the value that cannot be converted.
    pub fn from(self) -> Type {
        match self {
            ConversionError::Number(from)
            | ConversionError::Bool(from)
            | ConversionError::Text(from)
            | ConversionError::List(from)
            | ConversionError::Vector(from) => from,
        }
    }
}

impl Value {
    /// The labels of a body without any, which needs no frame.
    pub const NO_MEMBERS: Value = Value::Members(FrameId::NONE);

    pub fn text(text: &str) -> Value {
        Value::Text(Rc::new(Text::new(text)))
    }

    pub fn list(items: Vec<Value>, birth: Birth) -> Value {
        live::grow(live::HEAD + live::ELEMENT * items.len());
        let serial = live::next_serial();
        Value::List(Rc::new(List { items: RefCell::new(items), is_locked: Cell::new(false), birth, serial }))
    }

    /// Takes the place of this value.
    #[inline(always)]
    pub fn put(&mut self, value: Value) {
        // What owns nothing need not be dropped.
        if matches!(self, Value::Number(_) | Value::Null) {
            std::mem::forget(std::mem::replace(self, value));
        } else {
            *self = value;
        }
    }

    pub fn invalid(&self) -> Option<Invalid> {
        match self {
            Value::Invalid(invalid) => Some(*invalid),
            _ => None,
        }
    }

    pub fn type_of(&self) -> Type {
        match self {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Boolean,
            Value::Number(_) => Type::Number,
            Value::Char(..) => Type::Char,
            Value::Label(..) => Type::Label,
            Value::Text(_) => Type::Text,
            Value::List(_) => Type::List,
            Value::Table(_) => Type::Hashtable,
            Value::Struct(_) => Type::Struct,
            Value::Vector(_) => Type::Vector,
            Value::Matrix(_) => Type::Matrix,
            Value::Argument(_) => Type::Argument,
            Value::Namespace(_) => Type::Namespace,
            Value::Members(_) | Value::MemberList(_) | Value::LoHi(_) => Type::Scope,
            Value::Binary(_) => Type::Binary,
            Value::Picture(_) => Type::Picture,
            Value::Sid(_) => Type::Sid,
            Value::Asset(asset) => match asset.format {
                tempo_formats::assets::Format::CharPad => Type::CharPad,
                _ => Type::SpritePad,
            },
            Value::OutputFile(_) => Type::OutputFile,
            Value::Invalid(invalid) => match invalid.kind {
                InvalidKind::Number => Type::Number,
                InvalidKind::Text => Type::Text,
                InvalidKind::Bool => Type::Boolean,
                InvalidKind::Other => Type::Unresolved,
            },
        }
    }

    /// Whether its string form is there for certain: that of the longest number, or the string itself.
    pub fn has_text(&self) -> bool {
        matches!(
            self,
            Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Char(..)
                | Value::Label(..)
                | Value::Text(_)
        )
    }

    /// The number this is, if it is one without asking further.
    #[inline]
    pub fn as_number(&self) -> Option<f64> {
        match *self {
            Value::Number(number) | Value::Label(_, _, number) => Some(number),
            Value::Char(_, code) => Some(f64::from(code)),
            _ => None,
        }
    }

    pub fn number(&self) -> Result<f64, ConversionError> {
        self.as_number().ok_or(ConversionError::Number(self.type_of()))
    }

    pub fn bool(&self) -> Result<bool, ConversionError> {
        match self {
            Value::Bool(value) => Ok(*value),
            _ => Err(ConversionError::Bool(self.type_of())),
        }
    }

    pub fn as_list(&self) -> Result<&Rc<List>, ConversionError> {
        match self {
            Value::List(list) => Ok(list),
            _ => Err(ConversionError::List(self.type_of())),
        }
    }

    pub fn vector(&self) -> Result<[f64; 3], ConversionError> {
        match self {
            Value::Vector(vector) => Ok(**vector),
            _ => Err(ConversionError::Vector(self.type_of())),
        }
    }

    /// The string form. `structs` names struct definitions.
    pub fn to_text(&self, structs: &dyn Fn(u32) -> String) -> Result<Rc<Text>, ConversionError> {
        match self {
            Value::Text(text) => return Ok(text.clone()),
            Value::Number(number) | Value::Label(_, _, number) => {
                return Ok(tempo_formats::number::with_text(*number, |text| Rc::new(Text::new(text))));
            }
            _ => {}
        }
        let mut out = String::new();
        self.write(&mut out, structs, 0)?;
        Ok(Rc::new(Text::new(&out)))
    }

    fn write(
        &self,
        out: &mut String,
        structs: &dyn Fn(u32) -> String,
        depth: u32,
    ) -> Result<(), ConversionError> {
        // A list may contain itself, so the text must end somewhere.
        if depth > 100 || out.len() > 1 << 24 {
            out.push('…');
            return Ok(());
        }
        match self {
            Value::Null => out.push_str("Null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Number(number) | Value::Label(_, _, number) => {
                tempo_formats::number::with_text(*number, |text| out.push_str(text));
            }
            Value::Char(c, _) => out.push(*c),
            Value::Text(text) => out.push_str(text.as_str()),
            Value::List(list) => {
                out.push('[');
                for (index, item) in list.items.borrow().iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out, structs, depth + 1)?;
                }
                out.push(']');
            }
            Value::Table(_) => out.push_str("Hashtable"),
            Value::Struct(value) => {
                out.push_str(&structs(value.definition));
                out.push_str("-struct");
            }
            Value::Vector(vector) => {
                let [x, y, z] = vector.map(tempo_formats::number::double_to_string);
                out.push_str(&format!("({x},{y},{z})"));
            }
            Value::Matrix(matrix) => {
                let rows = matrix.rows.borrow().map(|row| {
                    let cells = row.map(tempo_formats::number::double_to_string);
                    format!("[{}]", cells.join(","))
                });
                out.push_str(&format!("[{}]", rows.join(",")));
            }
            Value::Argument(argument) => {
                out.push_str("Argument<");
                out.push_str(argument.mode.name());
                out.push('>');
            }
            Value::Binary(_) => out.push_str("Binary file"),
            Value::Picture(_) => out.push_str("Picture"),
            Value::Sid(sid) => {
                out.push_str("SID<\"");
                out.push_str(&sid.name);
                out.push_str("\">");
            }
            Value::Asset(asset) => {
                out.push_str(asset.format.name());
                out.push_str(" file");
            }
            Value::OutputFile(_) => out.push_str("Output file"),
            Value::Invalid(invalid) => out.push_str(match invalid.kind {
                InvalidKind::Number => "<<Invalid Number>>",
                InvalidKind::Text => "<<Invalid String>>",
                InvalidKind::Bool => "<<Invalid Boolean>>",
                InvalidKind::Other => "<<Invalid Value>>",
            }),
            Value::Namespace(_) | Value::Members(_) | Value::MemberList(_) | Value::LoHi(_) => {
                return Err(ConversionError::Text(self.type_of()));
            }
        }
        Ok(())
    }

    /// An unknown value inside this one, lists included.
    pub fn find_invalid(&self) -> Option<Invalid> {
        let list = match self {
            Value::Invalid(invalid) => return Some(*invalid),
            Value::Argument(argument) => return argument.value.invalid(),
            Value::List(list) => list,
            _ => return None,
        };
        // A list may be in many places of another, or in itself: each is looked at once.
        let mut seen = HashSet::new();
        let mut waiting = vec![list.clone()];
        while let Some(list) = waiting.pop() {
            for item in list.items.borrow().iter() {
                match item {
                    Value::Invalid(invalid) => return Some(*invalid),
                    Value::Argument(argument) if argument.value.invalid().is_some() => {
                        return argument.value.invalid();
                    }
                    Value::List(inner) if seen.insert(inner.serial) => waiting.push(inner.clone()),
                    _ => {}
                }
            }
        }
        None
    }

    /// Makes lists and matrices immutable, nested ones included.
    pub fn lock(&self) {
        let mut waiting = vec![self.clone()];
        while let Some(value) = waiting.pop() {
            match value {
                Value::List(list) if !list.is_locked.replace(true) => {
                    waiting.extend(list.items.borrow().iter().filter(|item| item.is_container()).cloned());
                }
                Value::Matrix(matrix) => matrix.is_locked.set(true),
                _ => {}
            }
        }
    }

    /// Whether this is shared by reference and can be changed.
    pub fn is_container(&self) -> bool {
        matches!(self, Value::List(_) | Value::Table(_) | Value::Struct(_) | Value::Matrix(_))
    }
}

/// Lets go of values one after the other: lists may be nested as deep as a loop can nest them, and dropping one
/// inside the other would need a stack as deep.
fn release(values: &mut Vec<Value>) {
    if !values.iter().any(Value::is_container) {
        return;
    }
    let mut waiting = std::mem::take(values);
    while let Some(value) = waiting.pop() {
        match value {
            Value::List(list) => {
                waiting.extend(Rc::into_inner(list).map(List::take).unwrap_or_default());
            }
            Value::Struct(value) => {
                waiting.extend(Rc::into_inner(value).map(|value| value.fields.take()).unwrap_or_default());
            }
            Value::Table(table) => {
                waiting.extend(Rc::into_inner(table).map(|table| table.take_values()).unwrap_or_default());
            }
            _ => {}
        }
    }
}

impl List {
    /// Adds elements at the end.
    pub fn extend(&self, items: impl IntoIterator<Item = Value>) {
        let mut own = self.items.borrow_mut();
        let before = own.len();
        own.extend(items);
        live::grow(live::ELEMENT * (own.len() - before));
    }

    /// Adds one element at the end.
    pub fn push(&self, item: Value) {
        self.items.borrow_mut().push(item);
        live::grow(live::ELEMENT);
    }

    pub fn remove(&self, index: usize) {
        let mut items = self.items.borrow_mut();
        live::moved(live::ELEMENT * (items.len() - index));
        items.remove(index);
        live::shrink(live::ELEMENT);
    }

    /// Notes that all elements are moved about.
    pub fn stir(&self) {
        live::moved(live::ELEMENT * self.items.borrow().len());
    }

    fn take(self) -> Vec<Value> {
        let items = self.items.take();
        live::shrink(live::ELEMENT * items.len());
        items
    }
}

impl Drop for List {
    fn drop(&mut self) {
        live::shrink(live::HEAD + live::ELEMENT * self.items.get_mut().len());
        release(self.items.get_mut());
    }
}

impl Struct {
    pub fn new(definition: u32, fields: Vec<Value>) -> Struct {
        live::grow(2 * live::HEAD);
        Struct { definition, fields: RefCell::new(fields), serial: live::next_serial() }
    }
}

impl Drop for Struct {
    fn drop(&mut self) {
        live::shrink(2 * live::HEAD);
        release(self.fields.get_mut());
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        release(&mut self.take_values());
    }
}
