//! The order in which Java's `HashMap` lists string keys: symbol files and `keys()` follow it.
//! Knows strings only, not what is stored under them.

/// Java's `String.hashCode`: over UTF-16 units, base 31, wrapping.
pub fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// The indices of `names` in iteration order of a map into which they were put in the given order.
/// A name that comes again keeps the place of its first occurrence and is not listed twice.
pub fn order<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Vec<usize> {
    let mut table = Table::default();
    let mut seen = std::collections::HashSet::new();
    for (index, name) in names.into_iter().enumerate() {
        let name = name.as_ref();
        if seen.insert(name.to_owned()) {
            table.insert(java_hash(name), index);
        }
    }
    table.iter().collect()
}

/// The buckets of a `HashMap`. Holds what was put under each hash, in the order Java would iterate.
///
/// Keeps Java's habits: 16 buckets at first, doubled when more than three quarters are in use or when a chain of
/// more than eight forms in a table below 64 buckets. It never shrinks, also not when entries are removed.
#[derive(Debug, Clone)]
pub struct Table {
    buckets: Vec<Vec<(u32, usize)>>,
    len: usize,
}

impl Default for Table {
    fn default() -> Table {
        Table { buckets: vec![Vec::new(); 16], len: 0 }
    }
}

impl Table {
    /// Adds an entry. The caller makes sure that its key is new.
    pub fn insert(&mut self, hash: i32, index: usize) {
        let hash = spread(hash);
        let bucket = hash as usize & (self.buckets.len() - 1);
        self.buckets[bucket].push((hash, index));
        self.len += 1;
        let chain_too_long = self.buckets[bucket].len() > 8 && self.buckets.len() < 64;
        if chain_too_long || self.len > self.buckets.len() / 4 * 3 {
            self.double();
        }
    }

    /// Removes the entry with this hash and index, if it is there.
    pub fn remove(&mut self, hash: i32, index: usize) {
        let hash = spread(hash);
        let bucket = hash as usize & (self.buckets.len() - 1);
        let before = self.buckets[bucket].len();
        self.buckets[bucket].retain(|&(_, entry)| entry != index);
        self.len -= before - self.buckets[bucket].len();
    }

    /// The indices in iteration order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.buckets.iter().flatten().map(|&(_, index)| index)
    }

    fn double(&mut self) {
        let mut buckets = vec![Vec::new(); self.buckets.len() * 2];
        let mask = buckets.len() - 1;
        for entry in self.buckets.iter().flatten() {
            buckets[entry.0 as usize & mask].push(*entry);
        }
        self.buckets = buckets;
    }
}

fn spread(hash: i32) -> u32 {
    let hash = hash as u32;
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_java_s() {
        assert_eq!(java_hash(""), 0);
        assert_eq!(java_hash("hello"), 99_162_322);
        assert_eq!(java_hash("polygenelubricants"), i32::MIN);
    }

    #[test]
    fn order_of_the_reference_example() {
        let names = ["zebra", "apple", "mango", "10", "2", "B", "ram", "bits", "directions"];
        let listed: Vec<_> = order(names).into_iter().map(|i| names[i]).collect();
        assert_eq!(listed, ["zebra", "apple", "2", "B", "directions", "bits", "mango", "10", "ram"]);
    }

    #[test]
    fn a_repeated_name_is_listed_once() {
        assert_eq!(order(["a", "b", "a"]), [0, 1]);
    }

    #[test]
    fn removal_keeps_the_capacity() {
        let mut table = Table::default();
        for index in 0..13 {
            table.insert(index, index as usize);
        }
        for index in 0..12 {
            table.remove(index, index as usize);
        }
        table.insert(16, 99);
        // In 32 buckets 12 comes before 16; in 16 buckets 16 would wrap to bucket 0.
        assert_eq!(table.iter().collect::<Vec<_>>(), [12, 99]);
    }
}
