//! A game state as the protocol writes it. Reading checks everything in the protocol's order and names
//! the first fault with its pointer; what passes is a position that could be played on.

use std::collections::BTreeMap;

use serde::Serialize;

use super::parse_document;
use crate::{
    Board, CastlingRights, Code, Color, Fault, Game, Piece, PromotionSet, Setup, SetupFault, Square, Wing,
};
use tempo_json::{Node, Pointer, Value};

/// A state that passed every check.
#[derive(Debug, Clone)]
pub struct State {
    board: Board,
    /// Earlier positions, oldest first; the current one is not among them.
    past: Vec<Board>,
    /// Who has offered a draw, if the host says so at all.
    draw_offer: Option<Option<Color>>,
}

const FIELDS: [&str; 7] =
    ["board", "turn", "castling", "en_passant", "halfmove_clock", "fullmove_number", "position_history"];

impl State {
    /// The start of a game.
    pub fn start() -> State {
        State::from_board(Board::default())
    }

    /// A position without a past.
    pub fn from_board(board: Board) -> State {
        State { board, past: Vec::new(), draw_offer: None }
    }

    /// Reads one JSON document.
    pub fn parse(bytes: &[u8]) -> Result<State, Fault> {
        State::read(&parse_document(bytes)?.root, "")
    }

    /// Reads a part of a document; `base` is the pointer of that part.
    pub fn read(node: &Node<'_>, base: &str) -> Result<State, Fault> {
        let reader = StateReader { root: node };
        reader.state().map_err(|fault| Fault { pointer: format!("{base}{}", fault.pointer), ..fault })
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.board.turn()
    }

    /// The earlier positions, oldest first, without the current one. Their clocks are not known.
    pub fn past(&self) -> &[Board] {
        &self.past
    }

    /// Who has a draw offer standing.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer.flatten()
    }

    /// Whether the host keeps track of draw offers, so that an offer cannot be made over and over.
    pub fn tracks_offers(&self) -> bool {
        self.draw_offer.is_some()
    }

    /// The game as the rules see it, repetition included.
    pub fn game(&self) -> Game {
        Game::with_past(
            self.board.clone(),
            PromotionSet::All,
            self.past.iter().map(Board::identity).collect(),
        )
    }

    /// The state after a legal move. A move declines the opponent's offer and leaves the own one open.
    pub(super) fn after_move(&self, mv: crate::Move) -> State {
        let mut after = self.clone();
        after.past.push(self.board.clone());
        after.board.play(mv);
        if self.draw_offer() == Some(!self.turn()) {
            after.draw_offer = Some(None);
        }
        after
    }

    /// The state after the side to move has offered a draw.
    pub(super) fn after_offer(&self) -> State {
        State { draw_offer: Some(Some(self.turn())), ..self.clone() }
    }

    /// The JSON object, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a state is plain data")
    }
}

impl Serialize for State {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Rights {
            kingside: bool,
            queenside: bool,
        }
        #[derive(Serialize)]
        struct Castling {
            white: Rights,
            black: Rights,
        }
        #[derive(Serialize)]
        struct Document<'a> {
            board: BTreeMap<String, char>,
            turn: &'a str,
            castling: Castling,
            en_passant: Option<String>,
            halfmove_clock: u32,
            fullmove_number: u32,
            position_history: Vec<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            draw_offer: Option<Option<&'a str>>,
        }
        let board = &self.board;
        let rights = |color| Rights {
            kingside: board.castling().has(color, Wing::King),
            queenside: board.castling().has(color, Wing::Queen),
        };
        let pieces =
            Square::all().filter_map(|square| Some((square.to_string(), board.piece_at(square)?.symbol())));
        Document {
            board: pieces.collect(),
            turn: board.turn().name(),
            castling: Castling { white: rights(Color::White), black: rights(Color::Black) },
            en_passant: board.en_passant().map(|square| square.to_string()),
            halfmove_clock: board.halfmove_clock(),
            fullmove_number: board.fullmove_number(),
            position_history: self.past.iter().map(Board::simplified_fen).collect(),
            draw_offer: self.draw_offer.map(|offer| offer.map(Color::name)),
        }
        .serialize(serializer)
    }
}

/// The checks, one method for each step of the protocol's order.
struct StateReader<'n, 't> {
    root: &'n Node<'t>,
}

impl<'n, 't> StateReader<'n, 't> {
    fn state(&self) -> Result<State, Fault> {
        self.check_types()?;
        self.check_fields()?;
        let mut setup = Setup { squares: self.squares()?, ..Setup::default() };
        setup.en_passant = self.en_passant()?;
        self.place_pieces(&mut setup)?;
        setup.turn = self.color("turn")?.unwrap_or(Color::White);
        let draw_offer = match self.root.get("draw_offer") {
            Some(_) => Some(self.color("draw_offer")?),
            None => None,
        };
        setup.castling = self.castling();

        setup.check_material().map_err(fault)?;
        setup.check_castling().map_err(fault)?;
        setup.check_en_passant().map_err(fault)?;
        setup.halfmove_clock = self.clock("halfmove_clock", 0)?;
        setup.fullmove_number = self.clock("fullmove_number", 1)?;
        let mut past = self.history()?;
        let board = setup.check_opponent().map_err(fault)?;

        // Some hosts append the current position to the list; consecutive positions differ in the side
        // to move, so an equal last entry is the current position itself.
        past.pop_if(|last| last.identity() == board.identity());
        Ok(State { board, past, draw_offer })
    }

    fn check_types(&self) -> Result<(), Fault> {
        let root = self.root;
        expect(root, "", "an object", is_object)?;
        if let Some(board) = root.get("board") {
            expect(board, "/board", "an object", is_object)?;
            for member in board.members().unwrap_or_default() {
                let mut pointer = Pointer::default();
                pointer.push_key("board");
                pointer.push_key(&member.key);
                expect(&member.node, pointer.as_str(), "a text with one piece letter", is_text)?;
            }
        }
        let simple: [(&str, &str, TypeTest); 9] = [
            ("/turn", "\"white\" or \"black\"", is_text),
            ("/castling", "an object", is_object),
            ("/castling/white", "an object", is_object),
            ("/castling/white/kingside", "true or false", is_bool),
            ("/castling/white/queenside", "true or false", is_bool),
            ("/castling/black", "an object", is_object),
            ("/castling/black/kingside", "true or false", is_bool),
            ("/castling/black/queenside", "true or false", is_bool),
            ("/en_passant", "a square or null", is_text_or_null),
        ];
        for (pointer, wanted, is_right) in simple {
            if let Some(node) = root.at(pointer) {
                expect(node, pointer, wanted, is_right)?;
            }
        }
        for pointer in ["/halfmove_clock", "/fullmove_number"] {
            if let Some(node) = root.at(pointer) {
                expect(node, pointer, "a whole number", is_whole)?;
            }
        }
        if let Some(history) = root.get("position_history") {
            let pointer = "/position_history";
            expect(history, pointer, "a list", |value| matches!(value, Value::List(_)))?;
            for (index, entry) in history.items().unwrap_or_default().iter().enumerate() {
                expect(entry, &format!("{pointer}/{index}"), "a text with a FEN", is_text)?;
            }
        }
        if let Some(offer) = root.get("draw_offer") {
            expect(offer, "/draw_offer", "\"white\", \"black\" or null", is_text_or_null)?;
        }
        Ok(())
    }

    fn check_fields(&self) -> Result<(), Fault> {
        let missing = |pointer: &str, name: &str| {
            Fault::at_value(Code::MissingField, pointer, format!("the field `{name}` is missing"))
        };
        for name in FIELDS {
            self.root.get(name).ok_or_else(|| missing("", name))?;
        }
        for color in Color::ALL {
            let side = self.root.at(&format!("/castling/{}", color.name()));
            let side = side.ok_or_else(|| missing("/castling", color.name()))?;
            for wing in Wing::ALL {
                side.get(wing.name())
                    .ok_or_else(|| missing(&format!("/castling/{}", color.name()), wing.name()))?;
            }
        }
        Ok(())
    }

    /// Only checks the keys; the pieces come when all squares are known to be good.
    fn squares(&self) -> Result<[Option<Piece>; 64], Fault> {
        for member in self.board_members() {
            member.0.parse::<Square>().map_err(|err| bad_square(member.0, err.to_string()))?;
        }
        Ok([None; 64])
    }

    fn en_passant(&self) -> Result<Option<Square>, Fault> {
        match self.root.get("en_passant").and_then(Node::text) {
            None => Ok(None),
            Some(text) => match text.parse() {
                Ok(square) => Ok(Some(square)),
                Err(err) => Err(Fault::at_value(Code::BadSquare, "/en_passant", format!("{err}"))),
            },
        }
    }

    fn place_pieces(&self, setup: &mut Setup) -> Result<(), Fault> {
        for (key, text) in self.board_members() {
            let Ok(square) = key.parse::<Square>() else { continue };
            let mut letters = text.chars();
            let piece = match (letters.next().and_then(Piece::from_symbol), letters.next()) {
                (Some(piece), None) => piece,
                _ => {
                    let shown: String = text.chars().take(20).collect();
                    let message = format!("`{shown}` is not a piece: pieces are KQRBNP and kqrbnp");
                    return Err(Fault::at_value(Code::BadPiece, format!("/board/{key}"), message));
                }
            };
            setup.squares[square.index()] = Some(piece);
        }
        Ok(())
    }

    fn board_members(&self) -> impl Iterator<Item = (&'n str, &'n str)> {
        let members = self.root.get("board").and_then(Node::members).unwrap_or_default();
        members.iter().map(|member| (member.key.as_ref(), member.node.text().unwrap_or_default()))
    }

    fn color(&self, field: &str) -> Result<Option<Color>, Fault> {
        let Some(text) = self.root.get(field).and_then(Node::text) else { return Ok(None) };
        Color::from_name(text).map(Some).ok_or_else(|| {
            let shown: String = text.chars().take(20).collect();
            Fault::at_value(
                Code::BadTurn,
                format!("/{field}"),
                format!("`{shown}` is neither `white` nor `black`"),
            )
        })
    }

    fn castling(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (_, color, wing) in CastlingRights::letters() {
            let pointer = format!("/castling/{}/{}", color.name(), wing.name());
            if self.root.at(&pointer).and_then(Node::bool) == Some(true) {
                rights = rights.with(color, wing);
            }
        }
        rights
    }

    fn clock(&self, field: &str, least: u32) -> Result<u32, Fault> {
        let number = self.root.get(field).and_then(Node::whole).unwrap_or_default();
        u32::try_from(number).ok().filter(|&number| number >= least).ok_or_else(|| {
            let message = format!("`{field}` is a whole number from {least} to {}", u32::MAX);
            Fault::at_value(Code::OutOfRange, format!("/{field}"), message)
        })
    }

    fn history(&self) -> Result<Vec<Board>, Fault> {
        let entries = self.root.get("position_history").and_then(Node::items).unwrap_or_default();
        let read = |(index, entry): (usize, &Node<'_>)| {
            Board::from_simplified_fen(entry.text().unwrap_or_default()).map_err(|err| {
                Fault::at_value(Code::BadFen, format!("/position_history/{index}"), err.to_string())
            })
        };
        entries.iter().enumerate().map(read).collect()
    }
}

type TypeTest = fn(&Value<'_>) -> bool;

fn is_object(value: &Value<'_>) -> bool {
    matches!(value, Value::Object(_))
}

fn is_text(value: &Value<'_>) -> bool {
    matches!(value, Value::Text(_))
}

fn is_text_or_null(value: &Value<'_>) -> bool {
    matches!(value, Value::Text(_) | Value::Null)
}

fn is_bool(value: &Value<'_>) -> bool {
    matches!(value, Value::Bool(_))
}

fn is_whole(value: &Value<'_>) -> bool {
    matches!(value, Value::Number(number) if number.whole().is_some())
}

fn expect(node: &Node<'_>, pointer: &str, wanted: &str, is_right: TypeTest) -> Result<(), Fault> {
    if is_right(&node.value) {
        return Ok(());
    }
    Err(Fault::at_value(Code::WrongType, pointer, format!("expected {wanted}, found {}", node.describe())))
}

fn bad_square(key: &str, message: String) -> Fault {
    let mut pointer = Pointer::default();
    pointer.push_key("board");
    pointer.push_key(key);
    Fault::at_value(Code::BadSquare, pointer.as_str(), message)
}

fn fault(fault: SetupFault) -> Fault {
    let pointer = match &fault {
        SetupFault::KingCount { .. }
        | SetupFault::MaterialImpossible { .. }
        | SetupFault::OpponentInCheck { .. } => "/board".to_string(),
        SetupFault::PawnOnLastRank { square } => format!("/board/{square}"),
        SetupFault::CastlingImpossible { color, wing, .. } => {
            format!("/castling/{}/{}", color.name(), wing.name())
        }
        SetupFault::EnPassantImpossible { .. } => "/en_passant".to_string(),
        SetupFault::FullmoveNumberZero => "/fullmove_number".to_string(),
    };
    Fault::at_value(fault.code(), pointer, fault.to_string())
}
