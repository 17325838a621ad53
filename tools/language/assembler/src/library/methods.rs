//! Methods and fields of values.

use std::rc::Rc;

use super::LibraryError;
use crate::dialect::{METHODS, Purity};
use crate::eval::Evaluator;
use crate::intern::Name;
use crate::names;
use crate::tree::ExprId;
use crate::values::{InvalidKind, List, Picture, Struct, Table, Text, Value, to_i32, to_i64};

type Answer = Result<Value, LibraryError>;

/// Calls a method. `at` is the expression of the call.
pub(crate) fn call(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: &str,
    receiver: &Value,
    args: &[Value],
) -> Answer {
    // What all values have.
    match (name, args.len()) {
        ("lock", 0) => {
            receiver.lock();
            return Ok(receiver.clone());
        }
        ("string", 0) => return Ok(Value::Text(evaluator.text_of(receiver)?)),
        ("number", 0) => return Ok(Value::Number(receiver.number()?)),
        ("lock" | "string" | "number", _) => return Err(LibraryError::MethodArity(name.to_owned())),
        _ => {}
    }
    match receiver {
        Value::Text(text) => text_method(evaluator, name, text, args),
        Value::List(list) => list_method(evaluator, at, name, receiver, list, args),
        Value::Table(table) => table_method(evaluator, at, name, receiver, table, args),
        Value::Struct(value) => struct_method(evaluator, at, name, value, args),
        Value::Vector(vector) => vector_method(name, vector, args),
        Value::Matrix(matrix) => matrix_method(name, receiver, matrix, args),
        Value::Argument(argument) => match (name, args) {
            ("getType", []) => Ok(Value::Number(f64::from(argument.mode.number()))),
            ("getValue", []) => Ok(argument.value.clone()),
            ("getType" | "getValue", _) => arity(name),
            _ => unknown(name),
        },
        Value::Binary(file) => binary_method(name, file, args),
        Value::Picture(picture) => picture_method(name, picture, args),
        Value::Sid(sid) => match (name, args) {
            ("getData", [index]) => {
                let byte = byte_of(&sid.data, index, ByteKind::Signed);
                byte.map_err(|error| match error {
                    LibraryError::FileIndex(index) => LibraryError::SidIndex(index),
                    other => other,
                })
            }
            ("getData", _) => arity(name),
            _ => unknown(name),
        },
        Value::OutputFile(file) => match (name, args) {
            ("writeln", [value]) => {
                if let Some(invalid) = value.find_invalid() {
                    evaluator.note_unresolved(invalid, at);
                    return Ok(Value::Null);
                }
                let text = evaluator.text_of(value)?;
                evaluator.write_line(*file, text.as_str());
                Ok(Value::Null)
            }
            ("writeln", _) => arity(name),
            _ => unknown(name),
        },
        _ => unknown(name),
    }
}

/// The value of a field.
pub(crate) fn field(evaluator: &Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let number = |number: f64| Some(Value::Number(number));
    match receiver {
        Value::Struct(value) => {
            let definition = &evaluator.tree.structs[value.definition as usize];
            let index = definition.fields.iter().position(|&field| evaluator.tree.name(field) == name)?;
            Some(value.fields.borrow()[index].clone())
        }
        Value::Picture(picture) => match name {
            "width" => number(f64::from(picture.image.width)),
            "height" => number(f64::from(picture.image.height)),
            _ => None,
        },
        Value::Sid(sid) => match name {
            "header" => Some(Value::text(&sid.header)),
            "name" => Some(Value::text(&sid.name)),
            "author" => Some(Value::text(&sid.author)),
            "copyright" => Some(Value::text(&sid.copyright)),
            "version" => number(f64::from(sid.version)),
            "location" => number(f64::from(sid.location)),
            "init" => number(f64::from(sid.init)),
            "play" => number(f64::from(sid.play)),
            "songs" => number(f64::from(sid.songs)),
            "startSong" => number(f64::from(sid.start_song)),
            "speed" => number(f64::from(sid.speed)),
            "size" => number(sid.data.len() as f64),
            "flags" => Some(sid.flags.map_or(Value::Null, |flags| Value::Number(f64::from(flags)))),
            "startpage" => Some(sid.start_page.map_or(Value::Null, |page| Value::Number(f64::from(page)))),
            "pagelength" => {
                Some(sid.page_length.map_or(Value::Null, |pages| Value::Number(f64::from(pages))))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a word of the language is a method, and all methods of that name leave their values as they are.
static ONLY_READS: [bool; names::WORDS] = {
    let (mut is_method, mut changes) = ([false; names::WORDS], [false; names::WORDS]);
    let mut index = 0;
    while index < METHODS.len() {
        let word = names::word(METHODS[index].name).0 as usize;
        is_method[word] = true;
        changes[word] |= !matches!(METHODS[index].purity, Purity::Pure);
        index += 1;
    }
    let mut word = 0;
    while word < names::WORDS {
        is_method[word] &= !changes[word];
        word += 1;
    }
    is_method
};

/// Whether a method of a list, hashtable, struct or matrix leaves it as it is.
#[inline]
pub(crate) fn only_reads(name: Name) -> bool {
    ONLY_READS.get(name.0 as usize).copied().unwrap_or(false)
}

/// What a method of an unknown value returns: what all of that name return, if that is the same.
pub(crate) fn unknown_result(name: &str) -> InvalidKind {
    let mut kinds =
        METHODS.iter().filter(|method| method.name == name).map(|method| super::unknown(method.gives));
    let first = kinds.next().unwrap_or(InvalidKind::Other);
    if kinds.all(|kind| kind == first) { first } else { InvalidKind::Other }
}

fn unknown(name: &str) -> Answer {
    Err(LibraryError::UnknownMethod(name.to_owned()))
}

fn arity(name: &str) -> Answer {
    Err(LibraryError::MethodArity(name.to_owned()))
}

/// The first argument that is not known yet makes the result unknown.
fn unresolved(args: &[Value], kind: InvalidKind) -> Option<Answer> {
    args.iter().find_map(Value::invalid).map(|invalid| Ok(Value::Invalid(invalid.with_kind(kind))))
}

/// The same with the kind that the method returns.
fn unresolved_call(args: &[Value], name: &str) -> Option<Answer> {
    let invalid = args.iter().find_map(Value::invalid)?;
    Some(Ok(Value::Invalid(invalid.with_kind(unknown_result(name)))))
}

fn text_method(evaluator: &Evaluator<'_>, name: &str, text: &Text, args: &[Value]) -> Answer {
    if let Some(answer) = unresolved_call(args, name) {
        return answer;
    }
    match (name, args) {
        ("size", []) => Ok(Value::Number(text.len() as f64)),
        ("charAt", [index]) => {
            let index = i64::from(to_i32(index.number()?));
            match usize::try_from(index).ok().and_then(|index| text.char_at(index)) {
                Some(c) => Ok(evaluator.char_value(c)),
                None => Err(LibraryError::TextIndex(index)),
            }
        }
        ("substring", [from, to]) => {
            let from = i64::from(to_i32(from.number()?));
            let to = i64::from(to_i32(to.number()?));
            if from < 0 || from > text.len() as i64 {
                return Err(LibraryError::StartIndex(from));
            }
            if to < 0 || to > text.len() as i64 {
                return Err(LibraryError::EndIndex(to));
            }
            if to < from {
                return Err(LibraryError::Reversed(from, to));
            }
            Ok(Value::Text(Rc::new(text.slice(from as usize, to as usize))))
        }
        ("toUpperCase", []) => Ok(Value::text(&text.as_str().to_uppercase())),
        ("toLowerCase", []) => Ok(Value::text(&text.as_str().to_lowercase())),
        ("asNumber", []) => match java_number(text.as_str()) {
            Some(number) => Ok(Value::Number(number)),
            None => Err(LibraryError::NotANumber(text.as_str().to_owned())),
        },
        ("asNumber", [radix]) => {
            let radix = to_i32(radix.number()?);
            let valid = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix));
            let digits = text.as_str().trim();
            match valid.and_then(|radix| i64::from_str_radix(digits, radix).ok()) {
                Some(number) => Ok(Value::Number(number as f64)),
                None => Err(LibraryError::NotANumber(text.as_str().to_owned())),
            }
        }
        ("asBoolean", []) => Ok(Value::Bool(text.as_str().eq_ignore_ascii_case("true"))),
        ("size" | "charAt" | "substring" | "toUpperCase" | "toLowerCase" | "asNumber" | "asBoolean", _) => {
            arity(name)
        }
        _ => unknown(name),
    }
}

/// What Java's `Double.parseDouble` accepts.
fn java_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    match digits.trim_start_matches(['+', '-']) {
        "NaN" => return Some(f64::NAN),
        "Infinity" => return Some(if digits.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }),
        rest if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {}
        _ => return None,
    }
    digits.parse().ok()
}

fn list_index(list: &List, index: &Value) -> Result<usize, LibraryError> {
    let index = i64::from(to_i32(index.number()?));
    match usize::try_from(index) {
        Ok(position) if position < list.items.borrow().len() => Ok(position),
        _ => Err(LibraryError::ListIndex(index)),
    }
}

fn list_method(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: &str,
    receiver: &Value,
    list: &Rc<List>,
    args: &[Value],
) -> Answer {
    let is_mutator = matches!(name, "set" | "add" | "addAll" | "remove" | "sort" | "reverse" | "shuffle");
    if is_mutator {
        if list.is_locked.get() {
            return Err(LibraryError::Locked);
        }
        evaluator.check_passes(at, list.birth, args)?;
    }
    let limit = evaluator.options.limits.value_size;
    let too_large = LibraryError::TooLarge { what: "list", limit };
    match (name, args) {
        ("size", []) => Ok(Value::Number(list.items.borrow().len() as f64)),
        ("get", [index]) => {
            if let Some(answer) = unresolved(args, InvalidKind::Other) {
                return answer;
            }
            let index = list_index(list, index)?;
            Ok(list.items.borrow()[index].clone())
        }
        ("set", [index, value]) => {
            if let Some(answer) = unresolved(&args[..1], InvalidKind::Other) {
                return answer;
            }
            let index = list_index(list, index)?;
            list.items.borrow_mut()[index] = value.clone();
            Ok(receiver.clone())
        }
        ("add", values) => {
            if (list.items.borrow().len() + values.len()) as u64 > limit {
                return Err(too_large);
            }
            list.extend(values.iter().cloned());
            Ok(receiver.clone())
        }
        ("addAll", [other]) => {
            if let Some(answer) = unresolved(args, InvalidKind::Other) {
                return answer;
            }
            let added = other.as_list()?.items.borrow().clone();
            if (list.items.borrow().len() + added.len()) as u64 > limit {
                return Err(too_large);
            }
            list.extend(added);
            Ok(receiver.clone())
        }
        ("remove", [index]) => {
            if let Some(answer) = unresolved(args, InvalidKind::Other) {
                return answer;
            }
            let index = list_index(list, index)?;
            list.remove(index);
            Ok(receiver.clone())
        }
        ("sort", []) => {
            list.stir();
            // Numbers ascending, then everything else in its old order.
            list.items.borrow_mut().sort_by(|a, b| match (a.as_number(), b.as_number()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
            Ok(receiver.clone())
        }
        ("reverse", []) => {
            list.stir();
            list.items.borrow_mut().reverse();
            Ok(receiver.clone())
        }
        ("shuffle", []) => {
            list.stir();
            let mut items = list.items.borrow_mut();
            for index in (2..=items.len()).rev() {
                let other = evaluator.random.next_int(index as i32) as usize;
                items.swap(index - 1, other);
            }
            Ok(receiver.clone())
        }
        ("size" | "get" | "set" | "addAll" | "remove" | "sort" | "reverse" | "shuffle", _) => arity(name),
        _ => unknown(name),
    }
}

fn table_method(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: &str,
    receiver: &Value,
    table: &Table,
    args: &[Value],
) -> Answer {
    match (name, args) {
        ("put", [_, ..]) => {
            evaluator.check_passes(at, table.birth, args)?;
            if !args.len().is_multiple_of(2) {
                return Err(LibraryError::MissingValue);
            }
            for pair in args.chunks_exact(2) {
                if let Some(answer) = unresolved(&pair[..1], InvalidKind::Other) {
                    return answer;
                }
                let key = evaluator.text_of(&pair[0])?;
                table.put(key.as_str(), pair[1].clone());
                let limit = evaluator.options.limits.value_size;
                if table.len() as u64 > limit {
                    return Err(LibraryError::TooLarge { what: "hashtable", limit });
                }
            }
            Ok(receiver.clone())
        }
        ("get" | "containsKey" | "remove", [key]) => {
            if let Some(answer) = unresolved_call(args, name) {
                return answer;
            }
            let key = evaluator.text_of(key)?;
            Ok(match name {
                "get" => table.get(key.as_str()).unwrap_or(Value::Null),
                "containsKey" => Value::Bool(table.contains(key.as_str())),
                _ => table.remove(key.as_str()).unwrap_or(Value::Null),
            })
        }
        ("keys", []) => {
            let keys = table.keys().iter().map(|key| Value::text(key)).collect();
            Ok(Value::list(keys, evaluator.birth(at)))
        }
        ("put" | "get" | "containsKey" | "remove" | "keys", _) => arity(name),
        _ => unknown(name),
    }
}

fn struct_method(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: &str,
    value: &Struct,
    args: &[Value],
) -> Answer {
    if let Some(answer) = unresolved(&args[..args.len().min(1)], InvalidKind::Other) {
        return answer;
    }
    let definition = &evaluator.tree.structs[value.definition as usize];
    let find = |key: &Value| match key {
        Value::Text(text) => {
            let by_name = |&field: &crate::intern::Name| evaluator.tree.name(field) == text.as_str();
            let index = definition.fields.iter().position(by_name);
            index.ok_or_else(|| LibraryError::FieldName(text.as_str().to_owned()))
        }
        _ => {
            let index = i64::from(to_i32(key.number()?));
            let valid = usize::try_from(index).ok().filter(|&index| index < definition.fields.len());
            valid.ok_or(LibraryError::FieldIndex(index))
        }
    };
    match (name, args) {
        ("get", [key]) => {
            let index = find(key)?;
            Ok(value.fields.borrow()[index].clone())
        }
        ("set", [key, new]) => {
            let index = find(key)?;
            value.fields.borrow_mut()[index] = new.clone();
            Ok(Value::Null)
        }
        ("getStructName", []) => Ok(Value::text(evaluator.tree.name(definition.name))),
        ("getNoOfFields", []) => Ok(Value::Number(definition.fields.len() as f64)),
        ("getFieldNames", []) => {
            let names =
                definition.fields.iter().map(|&field| Value::text(evaluator.tree.name(field))).collect();
            Ok(Value::list(names, evaluator.birth(at)))
        }
        ("get" | "set" | "getStructName" | "getNoOfFields" | "getFieldNames", _) => arity(name),
        _ => unknown(name),
    }
}

fn vector_method(name: &str, vector: &[f64; 3], args: &[Value]) -> Answer {
    if let Some(answer) = unresolved_call(args, name) {
        return answer;
    }
    match (name, args) {
        ("get", [index]) => {
            let index = i64::from(to_i32(index.number()?));
            match usize::try_from(index).ok().and_then(|index| vector.get(index)) {
                Some(&component) => Ok(Value::Number(component)),
                None => Err(LibraryError::VectorIndex(index)),
            }
        }
        ("getX", []) => Ok(Value::Number(vector[0])),
        ("getY", []) => Ok(Value::Number(vector[1])),
        ("getZ", []) => Ok(Value::Number(vector[2])),
        ("X", [other]) => {
            let [a, b, c] = *vector;
            let [x, y, z] = other.vector()?;
            Ok(Value::Vector(Rc::new([b * z - c * y, c * x - a * z, a * y - b * x])))
        }
        ("get" | "getX" | "getY" | "getZ" | "X", _) => arity(name),
        _ => unknown(name),
    }
}

fn matrix_method(name: &str, receiver: &Value, matrix: &crate::values::Matrix, args: &[Value]) -> Answer {
    if let Some(answer) = unresolved(args, InvalidKind::Number) {
        return answer;
    }
    let cell = |row: &Value, column: &Value| {
        let (row, column) = (i64::from(to_i32(row.number()?)), i64::from(to_i32(column.number()?)));
        if (0..4).contains(&row) && (0..4).contains(&column) {
            Ok((row as usize, column as usize))
        } else {
            Err(LibraryError::MatrixIndex(row, column))
        }
    };
    match (name, args) {
        ("get", [row, column]) => {
            let (row, column) = cell(row, column)?;
            Ok(Value::Number(matrix.rows.borrow()[row][column]))
        }
        ("set", [row, column, value]) => {
            if matrix.is_locked.get() {
                return Err(LibraryError::Locked);
            }
            let (row, column) = cell(row, column)?;
            matrix.rows.borrow_mut()[row][column] = value.number()?;
            Ok(receiver.clone())
        }
        ("get" | "set", _) => arity(name),
        _ => unknown(name),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteKind {
    Signed,
    Unsigned,
}

fn byte_of(bytes: &[u8], index: &Value, kind: ByteKind) -> Answer {
    if let Some(invalid) = index.invalid() {
        return Ok(Value::Invalid(invalid.with_kind(InvalidKind::Number)));
    }
    let index = to_i64(index.number()?);
    match usize::try_from(index).ok().and_then(|index| bytes.get(index)) {
        Some(&byte) if kind == ByteKind::Signed => Ok(Value::Number(f64::from(byte.cast_signed()))),
        Some(&byte) => Ok(Value::Number(f64::from(byte))),
        None => Err(LibraryError::FileIndex(index)),
    }
}

fn binary_method(name: &str, file: &crate::values::BinaryFile, args: &[Value]) -> Answer {
    match (name, args) {
        ("getSize", []) => return Ok(Value::Number(file.data().len() as f64)),
        ("get", [index]) => return byte_of(file.data(), index, ByteKind::Signed),
        ("uget", [index]) => return byte_of(file.data(), index, ByteKind::Unsigned),
        ("getSize" | "get" | "uget", _) => return arity(name),
        _ => {}
    }
    for block in &file.blocks {
        let bytes = &file.data()[block.start..block.end.max(block.start)];
        let rest = name.strip_prefix("get").and_then(|rest| rest.strip_prefix(&block.name[..]));
        let unsigned = name.strip_prefix("uget").and_then(|rest| rest.strip_prefix(&block.name[..]));
        let kind = match (rest, unsigned) {
            (Some("Size"), _) => {
                return if args.is_empty() { Ok(Value::Number(bytes.len() as f64)) } else { arity(name) };
            }
            (Some(""), _) => ByteKind::Signed,
            (_, Some("")) => ByteKind::Unsigned,
            _ => continue,
        };
        // An index beyond the block reads on in the file.
        let rest = &file.data()[block.start..];
        return match args {
            [] => byte_of(rest, &Value::Number(0.0), kind),
            [index] => byte_of(rest, index, kind),
            _ => arity(name),
        };
    }
    unknown(name)
}

fn picture_method(name: &str, picture: &Picture, args: &[Value]) -> Answer {
    if let Some(answer) = unresolved(args, InvalidKind::Number) {
        return answer;
    }
    let image = &picture.image;
    let mode = match name {
        "getPixel" => None,
        "getSinglecolorByte" => Some(tempo_formats::picture::Mode::Single),
        "getMulticolorByte" => Some(tempo_formats::picture::Mode::Multi),
        _ => return unknown(name),
    };
    let [x, y] = args else { return arity(name) };
    let (x, y) = (to_i64(x.number()?), to_i64(y.number()?));
    let (axis, columns) = match mode {
        None => ("x", i64::from(image.width)),
        // A byte counts while its first pixel is inside.
        Some(_) => ("byte x", i64::from(image.width.div_ceil(8))),
    };
    if !(0..columns).contains(&x) {
        return Err(LibraryError::Coordinate { axis, value: x });
    }
    if !(0..i64::from(image.height)).contains(&y) {
        return Err(LibraryError::Coordinate { axis: "y", value: y });
    }
    let (x, y) = (x as u32, y as u32);
    Ok(Value::Number(match mode {
        None => f64::from(image.pixel(x, y).unwrap_or(0)),
        Some(mode) => f64::from(image.byte(x, y, &picture.colours, mode)),
    }))
}
