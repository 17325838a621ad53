//! Settings by name, so that an experiment is a line of text: `null_depth=0,futility=0:0`.

use tempo_chess::search::Settings;
use thiserror::Error;

/// Why a change means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a change; write name=number, or name=first:second for pairs")]
pub struct NoChange(String);

/// Applies changes, separated by commas, to settings.
pub fn apply(settings: &mut Settings, changes: &str) -> Result<(), NoChange> {
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let fault = || NoChange(change.to_string());
        let (name, text) = change.split_once('=').ok_or_else(fault)?;
        let numbers: Vec<i16> =
            text.split(':').map(str::parse).collect::<Result<_, _>>().map_err(|_| fault())?;
        let byte =
            |place: usize| numbers.get(place).and_then(|&number| u8::try_from(number).ok()).ok_or_else(fault);
        let number = |place: usize| numbers.get(place).copied().ok_or_else(fault);
        match name {
            "table" => settings.table = number(0)? != 0,
            "null_depth" => settings.null_depth = byte(0)?,
            "check_extension" => settings.check_extension = number(0)? != 0,
            "futility" => settings.futility = (byte(0)?, number(1)?),
            "reverse_futility" => settings.reverse_futility = (byte(0)?, number(1)?),
            "reduction_depth" => settings.reduction_depth = byte(0)?,
            "reduction_moves" => settings.reduction_moves = [byte(0)?, byte(1)?, byte(2)?],
            "killers" => settings.killers = number(0)? != 0,
            "losing_captures" => settings.losing_captures = number(0)? != 0,
            "hunt" => settings.hunt = number(0)? != 0,
            "pvs" => settings.principal_variation = number(0)? != 0,
            "aspiration" => settings.aspiration = number(0)?,
            "placing" => settings.placing = number(0)? != 0,
            "history" => settings.history = number(0)? != 0,
            "null_reduction" => settings.null_reduction = (byte(0)?, byte(1)?),
            "delta" => settings.delta = [number(0)?, number(1)?, number(2)?],
            "lazy" => settings.lazy = number(0)?,
            _ => return Err(fault()),
        }
    }
    Ok(())
}
