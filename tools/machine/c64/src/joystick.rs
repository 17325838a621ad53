//! Joystick scripts: `0:up+fire,12:none` as positions by frame.

use tempo_diagnostics::nearest;
use tempo_emu::Joystick;
use thiserror::Error;

/// Why a script cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MovesError {
    /// An item without a frame.
    #[error("'{0}': expected FRAME:DIRECTIONS, as in 10:up+fire,20:none")]
    Shape(String),
    /// A frame that is none.
    #[error("'{0}' is not a frame")]
    Frame(String),
    /// The frames do not grow.
    #[error("frame {later} comes after frame {earlier}; give the moves in order of time")]
    Order {
        /// The frame before.
        earlier: u64,
        /// The frame that is not above it.
        later: u64,
    },
    /// A direction that is none.
    #[error("a joystick has no switch named '{name}'{}", .near.map_or(String::new(), |near| format!("; did you mean {near}?")))]
    Switch {
        /// As it was written.
        name: String,
        /// The most similar one there is.
        near: Option<&'static str>,
    },
}

/// Positions by frame, each held until the next.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moves(pub Vec<(u64, Joystick)>);

impl Moves {
    /// Reads a script: items by comma, a frame, a colon, switches joined by `+` or `none`.
    pub fn parse(text: &str) -> Result<Moves, MovesError> {
        let mut moves: Vec<(u64, Joystick)> = Vec::new();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (frame, switches) =
                item.split_once(':').ok_or_else(|| MovesError::Shape(item.to_string()))?;
            let frame: u64 = frame.trim().parse().map_err(|_| MovesError::Frame(frame.trim().to_string()))?;
            if let Some(&(earlier, _)) = moves.last()
                && earlier >= frame
            {
                return Err(MovesError::Order { earlier, later: frame });
            }
            moves.push((frame, parse_switches(switches)?));
        }
        Ok(Moves(moves))
    }
}

/// Switches joined by `+`; `none` is the stick in the middle.
pub fn parse_switches(text: &str) -> Result<Joystick, MovesError> {
    if text.trim().eq_ignore_ascii_case("none") {
        return Ok(Joystick::NONE);
    }
    text.split('+').map(str::trim).try_fold(Joystick::NONE, |closed, name| {
        let switch = Joystick::from_name(name).ok_or_else(|| MovesError::Switch {
            name: name.to_string(),
            near: nearest(&name.to_lowercase(), ["up", "down", "left", "right", "fire", "none"]),
        })?;
        Ok(closed.or(switch))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn items_are_positions_by_frame() {
        let moves = Moves::parse("0:UP+fire, 10:none,12:left").unwrap();
        let expected = [(0, Joystick::UP.or(Joystick::FIRE)), (10, Joystick::NONE), (12, Joystick::LEFT)];
        assert_eq!(moves.0, expected);
        let message = |text: &str| Moves::parse(text).unwrap_err().to_string();
        assert_eq!(message("5:fier"), "a joystick has no switch named 'fier'; did you mean fire?");
        assert_eq!(message("5"), "'5': expected FRAME:DIRECTIONS, as in 10:up+fire,20:none");
        assert_eq!(message("-1:up"), "'-1' is not a frame");
        assert_eq!(message("5:up,5:down"), "frame 5 comes after frame 5; give the moves in order of time");
    }
}
