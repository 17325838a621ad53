//! Lists whose entries have numbers with a type: what is the number of an expression cannot be taken for that of a
//! statement. Knows nothing of what is in them.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

/// The number of an entry in an [`Arena`].
pub(crate) trait Id: Copy {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares types for numbers of entries.
macro_rules! ids {
    ($($(#[$about:meta])* $id:ident)*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $id(pub u32);

        impl $id {
            /// "Not there".
            pub const NONE: $id = $id(u32::MAX);
        }

        impl $crate::arena::Id for $id {
            #[inline(always)]
            fn from_index(index: usize) -> $id {
                $id(index as u32)
            }

            #[inline(always)]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use ids;

/// Entries in the order of their numbers. As a slice it can be walked, but only an id finds an entry.
#[derive(Debug, Clone)]
pub(crate) struct Arena<I, T> {
    entries: Vec<T>,
    ids: PhantomData<I>,
}

impl<I: Id, T> Arena<I, T> {
    pub fn with_capacity(entries: usize) -> Arena<I, T> {
        Arena { entries: Vec::with_capacity(entries), ids: PhantomData }
    }

    /// The number that the next entry will have.
    #[inline]
    pub fn next_id(&self) -> I {
        I::from_index(self.entries.len())
    }

    #[inline]
    pub fn push(&mut self, entry: T) -> I {
        let id = self.next_id();
        self.entries.push(entry);
        id
    }

    pub fn pop(&mut self) -> Option<T> {
        self.entries.pop()
    }

    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// The entries from one number up to another.
    pub fn range(&self, ids: Range<I>) -> &[T] {
        &self.entries[ids.start.index()..ids.end.index()]
    }

    /// The numbers of all entries.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.entries.len()).map(I::from_index)
    }

    /// The entries with their numbers.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(index, entry)| (I::from_index(index), entry))
    }
}

impl<I: Id, T: Clone> Arena<I, T> {
    /// The same entry for each of as many numbers as another arena has.
    pub fn filled_like<U>(other: &Arena<I, U>, entry: T) -> Arena<I, T> {
        Arena { entries: vec![entry; other.entries.len()], ids: PhantomData }
    }
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Arena<I, T> {
        Arena { entries: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

impl<I, T> Deref for Arena<I, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.entries
    }
}

impl<I, T> DerefMut for Arena<I, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}

impl<'a, I, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.entries.iter()
    }
}
