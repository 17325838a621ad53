//! The games that come with the crate, by name.

/// A shipped game: its name on the command line, a line about it, and its spec.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// The name `tempo game` takes.
    pub name: &'static str,
    /// One line about the game.
    pub about: &'static str,
    /// The JSON text of the spec.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal: $about:literal,)*) => {
        /// Every shipped game.
        pub const SHIPPED: &[Shipped] = &[$(Shipped {
            name: $name,
            about: $about,
            text: include_str!(concat!("../games/", $name, ".json")),
        },)*];
    };
}

shipped! {
    "chess": "the game itself, exact but for the draws by count",
    "los-alamos": "6x6 without bishops, the first chess a computer won",
    "gardner": "5x5 minichess with every piece",
    "knightmate": "the royal piece leaps like a knight",
    "breakthrough": "two rows of pieces, the first one across wins",
    "ring-chess": "chess around a pond of four missing squares",
    "four-seats": "four small armies, one from each side",
    "cross-chess": "four whole armies on a cross of 160 squares",
    "marseillais": "chess with two moves to a turn",
    "corridor": "12x3, armies that walk sideways",
}

/// The shipped game of this name.
pub fn find(name: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|shipped| shipped.name == name)
}

/// The JSON schema of the format: shapes, not meanings.
pub const SCHEMA: &str = include_str!("../games/gamespec.schema.json");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_games_have_neither_faults_nor_warnings() {
        for shipped in SHIPPED {
            let report = crate::check(shipped.text.as_bytes());
            assert_eq!(report.faults, [], "{}", shipped.name);
            assert_eq!(report.warnings, [], "{}", shipped.name);
        }
    }
}
