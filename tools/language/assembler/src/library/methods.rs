//! Methods and fields of values.

use std::rc::Rc;

use super::LibraryError;
use crate::dialect::{FIELDS, METHODS, Purity};
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
    name: Name,
    receiver: &Value,
    args: &[Value],
) -> Answer {
    // What all values have.
    match (name, args.len()) {
        (names::LOCK, 0) => {
            receiver.lock();
            return Ok(receiver.clone());
        }
        (names::STRING, 0) => return Ok(Value::Text(evaluator.text_of(receiver)?)),
        (names::NUMBER, 0) => return Ok(Value::Number(receiver.number()?)),
        (names::LOCK | names::STRING | names::NUMBER, _) => return arity(evaluator, name),
        _ => {}
    }
    match receiver {
        Value::Text(text) => text_method(evaluator, name, text, args),
        Value::List(list) => list_method(evaluator, at, name, receiver, list, args),
        Value::Table(table) => table_method(evaluator, at, name, receiver, table, args),
        Value::Struct(value) => struct_method(evaluator, at, name, value, args),
        Value::Vector(vector) => vector_method(evaluator, name, vector, args),
        Value::Matrix(matrix) => matrix_method(evaluator, name, receiver, matrix, args),
        Value::Argument(argument) => match (name, args) {
            (names::GET_TYPE, []) => Ok(Value::Number(f64::from(argument.mode.number()))),
            (names::GET_VALUE, []) => Ok(argument.value.clone()),
            (names::GET_TYPE | names::GET_VALUE, _) => arity(evaluator, name),
            _ => unknown(evaluator, name),
        },
        Value::Binary(file) => binary_method(evaluator, name, file, args),
        Value::Picture(picture) => picture_method(evaluator, name, picture, args),
        Value::Sid(sid) => match (name, args) {
            (names::GET_DATA, [index]) => {
                let byte = byte_of(&sid.data, index, ByteKind::Signed);
                byte.map_err(|error| match error {
                    LibraryError::FileIndex(index) => LibraryError::SidIndex(index),
                    other => other,
                })
            }
            (names::GET_DATA, _) => arity(evaluator, name),
            _ => unknown(evaluator, name),
        },
        Value::Asset(asset) => asset_method(evaluator, name, asset, args),
        Value::OutputFile(file) => match (name, args) {
            (names::WRITELN, [value]) => {
                if let Some(invalid) = value.find_invalid() {
                    evaluator.note_unresolved(invalid, at);
                    return Ok(Value::Null);
                }
                let text = evaluator.text_of(value)?;
                evaluator.write_line(*file, text.as_str());
                Ok(Value::Null)
            }
            (names::WRITELN, _) => arity(evaluator, name),
            _ => unknown(evaluator, name),
        },
        _ => unknown(evaluator, name),
    }
}

/// The value of a field.
pub(crate) fn field(evaluator: &Evaluator<'_>, receiver: &Value, name: Name) -> Option<Value> {
    let number = |number: f64| Some(Value::Number(number));
    match receiver {
        Value::Struct(value) => {
            let definition = &evaluator.tree.structs[value.definition as usize];
            let index = definition.field(name)?;
            Some(value.fields.borrow()[index].clone())
        }
        Value::Picture(picture) => match name {
            names::WIDTH => number(f64::from(picture.image.width)),
            names::HEIGHT => number(f64::from(picture.image.height)),
            _ => None,
        },
        Value::Sid(sid) => match name {
            names::HEADER => Some(Value::text(&sid.header)),
            names::NAME => Some(Value::text(&sid.name)),
            names::AUTHOR => Some(Value::text(&sid.author)),
            names::COPYRIGHT => Some(Value::text(&sid.copyright)),
            names::VERSION => number(f64::from(sid.version)),
            names::LOCATION => number(f64::from(sid.location)),
            names::INIT => number(f64::from(sid.init)),
            names::PLAY => number(f64::from(sid.play)),
            names::SONGS => number(f64::from(sid.songs)),
            names::START_SONG => number(f64::from(sid.start_song)),
            names::SPEED => number(f64::from(sid.speed)),
            names::SIZE => number(sid.data.len() as f64),
            names::FLAGS => Some(sid.flags.map_or(Value::Null, |flags| Value::Number(f64::from(flags)))),
            names::STARTPAGE => {
                Some(sid.start_page.map_or(Value::Null, |page| Value::Number(f64::from(page))))
            }
            names::PAGELENGTH => {
                Some(sid.page_length.map_or(Value::Null, |pages| Value::Number(f64::from(pages))))
            }
            _ => None,
        },
        Value::Asset(asset) => {
            let word = evaluator.tree.name(name);
            let is_listed = dialect_fields(receiver).any(|field| field == word);
            asset.number(word).filter(|_| is_listed).map(|number| Value::Number(f64::from(number)))
        }
        _ => None,
    }
}

/// The fields of a type.
fn dialect_fields(value: &Value) -> impl Iterator<Item = &'static str> {
    let group = value.type_of().to_string();
    FIELDS.iter().filter(move |field| field.group == group).map(|field| field.name)
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

/// The type that the methods of each name return while the value is unknown, if they all return the same.
static UNKNOWN: [InvalidKind; names::WORDS] = {
    let mut kinds = [InvalidKind::Other; names::WORDS];
    let mut is_seen = [false; names::WORDS];
    let mut index = 0;
    while index < METHODS.len() {
        let word = names::word(METHODS[index].name).0 as usize;
        let kind = super::unknown(METHODS[index].gives);
        let is_other = is_seen[word] && kinds[word] as u8 != kind as u8;
        kinds[word] = if is_other { InvalidKind::Other } else { kind };
        is_seen[word] = true;
        index += 1;
    }
    kinds
};

/// The type that a method of an unknown value returns.
pub(crate) fn unknown_result(name: Name) -> InvalidKind {
    UNKNOWN.get(name.0 as usize).copied().unwrap_or(InvalidKind::Other)
}

#[cold]
fn unknown(evaluator: &Evaluator<'_>, name: Name) -> Answer {
    Err(LibraryError::UnknownMethod(evaluator.tree.name(name).to_owned()))
}

#[cold]
fn arity(evaluator: &Evaluator<'_>, name: Name) -> Answer {
    Err(LibraryError::MethodArity(evaluator.tree.name(name).to_owned()))
}

/// The first argument that is not known yet makes the result unknown.
fn unresolved(args: &[Value], kind: InvalidKind) -> Option<Answer> {
    args.iter().find_map(Value::invalid).map(|invalid| Ok(Value::Invalid(invalid.with_kind(kind))))
}

fn text_method(evaluator: &Evaluator<'_>, name: Name, text: &Text, args: &[Value]) -> Answer {
    if let Some(answer) = unresolved(args, unknown_result(name)) {
        return answer;
    }
    match (name, args) {
        (names::SIZE, []) => Ok(Value::Number(text.len() as f64)),
        (names::CHAR_AT, [index]) => {
            let index = i64::from(to_i32(index.number()?));
            match usize::try_from(index).ok().and_then(|index| text.char_at(index)) {
                Some(c) => Ok(evaluator.char_value(c)),
                None => Err(LibraryError::TextIndex(index, text.len())),
            }
        }
        (names::SUBSTRING, [from, to]) => {
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
        (names::TO_UPPER_CASE, []) => Ok(Value::text(&text.as_str().to_uppercase())),
        (names::TO_LOWER_CASE, []) => Ok(Value::text(&text.as_str().to_lowercase())),
        (names::AS_NUMBER, []) => match java_number(text.as_str()) {
            Some(number) => Ok(Value::Number(number)),
            None => Err(LibraryError::NotANumber(text.as_str().to_owned())),
        },
        (names::AS_NUMBER, [radix]) => {
            let radix = to_i32(radix.number()?);
            let valid = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix));
            let digits = text.as_str().trim();
            match valid.and_then(|radix| i64::from_str_radix(digits, radix).ok()) {
                Some(number) => Ok(Value::Number(number as f64)),
                None => Err(LibraryError::NotANumber(text.as_str().to_owned())),
            }
        }
        (names::AS_BOOLEAN, []) => Ok(Value::Bool(text.as_str().eq_ignore_ascii_case("true"))),
        (
            names::SIZE
            | names::CHAR_AT
            | names::SUBSTRING
            | names::TO_UPPER_CASE
            | names::TO_LOWER_CASE
            | names::AS_NUMBER
            | names::AS_BOOLEAN,
            _,
        ) => arity(evaluator, name),
        _ => unknown(evaluator, name),
    }
}

/// The texts that Java's `Double.parseDouble` accepts.
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
    let size = list.items.borrow().len();
    match usize::try_from(index) {
        Ok(position) if position < size => Ok(position),
        _ => Err(LibraryError::ListIndex(index, size)),
    }
}

fn list_method(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: Name,
    receiver: &Value,
    list: &Rc<List>,
    args: &[Value],
) -> Answer {
    let is_mutator = matches!(
        name,
        names::SET
            | names::ADD
            | names::ADD_ALL
            | names::REMOVE
            | names::SORT
            | names::REVERSE
            | names::SHUFFLE
    );
    if is_mutator {
        if list.is_locked.get() {
            return Err(LibraryError::Locked);
        }
        evaluator.check_passes(at, list.birth, args)?;
    }
    let limit = evaluator.options.limits.value_size;
    let too_large = || Err(LibraryError::TooLarge { what: "list", limit });
    match (name, args) {
        (names::SIZE, []) => Ok(Value::Number(list.items.borrow().len() as f64)),
        (names::GET, [index]) => {
            if let Some(answer) = unresolved(args, InvalidKind::Other) {
                return answer;
            }
            let index = list_index(list, index)?;
            Ok(list.items.borrow()[index].clone())
        }
        (names::SET, [index, value]) => {
            if let Some(answer) = unresolved(&args[..1], InvalidKind::Other) {
                return answer;
            }
            let index = list_index(list, index)?;
            list.items.borrow_mut()[index] = value.clone();
            Ok(receiver.clone())
        }
        (names::ADD, values) => {
            if (list.items.borrow().len() + values.len()) as u64 > limit {
                return too_large();
            }
            list.extend(values.iter().cloned());
            Ok(receiver.clone())
        }
        (names::ADD_ALL, [other]) => {
            if let Some(answer) = unresolved(args, InvalidKind::Other) {
                return answer;
            }
            let added = other.as_list()?.items.borrow().clone();
            if (list.items.borrow().len() + added.len()) as u64 > limit {
                return too_large();
            }
            list.extend(added);
            Ok(receiver.clone())
        }
        (names::REMOVE, [index]) => {
            if let Some(answer) = unresolved(args, InvalidKind::Other) {
                return answer;
            }
            let index = list_index(list, index)?;
            list.remove(index);
            Ok(receiver.clone())
        }
        (names::SORT, []) => {
            list.stir();
            // Numbers ascending, then everything else in its old order.
            list.items.borrow_mut().sort_by(|a, b| match (a.as_number(), b.as_number()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
            Ok(receiver.clone())
        }
        (names::REVERSE, []) => {
            list.stir();
            list.items.borrow_mut().reverse();
            Ok(receiver.clone())
        }
        (names::SHUFFLE, []) => {
            list.stir();
            let mut items = list.items.borrow_mut();
            for index in (2..=items.len()).rev() {
                let other = evaluator.random.next_int(index as i32) as usize;
                items.swap(index - 1, other);
            }
            Ok(receiver.clone())
        }
        (
            names::SIZE
            | names::GET
            | names::SET
            | names::ADD_ALL
            | names::REMOVE
            | names::SORT
            | names::REVERSE
            | names::SHUFFLE,
            _,
        ) => arity(evaluator, name),
        _ => unknown(evaluator, name),
    }
}

fn table_method(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: Name,
    receiver: &Value,
    table: &Table,
    args: &[Value],
) -> Answer {
    match (name, args) {
        (names::PUT, [_, ..]) => {
            evaluator.check_passes(at, table.birth, args)?;
            if !args.len().is_multiple_of(2) {
                return Err(LibraryError::MissingValue);
            }
            for pair in args.chunks_exact(2) {
                if let Some(answer) = unresolved(&pair[..1], InvalidKind::Other) {
                    return answer;
                }
                match &pair[0] {
                    Value::Number(key) => table.put_number(*key, pair[1].clone()),
                    key => evaluator.with_text(key, |key| table.put(key, pair[1].clone()))?,
                }
                let limit = evaluator.options.limits.value_size;
                if table.len() as u64 > limit {
                    return Err(LibraryError::TooLarge { what: "hashtable", limit });
                }
            }
            Ok(receiver.clone())
        }
        (names::GET | names::CONTAINS_KEY | names::REMOVE, [key]) => {
            if let Some(answer) = unresolved(args, unknown_result(name)) {
                return answer;
            }
            Ok(evaluator.with_text(key, |key| match name {
                names::GET => table.get(key).unwrap_or(Value::Null),
                names::CONTAINS_KEY => Value::Bool(table.contains(key)),
                _ => table.remove(key).unwrap_or(Value::Null),
            })?)
        }
        (names::KEYS, []) => {
            let keys = table.keys().iter().map(|key| Value::text(key)).collect();
            Ok(Value::list(keys, evaluator.birth(at)))
        }
        (names::PUT | names::GET | names::CONTAINS_KEY | names::REMOVE | names::KEYS, _) => {
            arity(evaluator, name)
        }
        _ => unknown(evaluator, name),
    }
}

fn struct_method(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    name: Name,
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
        (names::GET, [key]) => {
            let index = find(key)?;
            Ok(value.fields.borrow()[index].clone())
        }
        (names::SET, [key, new]) => {
            let index = find(key)?;
            value.fields.borrow_mut()[index] = new.clone();
            Ok(Value::Null)
        }
        (names::GET_STRUCT_NAME, []) => Ok(Value::text(evaluator.tree.name(definition.name))),
        (names::GET_NO_OF_FIELDS, []) => Ok(Value::Number(definition.fields.len() as f64)),
        (names::GET_FIELD_NAMES, []) => {
            let names =
                definition.fields.iter().map(|&field| Value::text(evaluator.tree.name(field))).collect();
            Ok(Value::list(names, evaluator.birth(at)))
        }
        (
            names::GET
            | names::SET
            | names::GET_STRUCT_NAME
            | names::GET_NO_OF_FIELDS
            | names::GET_FIELD_NAMES,
            _,
        ) => arity(evaluator, name),
        _ => unknown(evaluator, name),
    }
}

fn vector_method(evaluator: &Evaluator<'_>, name: Name, vector: &[f64; 3], args: &[Value]) -> Answer {
    if let Some(answer) = unresolved(args, unknown_result(name)) {
        return answer;
    }
    match (name, args) {
        (names::GET, [index]) => {
            let index = i64::from(to_i32(index.number()?));
            match usize::try_from(index).ok().and_then(|index| vector.get(index)) {
                Some(&component) => Ok(Value::Number(component)),
                None => Err(LibraryError::VectorIndex(index)),
            }
        }
        (names::GET_X, []) => Ok(Value::Number(vector[0])),
        (names::GET_Y, []) => Ok(Value::Number(vector[1])),
        (names::GET_Z, []) => Ok(Value::Number(vector[2])),
        (names::UPPER_X, [other]) => {
            let [a, b, c] = *vector;
            let [x, y, z] = other.vector()?;
            Ok(Value::Vector(Rc::new([b * z - c * y, c * x - a * z, a * y - b * x])))
        }
        (names::GET | names::GET_X | names::GET_Y | names::GET_Z | names::UPPER_X, _) => {
            arity(evaluator, name)
        }
        _ => unknown(evaluator, name),
    }
}

fn matrix_method(
    evaluator: &Evaluator<'_>,
    name: Name,
    receiver: &Value,
    matrix: &crate::values::Matrix,
    args: &[Value],
) -> Answer {
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
        (names::GET, [row, column]) => {
            let (row, column) = cell(row, column)?;
            Ok(Value::Number(matrix.rows.borrow()[row][column]))
        }
        (names::SET, [row, column, value]) => {
            if matrix.is_locked.get() {
                return Err(LibraryError::Locked);
            }
            let (row, column) = cell(row, column)?;
            matrix.rows.borrow_mut()[row][column] = value.number()?;
            Ok(receiver.clone())
        }
        (names::GET | names::SET, _) => arity(evaluator, name),
        _ => unknown(evaluator, name),
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

fn binary_method(
    evaluator: &Evaluator<'_>,
    name: Name,
    file: &crate::values::BinaryFile,
    args: &[Value],
) -> Answer {
    match (name, args) {
        (names::GET_SIZE, []) => return Ok(Value::Number(file.data().len() as f64)),
        (names::GET, [index]) => return byte_of(file.data(), index, ByteKind::Signed),
        (names::UGET, [index]) => return byte_of(file.data(), index, ByteKind::Unsigned),
        (names::GET_SIZE | names::GET | names::UGET, _) => return arity(evaluator, name),
        _ => {}
    }
    let text = evaluator.tree.name(name);
    for block in &file.blocks {
        let bytes = &file.data()[block.start..block.end.max(block.start)];
        let rest = text.strip_prefix("get").and_then(|rest| rest.strip_prefix(&block.name[..]));
        let unsigned = text.strip_prefix("uget").and_then(|rest| rest.strip_prefix(&block.name[..]));
        let kind = match (rest, unsigned) {
            (Some("Size"), _) => {
                return if args.is_empty() {
                    Ok(Value::Number(bytes.len() as f64))
                } else {
                    arity(evaluator, name)
                };
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
            _ => arity(evaluator, name),
        };
    }
    unknown(evaluator, name)
}

/// `getCharset(i)`, `ugetCharset(i)` and `getCharsetSize()`, as for the blocks of a template.
fn asset_method(
    evaluator: &Evaluator<'_>,
    name: Name,
    asset: &tempo_formats::assets::Asset,
    args: &[Value],
) -> Answer {
    let text = evaluator.tree.name(name);
    let unsigned = text.strip_prefix("uget");
    let Some(rest) = unsigned.or_else(|| text.strip_prefix("get")) else { return unknown(evaluator, name) };
    let index = |args: &[Value]| match args {
        [] => Some(Ok(0)),
        [index] => Some(index.number().map(to_i64)),
        _ => None,
    };
    let of_range = |index: i64| LibraryError::FileIndex(index);
    let entry = |len: usize, at: &dyn Fn(usize) -> Option<f64>| -> Answer {
        let Some(index) = index(args) else { return arity(evaluator, name) };
        let index = index?;
        let found = usize::try_from(index).ok().filter(|&index| index < len).and_then(at);
        found.map(Value::Number).ok_or_else(|| of_range(index))
    };
    if rest == "Colour" {
        return entry(asset.colours.len(), &|index| Some(f64::from(asset.colours[index])));
    }
    if let Some(part) = asset.part(rest) {
        // Bytes as those of a template: with a sign.
        return entry(part.len(), &|index| match (part.width, unsigned) {
            (1, None) => part.entry(index).map(|byte| f64::from(byte as u8 as i8)),
            _ => part.entry(index).map(f64::from),
        });
    }
    let size = match rest.strip_suffix("Size") {
        Some("Colour") => Some(asset.colours.len()),
        Some(part) => asset.part(part).map(|part| part.len()),
        None => None,
    };
    match (size, args) {
        (Some(size), []) => Ok(Value::Number(size as f64)),
        (Some(_), _) => arity(evaluator, name),
        (None, _) => unknown(evaluator, name),
    }
}

fn picture_method(evaluator: &Evaluator<'_>, name: Name, picture: &Picture, args: &[Value]) -> Answer {
    if let Some(answer) = unresolved(args, InvalidKind::Number) {
        return answer;
    }
    let image = &picture.image;
    let mode = match name {
        names::GET_PIXEL => None,
        names::GET_SINGLECOLOR_BYTE => Some(tempo_formats::picture::Mode::Single),
        names::GET_MULTICOLOR_BYTE => Some(tempo_formats::picture::Mode::Multi),
        _ => return unknown(evaluator, name),
    };
    let [x, y] = args else { return arity(evaluator, name) };
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
        Some(mode) => f64::from(image.byte(x, y, picture.colours(), mode)),
    }))
}
