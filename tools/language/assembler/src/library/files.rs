//! Functions that read files, and the one that makes them.

use std::rc::Rc;

use tempo_formats::assets::{self, Asset, AssetError};
use tempo_formats::picture::PictureError;

use super::LibraryError;
use crate::eval::Evaluator;
use crate::options::Limits;
use crate::tree::ExprId;
use crate::values::{BinaryFile, Picture, Value, to_i64};

type Answer = Result<Value, LibraryError>;

pub(crate) fn load_binary(evaluator: &mut Evaluator<'_>, at: ExprId, arguments: &[Value]) -> Answer {
    let name = evaluator.text_of(&arguments[0])?;
    let template = match arguments.get(1) {
        Some(template) => evaluator.text_of(template)?,
        None => Rc::new(crate::values::Text::new("")),
    };
    let loaded = evaluator
        .load(name.as_str(), evaluator.tree.expr_spans[at])
        .map_err(|_| LibraryError::CannotOpen(name.as_str().to_owned()))?;
    let file = BinaryFile::new(loaded.bytes, template.as_str()).map_err(LibraryError::Template)?;
    Ok(Value::Binary(Rc::new(file)))
}

pub(crate) fn load_sid(evaluator: &mut Evaluator<'_>, at: ExprId, arguments: &[Value]) -> Answer {
    let name = evaluator.text_of(&arguments[0])?;
    let loaded = evaluator
        .load(name.as_str(), evaluator.tree.expr_spans[at])
        .map_err(|_| LibraryError::CannotOpen(name.as_str().to_owned()))?;
    let sid = tempo_formats::sid::parse(&loaded.bytes).map_err(|error| LibraryError::BadFile {
        name: name.as_str().to_owned(),
        problem: error.to_string(),
    })?;
    Ok(Value::Sid(Rc::new(sid)))
}

pub(crate) fn load_charpad(evaluator: &mut Evaluator<'_>, at: ExprId, arguments: &[Value]) -> Answer {
    load_asset(evaluator, at, arguments, assets::charpad)
}

pub(crate) fn load_spritepad(evaluator: &mut Evaluator<'_>, at: ExprId, arguments: &[Value]) -> Answer {
    load_asset(evaluator, at, arguments, assets::spritepad)
}

fn load_asset(
    evaluator: &mut Evaluator<'_>,
    at: ExprId,
    arguments: &[Value],
    read: fn(&[u8]) -> Result<Asset, AssetError>,
) -> Answer {
    let name = evaluator.text_of(&arguments[0])?;
    let span = evaluator.tree.expr_spans[at];
    let loaded = evaluator
        .load(name.as_str(), span)
        .map_err(|_| LibraryError::CannotOpen(name.as_str().to_owned()))?;
    let asset = read(&loaded.bytes).map_err(|error| LibraryError::BadFile {
        name: name.as_str().to_owned(),
        problem: error.to_string(),
    })?;
    if let Some(problem) = asset.warning() {
        evaluator.warn_of_file(span, &format!("'{}': {problem}", name.as_str()));
    }
    Ok(Value::Asset(Rc::new(asset)))
}

pub(crate) fn load_picture(evaluator: &mut Evaluator<'_>, at: ExprId, arguments: &[Value]) -> Answer {
    let name = evaluator.text_of(&arguments[0])?;
    let loaded = evaluator
        .load(name.as_str(), evaluator.tree.expr_spans[at])
        .map_err(|_| LibraryError::CannotLocate(name.as_str().to_owned()))?;
    let image = evaluator.picture(&loaded).map_err(|problem| match problem {
        PictureError::TooLarge { .. } => {
            let raised = Limits::raised("memory", evaluator.options.limits.memory);
            LibraryError::BadFile { name: name.as_str().to_owned(), problem: format!("{problem}; {raised}") }
        }
        _ => LibraryError::BadPicture(name.as_str().to_owned()),
    })?;
    let colours = match arguments.get(1) {
        Some(table) => {
            let items = table.as_list()?.items.borrow();
            let colours: Result<Vec<u32>, _> = items
                .iter()
                .map(|item| item.number().map(|number| to_i64(number) as u32 & 0xff_ffff))
                .collect();
            Some(colours?)
        }
        None => None,
    };
    Ok(Value::Picture(Rc::new(Picture::new(image, colours))))
}

pub(crate) fn create_file(evaluator: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let name = evaluator.text_of(&arguments[0])?;
    if !evaluator.options.allow_outside_output && crate::emit::leaves_directory(name.as_str()) {
        return Err(LibraryError::OutsideOutput(name.as_str().to_owned()));
    }
    Ok(Value::OutputFile(evaluator.create_file(name.as_str())))
}

/// The file in which the call is written, without its folder.
pub(crate) fn filename(evaluator: &mut Evaluator<'_>, at: ExprId, _: &[Value]) -> Answer {
    let path = evaluator.path_at(evaluator.tree.expr_spans[at]);
    Ok(Value::text(path.rsplit(['/', '\\']).next().unwrap_or(path)))
}

/// Its folder.
pub(crate) fn path(evaluator: &mut Evaluator<'_>, at: ExprId, _: &[Value]) -> Answer {
    let path = evaluator.path_at(evaluator.tree.expr_spans[at]);
    let folder = path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
    Ok(Value::text(folder))
}
