//! The board compared and as bytes: what it consists of, without what follows from that.

use alloc::vec::Vec;

use super::{Board, CHARACTERS, Charge};
use crate::c64::Model;
use crate::state::{State, StateError, state};

/// Machines are equal when they go on alike: what follows from the rest is not compared.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.memory == other.memory
            && self.below_port == other.below_port
            && self.colours == other.colours
            && self.port == other.port
            && self.charge == other.charge
            && self.vic == other.vic
            && self.sid == other.sid
            && self.second == other.second
            && self.cias == other.cias
            && self.expansion == other.expansion
            && self.drive == other.drive
            && self.controls == other.controls
            && (self.restore, self.lines, self.exit) == (other.restore, other.lines, other.exit)
            && (self.vic_at, self.sid_at) == (other.vic_at, other.sid_at)
            && (self.cias_at, self.expansion_at) == (other.cias_at, other.expansion_at)
    }
}

impl Eq for Board {}

impl State for Board {
    fn save(&self, to: &mut Vec<u8>) {
        to.extend(&self.memory[..CHARACTERS + 0x1000]);
        self.below_port.save(to);
        to.extend(&self.colours[..]);
        self.port.save(to);
        self.charge.save(to);
        self.vic.save(to);
        self.sid.save(to);
        self.second.save(to);
        self.cias.save(to);
        self.expansion.save(to);
        self.drive.save(to);
        self.controls.save(to);
        self.restore.save(to);
        self.lines.save(to);
        self.exit.save(to);
        [self.vic_at, self.sid_at, self.cias_at, self.expansion_at].save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Board, StateError> {
        let mut board = Board::new(Model::Pal);
        for place in &mut board.memory[..CHARACTERS + 0x1000] {
            *place = State::load(from)?;
        }
        board.below_port = State::load(from)?;
        board.colours = State::load(from)?;
        board.port = State::load(from)?;
        board.charge = State::load(from)?;
        board.vic = State::load(from)?;
        board.sid = State::load(from)?;
        board.second = State::load(from)?;
        board.cias = State::load(from)?;
        board.expansion = State::load(from)?;
        board.drive = State::load(from)?;
        board.controls = State::load(from)?;
        board.restore = State::load(from)?;
        board.lines = State::load(from)?;
        board.exit = State::load(from)?;
        [board.vic_at, board.sid_at, board.cias_at, board.expansion_at] = State::load(from)?;
        Ok(board)
    }
}

state!(Charge { levels, fades_at });
