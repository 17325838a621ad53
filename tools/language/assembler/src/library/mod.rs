//! The functions the language brings along: their names, how many arguments they take, and where they are.
//! Methods of values are in `methods`, constants in `constants`.

pub(crate) mod constants;
mod files;
mod math;
pub(crate) mod methods;
mod random;
mod strict;
mod strings;
mod values;

/// Matrix arithmetic, for the operators.
pub(crate) mod matrices {
    pub(crate) use super::values::{multiply, new_matrix, transform};
}

use thiserror::Error;

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
    ListIndex(i64),
    #[error("Index out of bounds: {0}")]
    TextIndex(i64),
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

type Call = fn(&mut Evaluator<'_>, ExprId, &[Value]) -> Result<Value, LibraryError>;

/// A function that makes a number of numbers.
#[derive(Debug)]
pub(crate) enum Numbers {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    /// Not for all numbers: the error for the others.
    Partial(fn(f64, f64) -> Option<f64>, LibraryError),
}

/// What a built-in function does.
enum Does {
    Calculate(Numbers),
    Call(Call),
}

/// A built-in function.
pub(crate) struct BuiltIn {
    name: &'static str,
    min: u16,
    max: u16,
    /// What comes out when an argument is not known yet; `None` if the function deals with that itself.
    unknown: Option<InvalidKind>,
    does: Does,
}

const fn number(name: &'static str, arguments: u16, does: Does) -> BuiltIn {
    BuiltIn { name, min: arguments, max: arguments, unknown: Some(InvalidKind::Number), does }
}

const fn one(name: &'static str, function: fn(f64) -> f64) -> BuiltIn {
    number(name, 1, Does::Calculate(Numbers::One(function)))
}

const fn two(name: &'static str, function: fn(f64, f64) -> f64) -> BuiltIn {
    number(name, 2, Does::Calculate(Numbers::Two(function)))
}

const fn text(name: &'static str, min: u16, max: u16, call: Call) -> BuiltIn {
    BuiltIn { name, min, max, unknown: Some(InvalidKind::Text), does: Does::Call(call) }
}

const fn other(name: &'static str, min: u16, max: u16, call: Call) -> BuiltIn {
    BuiltIn { name, min, max, unknown: Some(InvalidKind::Other), does: Does::Call(call) }
}

/// Sorted by name.
pub(crate) static FUNCTIONS: &[BuiltIn] = &[
    BuiltIn { name: "CmdArgument", min: 2, max: 2, unknown: None, does: Does::Call(values::cmd_argument) },
    other("Hashtable", 0, 0, values::hashtable),
    two("IEEEremainder", math::ieee_remainder),
    other("List", 0, 1, values::list),
    other("LoadBinary", 1, 2, files::load_binary),
    other("LoadPicture", 1, 2, files::load_picture),
    other("LoadSid", 1, 1, files::load_sid),
    other("Matrix", 0, 0, values::matrix),
    other("MoveMatrix", 3, 3, values::move_matrix),
    other("PerspectiveMatrix", 1, 1, values::perspective_matrix),
    other("RotationMatrix", 3, 3, values::rotation_matrix),
    other("ScaleMatrix", 3, 3, values::scale_matrix),
    other("Vector", 0, 3, values::vector),
    one("abs", math::abs),
    one("acos", math::acos),
    one("asin", math::asin),
    number("asmCommandSize", 1, Does::Call(values::command_size)),
    one("atan", math::atan),
    two("atan2", math::atan2),
    one("cbrt", math::cbrt),
    one("ceil", math::ceil),
    one("cos", math::cos),
    one("cosh", math::cosh),
    other("createFile", 1, 1, files::create_file),
    one("exp", math::exp),
    one("expm1", math::expm1),
    one("floor", math::floor),
    text("getFilename", 0, 0, files::filename),
    text("getPath", 0, 0, files::path),
    two("hypot", math::hypot),
    one("log", math::log),
    one("log10", math::log10),
    one("log1p", math::log1p),
    two("max", math::max),
    two("min", math::min),
    number("mod", 2, Does::Calculate(Numbers::Partial(math::modulo, LibraryError::ModuloZero))),
    two("pow", math::pow),
    number("random", 0, Does::Call(math::random)),
    one("round", math::round),
    other("setSeed", 1, 1, math::set_seed),
    one("signum", math::signum),
    one("sin", math::sin),
    one("sinh", math::sinh),
    one("sqrt", math::sqrt),
    one("tan", math::tan),
    one("tanh", math::tanh),
    text("toBinaryString", 1, 2, strings::binary),
    one("toDegrees", math::to_degrees),
    text("toHexString", 1, 2, strings::hex),
    text("toIntString", 1, 2, strings::int),
    text("toOctalString", 1, 2, strings::octal),
    one("toRadians", math::to_radians),
];

/// The number of a function.
pub(crate) fn find(name: &str) -> Option<u16> {
    FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok().map(|index| index as u16)
}

/// Whether a function can be called with so many arguments.
pub(crate) fn takes(function: u16, arguments: u16) -> bool {
    let function = &FUNCTIONS[function as usize];
    // A vector has no or three components.
    let fits = function.name != "Vector" || arguments == 0 || arguments == 3;
    fits && (function.min..=function.max).contains(&arguments)
}

/// Whether the result depends on the arguments alone, and nothing is changed. New lists, matrices and the like count
/// as such: nobody else has them.
pub(crate) fn is_pure(function: u16) -> bool {
    let function = &FUNCTIONS[function as usize];
    function.unknown == Some(InvalidKind::Number) && function.name != "random"
        || function.name.starts_with("to")
        || matches!(function.name, "Hashtable" | "List" | "Vector")
        || function.name.ends_with("Matrix")
}

/// Whether a function reads a file, which is the same in every pass.
pub(crate) fn is_loader(function: u16) -> bool {
    FUNCTIONS[function as usize].name.starts_with("Load")
}

/// All names, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name).chain(["getNamespace"])
}

/// Calls a function; arguments that are not known yet give a result that is not known yet.
pub(crate) fn call(
    evaluator: &mut Evaluator<'_>,
    function: u16,
    at: ExprId,
    arguments: &[Value],
) -> Result<Value, LibraryError> {
    let function = &FUNCTIONS[function as usize];
    if let Some(kind) = function.unknown {
        let mut unknown = arguments.iter().filter_map(Value::invalid);
        if let Some(first) = unknown.next() {
            let invalid = unknown.fold(first, |sum, next| sum.and(next));
            return Ok(Value::Invalid(invalid.with_kind(kind)));
        }
    }
    let number = |index: usize| arguments[index].number();
    match &function.does {
        Does::Call(call) => call(evaluator, at, arguments),
        Does::Calculate(Numbers::One(function)) => Ok(Value::Number(function(number(0)?))),
        Does::Calculate(Numbers::Two(function)) => Ok(Value::Number(function(number(0)?, number(1)?))),
        Does::Calculate(Numbers::Partial(function, error)) => {
            function(number(0)?, number(1)?).map(Value::Number).ok_or_else(|| error.clone())
        }
    }
}

/// A function that does nothing but calculate with numbers.
pub(crate) fn numbers(function: u16) -> Option<&'static Numbers> {
    match &FUNCTIONS[function as usize].does {
        Does::Calculate(numbers) => Some(numbers),
        Does::Call(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted_for_the_search() {
        assert!(FUNCTIONS.is_sorted_by_key(|function| function.name));
        assert!(find("sin").is_some_and(|sin| takes(sin, 1) && !takes(sin, 2)));
        assert_eq!(find("sinus"), None);
    }
}
