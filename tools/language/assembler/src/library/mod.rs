//! The functions of the language; `dialect` lists them.
//! Methods of values are in `methods`, constants in `constants`.

pub(crate) mod constants;
pub(crate) mod files;
pub(crate) mod math;
pub(crate) mod methods;
mod random;
mod strict;
pub(crate) mod strings;
pub(crate) mod values;

/// Matrix arithmetic, for the operators.
pub(crate) mod matrices {
    pub(crate) use super::values::{multiply, new_matrix, transform};
}

use thiserror::Error;

use crate::dialect::{FUNCTIONS, Purity, Type};
use crate::eval::Evaluator;
use crate::tree::ExprId;
use crate::values::{ConversionError, InvalidKind, Value};

pub(crate) use random::Random;

/// Why a built-in function or method failed, in Kick Assembler's words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum LibraryError {
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    #[error("Unknown function : {0}")]
    UnknownMethod(String),
    #[error("Invalid number of arguments : {0}")]
    MethodArity(String),
    #[error("Index out of bound : {0}")]
    ListIndex(i64, usize),
    #[error("Index out of bounds: {0}")]
    TextIndex(i64, usize),
    #[error("Start index out of bounds: {0}")]
    StartIndex(i64),
    #[error("End index out of bounds: {0}")]
    EndIndex(i64),
    #[error("End index bigger than startindex: {0},{1}")]
    Reversed(i64, i64),
    #[error("Not a valid number : {0}")]
    NotANumber(String),
    #[error("Missing value in key-value pair for hash table")]
    MissingValue,
    #[error("You can't modify a locked value")]
    Locked,
    #[error(
        "You are trying to use an unlocked value accross passes. This is not supported. Try locking the variable \
         ({0}) with the .define directive or .lock() method before assigning it."
    )]
    AcrossPasses(String),
    #[error("Invalid index : {0}")]
    VectorIndex(i64),
    #[error("Index out of bound ({0},{1})")]
    MatrixIndex(i64, i64),
    #[error("index out of range : {0}")]
    FileIndex(i64),
    #[error("Index ({0}) out of range")]
    SidIndex(i64),
    #[error("Invalid address of token : '{0}'")]
    Template(String),
    #[error("Couldnt load image file '{0}'")]
    BadPicture(String),
    #[error("Invalid name index: {0}")]
    FieldIndex(i64),
    #[error("Unknown field name: {0}")]
    FieldName(String),
    #[error("Invalid number of arguments for struct constructor")]
    StructArity,
    #[error("The second argument of the mod function can't be zero")]
    ModuloZero,
    #[error("Invalid arg type constant")]
    ArgumentMode,
    #[error("Can't open file '{0}'")]
    CannotOpen(String),
    #[error("Can't locate file '{0}'")]
    CannotLocate(String),
    #[error("Can't read '{name}': {problem}")]
    BadFile { name: String, problem: String },
    #[error("{axis} coordinate out of range : {value}")]
    Coordinate { axis: &'static str, value: i64 },
    #[error("A {what} may not have more than {limit} elements")]
    TooLarge { what: &'static str, limit: u64 },
    #[error("Unable to create the file {0}")]
    OutsideOutput(String),
}

/// A function that may look at everything.
pub(crate) type Call = fn(&mut Evaluator<'_>, ExprId, &[Value]) -> Result<Value, LibraryError>;

/// A function that makes a number of numbers.
#[derive(Debug)]
pub(crate) enum Numbers {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    /// Not for all numbers: the error for the others.
    Partial(fn(f64, f64) -> Option<f64>, LibraryError),
}

impl Numbers {
    /// The result for two numbers, of which the second may not be needed; `None` if there is none.
    #[inline]
    pub fn of(&self, a: f64, b: f64) -> Option<f64> {
        match self {
            Numbers::One(function) => Some(function(a)),
            Numbers::Two(function) => Some(function(a, b)),
            Numbers::Partial(function, _) => function(a, b),
        }
    }
}

/// How an item of the language is computed.
#[derive(Debug)]
pub(crate) enum Does {
    Calculate(Numbers),
    /// If an argument is not known yet, the result is not known yet.
    Call(Call),
    /// Deals with arguments that are not known yet.
    CallUnknown(Call),
    /// A text that `bind` puts in the place of the call.
    Bind,
    /// A macro in the system's source.
    Macro,
    /// A method; `methods` looks at the value first.
    Method,
}

/// The places of the functions in their table, sorted by name.
static BY_NAME: [u16; FUNCTIONS.len()] = {
    let mut names = [""; FUNCTIONS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = FUNCTIONS[index].name;
        index += 1;
    }
    sorted(names)
};

/// The places of some names, sorted by name.
const fn sorted<const COUNT: usize>(names: [&str; COUNT]) -> [u16; COUNT] {
    let mut places = [0; COUNT];
    let mut len = 0;
    while len < COUNT {
        let mut at = len;
        while at > 0 && is_less(names[len], names[places[at - 1] as usize]) {
            places[at] = places[at - 1];
            at -= 1;
        }
        places[at] = len as u16;
        len += 1;
    }
    places
}

const fn is_less(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return a[at] < b[at];
        }
        at += 1;
    }
    a.len() < b.len()
}

/// The number of a function.
pub(crate) fn find(name: &str) -> Option<u16> {
    let place = BY_NAME.binary_search_by(|&index| FUNCTIONS[usize::from(index)].name.cmp(name));
    place.ok().map(|place| BY_NAME[place])
}

/// Whether a function can be called with this many arguments.
pub(crate) fn takes(function: u16, arguments: u16) -> bool {
    FUNCTIONS[usize::from(function)].takes(arguments)
}

/// Whether `bind` replaces a call of the function.
pub(crate) fn is_bound(function: u16) -> bool {
    matches!(FUNCTIONS[usize::from(function)].does, Does::Bind)
}

/// Whether the result depends on the arguments alone, and nothing is changed.
pub(crate) fn is_pure(function: u16) -> bool {
    FUNCTIONS[usize::from(function)].purity == Purity::Pure
}

/// Whether Kick Assembler does not have a function.
pub(crate) fn is_ours(function: u16) -> bool {
    FUNCTIONS[usize::from(function)].whose == crate::dialect::Whose::Ours
}

/// Whether a function reads a file, which is the same in every pass.
pub(crate) fn is_loader(function: u16) -> bool {
    FUNCTIONS[usize::from(function)].purity == Purity::Reads
}

/// All names, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BY_NAME.iter().map(|&index| FUNCTIONS[usize::from(index)].name)
}

/// The placeholder for a value of a type that is not known yet.
pub(crate) const fn unknown(gives: Type) -> InvalidKind {
    match gives {
        Type::Number => InvalidKind::Number,
        Type::String => InvalidKind::Text,
        Type::Boolean => InvalidKind::Bool,
        _ => InvalidKind::Other,
    }
}

/// Calls a function; arguments that are not known yet give a result that is not known yet.
pub(crate) fn call(
    evaluator: &mut Evaluator<'_>,
    function: u16,
    at: ExprId,
    arguments: &[Value],
) -> Result<Value, LibraryError> {
    let function = &FUNCTIONS[usize::from(function)];
    if let Does::CallUnknown(call) = function.does {
        return call(evaluator, at, arguments);
    }
    let mut unknowns = arguments.iter().filter_map(Value::invalid);
    if let Some(first) = unknowns.next() {
        let invalid = unknowns.fold(first, |sum, next| sum.and(next));
        return Ok(Value::Invalid(invalid.with_kind(unknown(function.gives))));
    }
    let numbers = match &function.does {
        Does::Call(call) => return call(evaluator, at, arguments),
        Does::Calculate(numbers) => numbers,
        Does::CallUnknown(_) | Does::Bind | Does::Macro | Does::Method => {
            unreachable!("'{}' is not called this way", function.name)
        }
    };
    let a = arguments[0].number()?;
    let b = if let Numbers::One(_) = numbers { 0.0 } else { arguments[1].number()? };
    match (numbers.of(a, b), numbers) {
        (None, Numbers::Partial(_, error)) => Err(error.clone()),
        (number, _) => Ok(Value::Number(number.unwrap_or(f64::NAN))),
    }
}

/// A function that does nothing but calculate with numbers.
#[inline]
pub(crate) fn numbers(function: u16) -> Option<&'static Numbers> {
    match &FUNCTIONS[usize::from(function)].does {
        Does::Calculate(numbers) => Some(numbers),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted_for_the_search() {
        assert!(names().is_sorted());
        assert!(find("sin").is_some_and(|sin| takes(sin, 1) && !takes(sin, 2)));
        assert_eq!(find("sinus"), None);
    }

    #[test]
    fn only_pure_functions_and_loaders_may_be_called_again() {
        let impure: Vec<&str> = (0..FUNCTIONS.len() as u16)
            .filter(|&function| !is_pure(function) && !is_loader(function))
            .map(|function| FUNCTIONS[usize::from(function)].name)
            .collect();
        assert_eq!(
            impure,
            ["random", "setSeed", "createFile", "CmdArgument", "getFilename", "getPath", "getNamespace"]
        );
    }
}
