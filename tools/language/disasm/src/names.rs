//! Names of addresses: of symbol files, of the hardware, or made of the address.

use std::collections::{BTreeMap, HashSet};

use tempo_emu::hardware::Place;
use tempo_isa::Mnemonic;

use crate::Image;
use crate::flow::{Flow, Kind, Reason};

/// The names of a program.
pub struct Names {
    /// How an operand spells an address.
    spelled: BTreeMap<u16, String>,
    /// The labels of the program's own addresses.
    labels: BTreeMap<u16, String>,
    /// Names of addresses elsewhere that operands use, with what they are.
    pub constants: BTreeMap<u16, (String, &'static str)>,
}

impl tempo_emu::Labels for Names {
    fn label(&self, addr: u16) -> Option<&str> {
        self.spelled.get(&addr).map(String::as_str)
    }
}

impl Names {
    /// Chooses a name for every address that an instruction uses.
    pub fn choose(image: &Image<'_>, flow: &Flow, symbols: &[(u16, String)]) -> Names {
        let mut chooser = Chooser { image, flow, taken: HashSet::new(), given: BTreeMap::new() };
        for (addr, name) in symbols {
            if !chooser.given.contains_key(addr) {
                let name = chooser.unique(&identifier(name), *addr);
                chooser.given.insert(*addr, name);
            }
        }
        let mut names =
            Names { spelled: BTreeMap::new(), labels: BTreeMap::new(), constants: BTreeMap::new() };
        // A symbol of the program's own code or data is a label even if nothing uses it.
        let given: Vec<u16> = chooser.given.keys().copied().collect();
        for addr in given.into_iter().filter(|&addr| image.index(addr).is_some()) {
            chooser.spell(addr, &mut names);
        }
        for &(addr, _) in &flow.targets {
            chooser.spell(addr, &mut names);
        }
        for index in 0..image.bytes.len() {
            if flow.kind(index) != Kind::Start {
                continue;
            }
            let Some(found) = image.instruction(index) else { continue };
            if let Some(target) = found.target() {
                chooser.spell(target, &mut names);
            }
            if found.row.mode == tempo_isa::Mode::ZeroPageRelative {
                chooser.spell(u16::from(found.bytes[1]), &mut names);
            }
        }
        names
    }

    /// The label at an address of the program.
    pub fn label_at(&self, addr: u16) -> Option<&str> {
        self.labels.get(&addr).map(String::as_str)
    }

    /// How an operand spells an address.
    pub fn spelled(&self, addr: u16) -> Option<&str> {
        self.spelled.get(&addr).map(String::as_str)
    }
}

struct Chooser<'a> {
    image: &'a Image<'a>,
    flow: &'a Flow,
    taken: HashSet<String>,
    given: BTreeMap<u16, String>,
}

impl Chooser<'_> {
    /// Gives an address its spelling, and declares what the spelling needs.
    fn spell(&mut self, addr: u16, names: &mut Names) {
        if names.spelled.contains_key(&addr) {
            return;
        }
        if let Some(index) = self.image.index(addr) {
            let start =
                (0..=index).rev().find(|&index| self.flow.kind(index) != Kind::Inside).unwrap_or(index);
            let base = self.image.address(start);
            // A label in the zero page is not known to be there when the first instruction uses it.
            if base < 0x100 {
                return;
            }
            let label = match names.labels.get(&base) {
                Some(label) => label.clone(),
                None => self.label(base),
            };
            names.labels.insert(base, label.clone());
            names.spelled.insert(base, label.clone());
            if start < index {
                names.spelled.insert(addr, format!("{label}+{}", index - start));
            }
            return;
        }
        if let Some(name) = self.given.get(&addr) {
            names.spelled.insert(addr, name.clone());
            names.constants.insert(addr, (name.clone(), ""));
            return;
        }
        // A place that begins in the program has a label there, if any.
        let is_outside = |place: &&Place| {
            addr - place.addr.min(addr) < place.len && self.image.index(place.addr).is_none()
        };
        let Some(place) = self.image.hardware.at(addr).filter(is_outside) else { return };
        let name = match names.constants.get(&place.addr) {
            Some((name, _)) => name.clone(),
            None => match self.given.get(&place.addr) {
                Some(name) => name.clone(),
                None => self.unique(place.name, place.addr),
            },
        };
        names.constants.entry(place.addr).or_insert_with(|| (name.clone(), place.text));
        let offset = addr - place.addr;
        names.spelled.insert(addr, if offset == 0 { name } else { format!("{name}+{offset}") });
    }

    fn label(&mut self, addr: u16) -> String {
        if let Some(name) = self.given.get(&addr) {
            return name.clone();
        }
        let reason = self.flow.targets.binary_search_by_key(&addr, |&(addr, _)| addr);
        let kind = match reason.map(|index| self.flow.targets[index].1) {
            Ok(Reason::Entry) => "start",
            Ok(Reason::Vector) => "handler",
            Ok(Reason::Call) => "sub",
            Ok(Reason::Branch) => "at",
            Err(_) => "data",
        };
        self.unique(&format!("{kind}_{addr:04x}"), addr)
    }

    /// The name, or the name with the address after it if it is taken or means something to an assembler.
    fn unique(&mut self, name: &str, addr: u16) -> String {
        let mut name = name.to_owned();
        if Mnemonic::parse(&name.to_ascii_lowercase()).is_some()
            || matches!(&*name, "a" | "x" | "y" | "A" | "X" | "Y")
        {
            name = format!("{name}_{addr:04x}");
        }
        while !self.taken.insert(name.clone()) {
            name = format!("{name}_{addr:04x}");
        }
        name
    }
}

/// A name of a symbol file as one that a source can declare: the path of a namespace becomes part of it.
fn identifier(name: &str) -> String {
    let mut own: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if own.starts_with(|first: char| first.is_ascii_digit()) || own.is_empty() {
        own.insert(0, '_');
    }
    own
}
