//! A model of what the search costs the 6502, so that experiments can be played at equal cycles.
//! The figures are measured on the program where it has the operation.

/// Cycles of single operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// A search begins: tables are blended, the position is built.
    pub search: u32,
    /// Every node: window, limits, lists.
    pub node: u32,
    /// Making and taking back a move.
    pub make: u32,
    /// The same for a null move.
    pub null: u32,
    /// Is the side to move in check?
    pub check_test: u32,
    /// The value kept by make.
    pub value: u32,
    /// The terms near the window.
    pub terms: u32,
    /// The legal moves: fixed, for each own piece, for each move.
    pub legal: [u32; 3],
    /// The captures: fixed, for each own piece, for each capture with its key and place.
    pub captures: [u32; 3],
    /// Asking the table.
    pub probe: u32,
    /// Writing to it.
    pub store: u32,
    /// Does a remembered move fit the board?
    pub fits: u32,
    /// Is a capture legal?
    pub legality: u32,
    /// May a move give check?
    pub check_guess: u32,
    /// Looking for repetition, for each position.
    pub repetition: u32,
    /// Sorting quiet moves into classes: fixed, for each move.
    pub classes: [u32; 2],
    /// Ordering quiet moves by credit: for the key of each, and for each that is left when the next is chosen.
    pub order: [u32; 2],
}

impl Default for Costs {
    fn default() -> Costs {
        Costs {
            search: 100_000,
            node: 250,
            make: 440,
            null: 140,
            check_test: 150,
            value: 60,
            terms: 330,
            legal: [300, 18, 62],
            captures: [350, 35, 75],
            probe: 90,
            store: 110,
            fits: 120,
            legality: 25,
            check_guess: 50,
            repetition: 16,
            classes: [550, 120],
            order: [20, 12],
        }
    }
}

impl Costs {
    /// With the table in a RAM expansion.
    pub fn expanded() -> Costs {
        Costs { probe: 125, store: 140, ..Costs::default() }
    }
}
