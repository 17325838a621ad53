//! Hashtables: keys are strings and are listed as Java would.

use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use tempo_formats::hash_order;
use tempo_formats::number::with_text;

use super::{Birth, Value, live, release};
use crate::hash::{NumberMap, TextHash};

/// A hashtable, shared by reference.
#[derive(Debug)]
pub(crate) struct Table {
    inner: RefCell<Inner>,
    /// The bits and the place of the number that was found last: what is asked for is often put right after.
    last: Cell<Option<(u64, usize)>>,
    pub birth: Birth,
    /// See [`Value::serial`].
    pub serial: u64,
}

impl Default for Table {
    fn default() -> Table {
        Table::new(Birth::default())
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Inner {
    /// Index into `entries`.
    index: HashMap<Rc<str>, usize, TextHash>,
    entries: Vec<(Rc<str>, Value)>,
    order: hash_order::Table,
    /// Index into `entries` of keys that were asked for as numbers, by their bits: a key is made of a text, and making
    /// the text of a number takes longer than to find it.
    numbers: NumberMap<u64, usize>,
}

impl Inner {
    /// The values; those of removed keys are null.
    pub fn entries(&self) -> impl Iterator<Item = &Value> {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl Table {
    pub fn new(birth: Birth) -> Table {
        Table { inner: RefCell::default(), last: Cell::default(), birth, serial: live::next_serial() }
    }

    pub fn put(&self, key: &str, value: Value) {
        let inner = &mut *self.inner.borrow_mut();
        if let Some(&index) = inner.index.get(key) {
            inner.entries[index].1.put(value);
            return;
        }
        live::grow(live::ENTRY + key.len());
        let key: Rc<str> = key.into();
        let index = inner.entries.len();
        inner.order.insert(hash_order::java_hash(&key), index);
        inner.index.insert(key.clone(), index);
        inner.entries.push((key, value));
    }

    /// The place of a key that is the text of a number.
    #[inline]
    fn index_of(&self, key: f64) -> Option<usize> {
        match self.last.get() {
            Some((bits, index)) if bits == key.to_bits() => Some(index),
            _ => self.find(key),
        }
    }

    fn find(&self, key: f64) -> Option<usize> {
        if let Some(&index) = self.inner.borrow().numbers.get(&key.to_bits()) {
            self.last.set(Some((key.to_bits(), index)));
            return Some(index);
        }
        let inner = &mut *self.inner.borrow_mut();
        let index = with_text(key, |text| inner.index.get(text).copied())?;
        inner.numbers.insert(key.to_bits(), index);
        self.last.set(Some((key.to_bits(), index)));
        Some(index)
    }

    pub fn put_number(&self, key: f64, value: Value) {
        match self.index_of(key) {
            Some(index) => self.inner.borrow_mut().entries[index].1.put(value),
            None => with_text(key, |key| self.put(key, value)),
        }
    }

    /// The number at a key, if there is one.
    pub fn number_at(&self, key: f64) -> Option<f64> {
        let index = self.index_of(key)?;
        match self.inner.borrow().entries[index].1 {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    pub fn contains_number(&self, key: f64) -> bool {
        self.index_of(key).is_some()
    }

    pub fn get(&self, key: &str) -> Option<Value> {
        let inner = self.inner.borrow();
        inner.index.get(key).map(|&index| inner.entries[index].1.clone())
    }

    pub fn contains(&self, key: &str) -> bool {
        self.inner.borrow().index.contains_key(key)
    }

    pub fn remove(&self, key: &str) -> Option<Value> {
        let inner = &mut *self.inner.borrow_mut();
        let index = inner.index.remove(key)?;
        inner.numbers.clear();
        self.last.set(None);
        inner.order.remove(hash_order::java_hash(key), index);
        // The place stays empty: indices of the others must not move.
        Some(std::mem::replace(&mut inner.entries[index].1, Value::Null))
    }

    /// The keys in the order of a Java `HashMap`.
    pub fn keys(&self) -> Vec<Rc<str>> {
        let inner = self.inner.borrow();
        inner.order.iter().map(|index| inner.entries[index].0.clone()).collect()
    }

    /// Empties the table.
    pub fn take_values(&self) -> Vec<Value> {
        self.last.set(None);
        let entries = self.inner.take().entries.into_iter();
        entries
            .map(|(key, value)| {
                live::shrink(live::ENTRY + key.len());
                value
            })
            .collect()
    }

    pub fn len(&self) -> usize {
        self.inner.borrow().entries.len()
    }

    pub fn inner(&self) -> Ref<'_, Inner> {
        self.inner.borrow()
    }

    /// Puts a content back that it had before.
    pub fn restore(&self, inner: &Inner) {
        let mut old = self.take_values();
        inner.entries.iter().for_each(|(key, _)| live::grow(live::ENTRY + key.len()));
        self.inner.replace(inner.clone());
        release(&mut old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_find_the_keys_of_their_texts() {
        let table = Table::default();
        table.put("5", Value::Number(1.0));
        assert!(table.contains_number(5.0));
        table.put_number(5.0, Value::Number(2.0));
        assert!(matches!(table.get("5"), Some(Value::Number(2.0))));
        table.remove("5");
        assert!(!table.contains_number(5.0));
        table.put("7", Value::Null);
        table.put("5", Value::Number(3.0));
        assert!(matches!(table.number_at(5.0), Some(3.0)));
        assert_eq!(table.keys().len(), 2);
    }
}
