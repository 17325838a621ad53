//! The levels that the program offers, as its own table has them: a name, how deep and how long it thinks, and how
//! much it overlooks.

use tempo_emu::NoHooks;

use crate::machine::CALL_LIMIT;
use crate::{CallError, ChessMachine, Program};

/// Cycles of a unit of the program's clock.
const TIME_UNIT: u64 = 1024;

/// The settings of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its name, in small letters.
    pub name: String,
    /// The deepest iteration.
    pub depth: u8,
    /// The most cycles of a move.
    pub cycles: u64,
    /// How much it overlooks: 0 is full strength.
    pub skill: u8,
}

/// All levels, from the weakest on; none if the image has no such table.
pub fn levels(program: &Program) -> Result<Vec<Level>, CallError> {
    let symbol = |name| program.symbols.get(name).and_then(|value| u16::try_from(value).ok());
    let names = (symbol("LEVELS"), symbol("LEVEL_NAME"), symbol("LevelNames"));
    let limits = (symbol("SearchLevel"), symbol("SearchTime"), symbol("SearchSkill"));
    let (Some(entry), (Some(count), Some(width), Some(names)), (Some(depth), Some(time), Some(skill))) =
        (program.entry("SetLevel"), names, limits)
    else {
        return Ok(Vec::new());
    };
    let mut machine = ChessMachine::new(program)?;
    let mut found = Vec::new();
    for number in 0..count {
        machine.enter(entry, number as u8, 0, CALL_LIMIT, &mut NoHooks)?;
        let letters = (0..width).map(|place| letter(machine.ram[names + number * width + place]));
        let units = u64::from(machine.ram.word(time)) | u64::from(machine.ram[time + 2]) << 16;
        found.push(Level {
            name: letters.collect::<String>().trim_end().to_owned(),
            depth: machine.ram[depth],
            cycles: units * TIME_UNIT,
            skill: machine.ram[skill],
        });
    }
    Ok(found)
}

/// The small letter of a screen code; a space if it is none.
fn letter(code: u8) -> char {
    if (1..=26).contains(&code) { char::from(b'a' + code - 1) } else { ' ' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_of_the_program() {
        let program = Program::assemble().expect("it assembles");
        let levels = levels(&program).expect("it answers");
        let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
        assert_eq!(
            names,
            ["beginner", "learner", "casual", "instant", "blitz", "club", "strong", "tournament"]
        );
        let seconds = |level: &Level| (level.cycles as f64 / crate::search::PAL_HERTZ as f64).round() as u64;
        let (first, last) = (&levels[0], &levels[7]);
        assert_eq!((first.depth, seconds(first), first.skill), (2, 2, 5));
        assert_eq!((last.depth, seconds(last), last.skill), (20, 180, 0));
    }
}
