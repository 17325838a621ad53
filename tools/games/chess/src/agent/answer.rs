//! The objects an agent may send. Knows how they are written; `judge` decides whether one is legal.

use serde::{Serialize, Serializer};

use crate::{Claim, Ending, Move};

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A move.
    Move(Move),
    /// The claim of a draw.
    Claim(Claim),
    /// Offers a draw, or accepts the opponent's offer if one stands.
    OfferDraw,
    /// Giving up.
    Resign,
    /// The game was over before the agent was asked. Our addition to the protocol.
    Nothing(Ending),
}

impl Answer {
    /// The JSON object, on one line.
    pub fn to_json(self) -> String {
        serde_json::to_string(&self).expect("an answer is plain data")
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct MoveDocument {
            from: String,
            to: String,
            promotion: Option<char>,
        }
        #[derive(Serialize)]
        struct ActionDocument {
            action: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<&'static str>,
        }
        let (action, reason) = match self {
            Answer::Move(mv) => {
                let promotion = mv.promotion.map(|kind| kind.letter());
                return MoveDocument { from: mv.from.to_string(), to: mv.to.to_string(), promotion }
                    .serialize(serializer);
            }
            Answer::Claim(claim) => ("claim_draw", Some(claim.reason())),
            Answer::OfferDraw => ("offer_draw", None),
            Answer::Resign => ("resign", None),
            Answer::Nothing(ending) => ("none", Some(ending.reason())),
        };
        ActionDocument { action, reason }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn answers_are_written_as_the_protocol_has_them() {
        let mv = |text: &str| Answer::Move(text.parse().expect("a move"));
        for (answer, text) in [
            (mv("e2e4"), r#"{"from":"e2","to":"e4","promotion":null}"#),
            (mv("a2a1n"), r#"{"from":"a2","to":"a1","promotion":"N"}"#),
            (Answer::Claim(Claim::FiftyMoveRule), r#"{"action":"claim_draw","reason":"fifty_move_rule"}"#),
            (Answer::OfferDraw, r#"{"action":"offer_draw"}"#),
            (Answer::Resign, r#"{"action":"resign"}"#),
            (Answer::Nothing(Ending::Stalemate), r#"{"action":"none","reason":"stalemate"}"#),
        ] {
            assert_eq!(answer.to_json(), text);
        }
    }
}
