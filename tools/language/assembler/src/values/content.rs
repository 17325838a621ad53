//! The contents of lists, hashtables and structs at some time, to be put back later.

use super::{Value, live, release, table};

/// The content of a container.
#[derive(Debug)]
pub(crate) enum Content {
    List { items: Vec<Value>, is_locked: bool },
    Table(table::Inner),
    Struct(Vec<Value>),
}

impl Content {
    /// How many values it has.
    pub fn len(&self) -> usize {
        match self {
            Content::List { items, .. } | Content::Struct(items) => items.len(),
            Content::Table(inner) => inner.entries().count(),
        }
    }
}

impl Value {
    /// Whether it is not known, without looking into containers.
    pub fn is_unknown(&self) -> bool {
        match self {
            Value::Invalid(_) => true,
            Value::Argument(argument) => argument.value.invalid().is_some(),
            _ => false,
        }
    }

    /// The number of a list, hashtable or struct. No two have the same.
    pub fn serial(&self) -> Option<u64> {
        match self {
            Value::List(list) => Some(list.serial),
            Value::Table(table) => Some(table.serial),
            Value::Struct(value) => Some(value.serial),
            _ => None,
        }
    }

    /// The step in which a list or hashtable was made.
    #[inline]
    pub fn birth_step(&self) -> Option<u64> {
        match self {
            Value::List(list) => Some(list.birth.step),
            Value::Table(table) => Some(table.birth.step),
            _ => None,
        }
    }

    /// How many values it contains; 0 if it is not a container.
    pub fn item_count(&self) -> usize {
        match self {
            Value::List(list) => list.items.borrow().len(),
            Value::Table(table) => table.len(),
            Value::Struct(value) => value.fields.borrow().len(),
            _ => 0,
        }
    }

    /// Shows every value it contains.
    pub fn each_item(&self, mut show: impl FnMut(&Value)) {
        match self {
            Value::List(list) => list.items.borrow().iter().for_each(&mut show),
            Value::Table(table) => table.inner().entries().for_each(&mut show),
            Value::Struct(value) => value.fields.borrow().iter().for_each(&mut show),
            _ => {}
        }
    }

    /// Its present contents; `None` for values other than numbered containers.
    pub fn content(&self) -> Option<Content> {
        Some(match self {
            Value::List(list) => {
                Content::List { items: list.items.borrow().clone(), is_locked: list.is_locked.get() }
            }
            Value::Table(table) => Content::Table(table.inner().clone()),
            Value::Struct(value) => Content::Struct(value.fields.borrow().clone()),
            _ => return None,
        })
    }

    /// Puts a content back that it had before.
    pub fn restore(&self, content: &Content) {
        match (self, content) {
            (Value::List(list), Content::List { items, is_locked }) => {
                let mut old = list.items.replace(items.clone());
                live::shrink(live::ELEMENT * old.len());
                live::grow(live::ELEMENT * items.len());
                list.is_locked.set(*is_locked);
                release(&mut old);
            }
            (Value::Table(table), Content::Table(inner)) => table.restore(inner),
            (Value::Struct(value), Content::Struct(fields)) => {
                release(&mut value.fields.replace(fields.clone()));
            }
            _ => {}
        }
    }
}
