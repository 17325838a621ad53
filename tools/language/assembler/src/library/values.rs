//! Constructors of values.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tempo_isa::Cpu;

use super::LibraryError;
use crate::eval::Evaluator;
use crate::tree::ExprId;
use crate::values::{Argument, ArgumentMode, InvalidKind, Matrix, Table, Value, to_i32, to_i64};

type Answer = Result<Value, LibraryError>;

pub(crate) fn list(evaluator: &mut Evaluator<'_>, at: ExprId, arguments: &[Value]) -> Answer {
    let len = match arguments.first() {
        Some(len) => to_i64(len.number()?).max(0) as u64,
        None => 0,
    };
    let limit = evaluator.options.limits.value_size;
    if len > limit {
        return Err(LibraryError::TooLarge { what: "list", limit });
    }
    Ok(Value::list(vec![Value::Null; len as usize], evaluator.birth(at)))
}

pub(crate) fn hashtable(evaluator: &mut Evaluator<'_>, at: ExprId, _: &[Value]) -> Answer {
    Ok(Value::Table(Rc::new(Table::new(evaluator.birth(at)))))
}

pub(crate) fn vector(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let mut vector = [0.0; 3];
    for (component, argument) in vector.iter_mut().zip(arguments) {
        *component = argument.number()?;
    }
    Ok(Value::Vector(Rc::new(vector)))
}

pub(crate) fn new_matrix(rows: [[f64; 4]; 4]) -> Value {
    Value::Matrix(Rc::new(Matrix { rows: RefCell::new(rows), is_locked: Cell::new(false) }))
}

const IDENTITY: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

pub(crate) fn matrix(_: &mut Evaluator<'_>, _: ExprId, _: &[Value]) -> Answer {
    Ok(new_matrix(IDENTITY))
}

/// Rz·Ry·Rx.
pub(crate) fn rotation_matrix(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let (sx, cx) = arguments[0].number()?.sin_cos();
    let (sy, cy) = arguments[1].number()?.sin_cos();
    let (sz, cz) = arguments[2].number()?.sin_cos();
    let mut x = IDENTITY;
    (x[1][1], x[1][2], x[2][1], x[2][2]) = (cx, -sx, sx, cx);
    let mut y = IDENTITY;
    (y[0][0], y[0][2], y[2][0], y[2][2]) = (cy, sy, -sy, cy);
    let mut z = IDENTITY;
    (z[0][0], z[0][1], z[1][0], z[1][1]) = (cz, -sz, sz, cz);
    Ok(new_matrix(multiply(&multiply(&z, &y), &x)))
}

pub(crate) fn scale_matrix(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let mut rows = IDENTITY;
    for (index, argument) in arguments.iter().enumerate() {
        rows[index][index] = argument.number()?;
    }
    Ok(new_matrix(rows))
}

pub(crate) fn move_matrix(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let mut rows = IDENTITY;
    for (index, argument) in arguments.iter().enumerate() {
        rows[index][3] = argument.number()?;
    }
    Ok(new_matrix(rows))
}

pub(crate) fn perspective_matrix(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let mut rows = IDENTITY;
    rows[2] = [0.0; 4];
    rows[3] = [0.0, 0.0, 1.0 / arguments[0].number()?, 0.0];
    Ok(new_matrix(rows))
}

pub(crate) fn multiply(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut product = [[0.0; 4]; 4];
    for (row, product) in a.iter().zip(&mut product) {
        for (column, cell) in product.iter_mut().enumerate() {
            *cell = row.iter().zip(b).map(|(x, y)| x * y[column]).sum();
        }
    }
    product
}

/// The matrix applied to a point; the result is divided by its fourth component.
pub(crate) fn transform(matrix: &[[f64; 4]; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let row = |row: &[f64; 4]| row[0] * x + row[1] * y + row[2] * z + row[3];
    let w = row(&matrix[3]);
    [row(&matrix[0]) / w, row(&matrix[1]) / w, row(&matrix[2]) / w]
}

pub(crate) fn cmd_argument(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    if let Some(invalid) = arguments[0].invalid() {
        return Ok(Value::Invalid(invalid.with_kind(InvalidKind::Other)));
    }
    let number = to_i32(arguments[0].number()?);
    let mode = ArgumentMode::from_number(number).ok_or(LibraryError::ArgumentMode)?;
    let value = match &arguments[1] {
        Value::Invalid(invalid) => Value::Invalid(*invalid),
        value => Value::Number(value.number()?),
    };
    Ok(Value::Argument(Rc::new(Argument { mode, value })))
}

pub(crate) fn command_size(_: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let opcode = arguments[0].number()?;
    let size = match u8::try_from(to_i64(opcode)) {
        Ok(opcode) => {
            let instruction = Cpu::Mos6502.decode(opcode);
            if instruction.is_nameable() { instruction.len() as f64 } else { -1.0 }
        }
        Err(_) => -1.0,
    };
    Ok(Value::Number(size))
}
