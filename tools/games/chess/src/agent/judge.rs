//! Judging an answer: the first check that fails names the verdict. The order is the protocol's.

use serde::Serialize;

use super::explain;
use super::{Answer, LIMITS, State};
use crate::{Claim, Color, Ending, Move, PieceKind, Square};
use tempo_json::{self as json, JsonErrorKind, Node, Value};

/// The verdicts of a judge, in the order of checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The answer is legal.
    Ok,
    /// The answer is not JSON.
    OutputNotJson,
    /// More than one JSON value, or text around it.
    OutputNotSingle,
    /// The JSON value is not an object.
    OutputNotObject,
    /// The object has neither the keys of a move nor those of an action.
    OutputShape,
    /// The action is none of the protocol's.
    UnknownAction,
    /// A claim without its reason.
    ClaimReasonMissing,
    /// A claim for a reason that the protocol does not have.
    ClaimReasonUnknown,
    /// A claim that the position does not allow.
    ClaimNotAvailable,
    /// Resigning although a draw could be claimed.
    ResignWhileClaimable,
    /// `from` or `to` is not a square.
    BadSquare,
    /// `promotion` is not a piece that a pawn may become.
    BadPromotion,
    /// The side to move has no piece on `from`.
    NoOwnPiece,
    /// A piece of the same side is on `to`.
    OwnTarget,
    /// The king may not castle there now.
    CastlingRefused,
    /// The piece does not move like that.
    BadPattern,
    /// The pawn may not capture en passant there.
    EnPassantRefused,
    /// A piece is in the way.
    PathBlocked,
    /// The king would be in check after the move.
    SelfCheck,
    /// A pawn reaches the last rank and `promotion` is null.
    PromotionMissing,
    /// `promotion` is set although no pawn reaches the last rank.
    PromotionUnexpected,
    /// The answer would do, but the game had ended before. Our addition, checked last.
    GameOver,
}

impl Verdict {
    /// All verdicts, in the order of checking.
    pub const ALL: [Verdict; 22] = [
        Verdict::Ok,
        Verdict::OutputNotJson,
        Verdict::OutputNotSingle,
        Verdict::OutputNotObject,
        Verdict::OutputShape,
        Verdict::UnknownAction,
        Verdict::ClaimReasonMissing,
        Verdict::ClaimReasonUnknown,
        Verdict::ClaimNotAvailable,
        Verdict::ResignWhileClaimable,
        Verdict::BadSquare,
        Verdict::BadPromotion,
        Verdict::NoOwnPiece,
        Verdict::OwnTarget,
        Verdict::CastlingRefused,
        Verdict::BadPattern,
        Verdict::EnPassantRefused,
        Verdict::PathBlocked,
        Verdict::SelfCheck,
        Verdict::PromotionMissing,
        Verdict::PromotionUnexpected,
        Verdict::GameOver,
    ];

    /// The word on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::OutputNotJson => "output-not-json",
            Verdict::OutputNotSingle => "output-not-single",
            Verdict::OutputNotObject => "output-not-object",
            Verdict::OutputShape => "output-shape",
            Verdict::UnknownAction => "unknown-action",
            Verdict::ClaimReasonMissing => "claim-reason-missing",
            Verdict::ClaimReasonUnknown => "claim-reason-unknown",
            Verdict::ClaimNotAvailable => "claim-not-available",
            Verdict::ResignWhileClaimable => "resign-while-claimable",
            Verdict::BadSquare => "bad-square",
            Verdict::BadPromotion => "bad-promotion",
            Verdict::NoOwnPiece => "no-own-piece",
            Verdict::OwnTarget => "own-target",
            Verdict::CastlingRefused => "castling-refused",
            Verdict::BadPattern => "bad-pattern",
            Verdict::EnPassantRefused => "en-passant-refused",
            Verdict::PathBlocked => "path-blocked",
            Verdict::SelfCheck => "self-check",
            Verdict::PromotionMissing => "promotion-missing",
            Verdict::PromotionUnexpected => "promotion-unexpected",
            Verdict::GameOver => "game-over",
        }
    }
}

/// Whether a missing `promotion` counts as null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// A missing `promotion` counts as null.
    Lenient,
    /// All three keys of a move must be there.
    Strict,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Result {
    /// `None` for a draw.
    #[serde(serialize_with = "color_name")]
    pub winner: Option<Color>,
    /// The protocol's word for how it ended.
    pub reason: &'static str,
}

fn color_name<S: serde::Serializer>(
    color: &Option<Color>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    color.map(Color::name).serialize(serializer)
}

/// The judge's verdict.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The first check that failed, or `ok`.
    pub verdict: Verdict,
    /// The part of the answer that the verdict is about; `None` with `ok`.
    pub pointer: Option<&'static str>,
    /// The fault, or the move that was played.
    pub message: String,
    /// The state after the answer; unchanged if it is refused.
    pub after: State,
    /// The result, if the game is over after the answer.
    pub result: Option<Result>,
}

impl Judgement {
    /// The JSON object, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a judgement is plain data")
    }
}

impl Serialize for Judgement {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document<'a> {
            verdict: &'static str,
            pointer: Option<&'static str>,
            message: &'a str,
            state: &'a State,
            result: Option<Result>,
        }
        Document {
            verdict: self.verdict.code(),
            pointer: self.pointer,
            message: &self.message,
            state: &self.after,
            result: self.result,
        }
        .serialize(serializer)
    }
}

/// Judges the raw text of an answer.
pub fn judge(state: &State, answer: &str, strictness: Strictness) -> Judgement {
    let ending = state.game().ending();
    let judged = read(answer, strictness).and_then(|proposal| permit(state, ending, proposal)).and_then(
        |answer| match (ending, answer) {
            (None, _) | (Some(_), Answer::Nothing(_)) => Ok(answer),
            (Some(ending), _) => {
                Err((Verdict::GameOver, "", format!("the game is over: {}", ending.reason())))
            }
        },
    );
    match judged {
        Ok(answer) => accept(state, answer),
        Err((verdict, pointer, message)) => Judgement {
            verdict,
            pointer: Some(pointer),
            message,
            after: state.clone(),
            result: ending.map(|ending| result_of(ending, state.turn())),
        },
    }
}

/// An answer of the right shape, not yet held against the state.
enum Proposal {
    Move(Move),
    Claim(Claim),
    OfferDraw,
    AcceptDraw,
    Resign,
    Nothing { reason: Option<String> },
}

type Checked<T> = std::result::Result<T, explain::Refusal>;

fn refuse<T>(verdict: Verdict, pointer: &'static str, message: impl Into<String>) -> Checked<T> {
    Err((verdict, pointer, message.into()))
}

/// Checks 1 to 9 but for what needs the state.
fn read(answer: &str, strictness: Strictness) -> Checked<Proposal> {
    let document = match json::parse(answer.as_bytes(), LIMITS) {
        _ if answer.starts_with('\u{feff}') => {
            return refuse(Verdict::OutputNotJson, "", "the text starts with a byte order mark");
        }
        Ok(document) => document,
        Err(err) => {
            let several =
                matches!(err.kind, JsonErrorKind::TextAfterEnd(_)) && is_json(&answer[err.offset..]);
            let verdict = if several { Verdict::OutputNotSingle } else { Verdict::OutputNotJson };
            return refuse(verdict, "", format!("{err} (byte {})", err.offset));
        }
    };
    let root = &document.root;
    if !matches!(root.value, Value::Object(_)) {
        return refuse(
            Verdict::OutputNotObject,
            "",
            format!("expected an object, found {}", root.describe()),
        );
    }
    if let Some(duplicate) = document.duplicates.first() {
        let message = format!("duplicate key {}", duplicate.pointer);
        return refuse(Verdict::OutputShape, "", message);
    }
    match (root.get("action"), root.get("from"), root.get("to")) {
        (Some(action), None, None) => read_action(root, action),
        (None, Some(from), Some(to)) => read_move(root, from, to, strictness),
        (Some(_), _, _) => refuse(Verdict::OutputShape, "", "an answer is a move or an action, not both"),
        (None, Some(_), None) => refuse(Verdict::OutputShape, "", "`from` without `to`"),
        (None, None, Some(_)) => refuse(Verdict::OutputShape, "", "`to` without `from`"),
        (None, None, None) => refuse(Verdict::OutputShape, "", "neither `from` and `to` nor `action`"),
    }
}

/// Whether a text is one or more JSON values and nothing else. Looks at a few values only: a writer who
/// sends more has said enough.
fn is_json(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..8 {
        match json::parse(rest.as_bytes(), LIMITS) {
            Ok(_) => return true,
            Err(err) if matches!(err.kind, JsonErrorKind::TextAfterEnd(_)) => rest = &rest[err.offset..],
            Err(_) => return false,
        }
    }
    true
}

fn read_action(root: &Node<'_>, action: &Node<'_>) -> Checked<Proposal> {
    let reason = root.get("reason").filter(|node| node.value != Value::Null);
    match action.text() {
        Some("offer_draw") => Ok(Proposal::OfferDraw),
        Some("accept_draw") => Ok(Proposal::AcceptDraw),
        Some("resign") => Ok(Proposal::Resign),
        Some("none") => Ok(Proposal::Nothing { reason: reason.and_then(Node::text).map(str::to_string) }),
        Some("claim_draw") => {
            let Some(reason) = reason else {
                let message = "a claim needs a `reason`: threefold_repetition or fifty_move_rule";
                return refuse(Verdict::ClaimReasonMissing, "", message);
            };
            match Claim::ALL.into_iter().find(|claim| Some(claim.reason()) == reason.text()) {
                Some(claim) => Ok(Proposal::Claim(claim)),
                None => {
                    let message = "the reasons are threefold_repetition and fifty_move_rule";
                    refuse(Verdict::ClaimReasonUnknown, "/reason", message)
                }
            }
        }
        _ => refuse(Verdict::UnknownAction, "/action", UNKNOWN_ACTION),
    }
}

const UNKNOWN_ACTION: &str = "the actions are claim_draw, offer_draw and resign";

fn read_move(root: &Node<'_>, from: &Node<'_>, to: &Node<'_>, strictness: Strictness) -> Checked<Proposal> {
    let promotion = root.get("promotion");
    if promotion.is_none() && strictness == Strictness::Strict {
        return refuse(Verdict::OutputShape, "", "`promotion` is missing; write null where nothing promotes");
    }
    let from = read_square(from, "/from")?;
    let to = read_square(to, "/to")?;
    let promotion = match promotion.map(|node| &node.value) {
        None | Some(Value::Null) => None,
        Some(Value::Text(letter)) if matches!(&**letter, "Q" | "R" | "B" | "N") => {
            letter.chars().next().and_then(PieceKind::from_letter)
        }
        Some(_) => {
            let message = "`promotion` is null or one of \"Q\", \"R\", \"B\", \"N\" for both sides";
            return refuse(Verdict::BadPromotion, "/promotion", message);
        }
    };
    Ok(Proposal::Move(Move { from, to, promotion }))
}

fn read_square(node: &Node<'_>, pointer: &'static str) -> Checked<Square> {
    match node.text().map(str::parse) {
        Some(Ok(square)) => Ok(square),
        Some(Err(err)) => refuse(Verdict::BadSquare, pointer, format!("{err}")),
        None => refuse(Verdict::BadSquare, pointer, format!("expected a square, found {}", node.describe())),
    }
}

/// The checks that need the state.
fn permit(state: &State, ending: Option<Ending>, proposal: Proposal) -> Checked<Answer> {
    let game = state.game();
    match proposal {
        Proposal::Move(mv) => match explain::refusal(state.board(), mv) {
            Some(refusal) => Err(refusal),
            None => Ok(Answer::Move(mv)),
        },
        Proposal::Claim(claim) if game.may_claim(claim) => Ok(Answer::Claim(claim)),
        Proposal::Claim(Claim::ThreefoldRepetition) => {
            let message = format!("the position has occurred {} times, a claim needs 3", game.occurrences());
            refuse(Verdict::ClaimNotAvailable, "/reason", message)
        }
        Proposal::Claim(Claim::FiftyMoveRule) => {
            let clock = state.board().halfmove_clock();
            let message = format!("the halfmove clock is {clock}, a claim needs 100");
            refuse(Verdict::ClaimNotAvailable, "/reason", message)
        }
        Proposal::OfferDraw => Ok(Answer::OfferDraw),
        Proposal::AcceptDraw if state.draw_offer() == Some(!state.turn()) => Ok(Answer::OfferDraw),
        Proposal::AcceptDraw => {
            refuse(Verdict::UnknownAction, "/action", "there is no draw offer of the opponent to accept")
        }
        Proposal::Resign => match Claim::ALL.into_iter().find(|&claim| game.may_claim(claim)) {
            None => Ok(Answer::Resign),
            Some(claim) => {
                let message = format!("a draw by {} can be claimed", claim.reason());
                refuse(Verdict::ResignWhileClaimable, "/action", message)
            }
        },
        Proposal::Nothing { reason } => match ending {
            Some(ending) if reason.is_none_or(|reason| reason == ending.reason()) => {
                Ok(Answer::Nothing(ending))
            }
            _ => refuse(Verdict::UnknownAction, "/action", UNKNOWN_ACTION),
        },
    }
}

fn accept(state: &State, answer: Answer) -> Judgement {
    let us = state.turn();
    let ok = |after: State, message: String, result: Option<Result>| Judgement {
        verdict: Verdict::Ok,
        pointer: None,
        message,
        after,
        result,
    };
    let draw = |reason| Some(Result { winner: None, reason });
    let name = us.name();
    match answer {
        Answer::Move(mv) => {
            let after = state.after_move(mv);
            let result = after.game().ending().map(|ending| result_of(ending, after.turn()));
            ok(after, format!("{name} plays {}", state.game().san(mv)), result)
        }
        Answer::Claim(claim) => {
            ok(state.clone(), format!("{name} claims a draw by {}", claim.reason()), draw(claim.reason()))
        }
        Answer::OfferDraw if state.draw_offer() == Some(!us) => {
            ok(state.clone(), format!("{name} accepts the draw"), draw("agreement"))
        }
        Answer::OfferDraw => ok(state.after_offer(), format!("{name} offers a draw"), None),
        Answer::Resign => {
            let result = Some(Result { winner: Some(!us), reason: "resignation" });
            ok(state.clone(), format!("{name} resigns"), result)
        }
        Answer::Nothing(ending) => {
            let message = format!("the game is over: {}", ending.reason());
            ok(state.clone(), message, Some(result_of(ending, us)))
        }
    }
}

/// The result when the game has ended with `turn` to move.
fn result_of(ending: Ending, turn: Color) -> Result {
    let winner = if ending == Ending::Checkmate { Some(!turn) } else { None };
    Result { winner, reason: ending.reason() }
}
