//! A position as a `Game`: texts, results, the picture of the board.

use super::position::{Move, Position, Undo};
use tempo_boardgame::{BoardView, Cell, Game, Mark, Outcome, PieceView, Seat, Side, Square, chess_signs};

/// The stable words for how a game ends.
pub mod reason {
    /// A leader was captured.
    pub const LEADER_CAPTURED: &str = "leader_captured";
    /// The player on turn has no legal move and its leader is attacked.
    pub const CHECKMATE: &str = "checkmate";
    /// The player on turn has no legal move and its leader is safe.
    pub const STALEMATE: &str = "stalemate";
    /// The player on turn has no legal move in a game without leaders.
    pub const NO_MOVES: &str = "no_moves";
}

impl Position {
    /// Where a move starts and ends.
    pub fn ends_of(&self, mv: Move) -> (Square, Square) {
        (Square(mv.from), Square(mv.to))
    }

    /// The `id` of the definition a move is made by.
    pub fn id_of(&self, mv: Move) -> i64 {
        let rule = &self.tables.rules[usize::from(mv.rule)];
        let piece = self.tables.kinds[usize::from(rule.kind)].piece;
        self.spec().pieces[usize::from(piece)].moves[usize::from(rule.index)].id
    }

    /// The piece (by index) that a move transforms into.
    pub fn option_of(&self, mv: Move) -> Option<usize> {
        usize::from(mv.option).checked_sub(1)
    }

    /// The square in the format's text form, `x,y`.
    pub fn square_text(&self, square: Square) -> String {
        let (x, y) = self.spec().coordinates(square);
        format!("{x},{y}")
    }
}

/// The letters for each kind of piece on a board: the letters of chess for its pieces, and for others as little of their
/// code as tells them apart, three characters at most.
pub fn symbols(codes: &[&str]) -> Vec<String> {
    let mut symbols: Vec<Option<String>> =
        codes.iter().map(|code| chess_signs(code).map(|(letter, _)| letter.to_string())).collect();
    for (index, code) in codes.iter().enumerate() {
        if symbols[index].is_some() {
            continue;
        }
        let prefix = |length: usize| code.chars().take(length).collect::<String>().to_uppercase();
        let is_free = |symbol: &String| !symbols.iter().flatten().any(|taken| taken == symbol);
        let symbol = (1..=3).map(prefix).find(is_free).unwrap_or_else(|| prefix(3));
        symbols[index] = Some(symbol);
    }
    symbols.into_iter().flatten().collect()
}

impl Position {
    fn symbols(&self) -> Vec<String> {
        let codes: Vec<&str> = self.spec().pieces.iter().map(|piece| piece.code.as_str()).collect();
        symbols(&codes)
    }

    /// Another legal move that only its definition tells from this one.
    fn has_twin(&self, mv: Move) -> bool {
        let mut moves = Vec::new();
        self.clone().generate(&mut moves);
        moves
            .iter()
            .any(|&other| other != mv && (other.from, other.to, other.option) == (mv.from, mv.to, mv.option))
    }
}

impl Game for Position {
    type Move = Move;
    type Undo = Undo;

    fn seat_to_move(&self) -> Seat {
        Seat(self.tables.order[self.turn])
    }

    fn legal_moves(&mut self, moves: &mut Vec<Move>) {
        self.generate(moves);
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.make_move(mv)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.unmake_move(mv, undo);
    }

    fn outcome(&mut self) -> Option<Outcome> {
        let has_moves = self.winner.is_none() && self.count_legal_moves() > 0;
        self.outcome_given_moves(has_moves)
    }

    fn outcome_given_moves(&mut self, has_moves: bool) -> Option<Outcome> {
        if let Some(winner) = self.winner {
            return Some(Outcome::Win { side: Side(winner), reason: reason::LEADER_CAPTURED });
        }
        if has_moves {
            return None;
        }
        Some(if self.spec().leader.is_none() {
            Outcome::Draw { reason: reason::NO_MOVES }
        } else if self.is_leader_attacked(self.player()) {
            Outcome::Win { side: Side(self.previous_player() as u8), reason: reason::CHECKMATE }
        } else {
            Outcome::Draw { reason: reason::STALEMATE }
        })
    }

    /// Pieces by their reach on an empty board, a little for the centre, more for pieces that only advance.
    fn evaluate(&self, side: Side) -> i32 {
        let spec = self.spec();
        let mut totals = vec![0i32; spec.players.len()];
        let middle = (spec.columns as i32 - 1, spec.rows as i32 - 1);
        for (square, occupant) in self.board.iter().enumerate().filter(|(_, occupant)| occupant.is_some()) {
            let kind = &self.tables.kinds[occupant.kind()];
            let (x, y) = ((square % spec.columns) as i32, (square / spec.columns) as i32);
            let off_centre = (2 * x - middle.0).abs() + (2 * y - middle.1).abs();
            let [fx, fy] = spec.players[occupant.owner()].direction.0[1].map(i32::from);
            // Distance from the edge this player comes from.
            let progress =
                if fx + fy > 0 { fx * x + fy * y } else { -fx * (middle.0 - x) - fy * (middle.1 - y) };
            totals[occupant.owner()] += kind.value - if kind.leader { 0 } else { off_centre }
                + i32::from(kind.advances) * 5 * progress;
        }
        let own = totals[usize::from(side.0)];
        let others = totals.iter().sum::<i32>() - own;
        own - others / (totals.len() as i32 - 1).max(1)
    }

    fn is_noisy(&self, mv: Move) -> bool {
        mv.option > 0 || self.board[usize::from(mv.to)].is_some()
    }

    /// The most valuable prey first, and the least valuable hunter.
    fn search_order(&self, mv: Move) -> i32 {
        let value = |square: u16| {
            let occupant = self.board[usize::from(square)];
            let kind = &self.tables.kinds[occupant.kind()];
            if kind.leader { 10_000 } else { kind.value }
        };
        let prey = value(mv.to);
        let gain = self.option_of(mv).map_or(0, |option| {
            self.tables.kinds[usize::from(self.tables.kind_of(self.player(), option))].value
        });
        if prey == 0 && gain == 0 { 0 } else { (10 * prey - value(mv.from) + 10 * gain).max(1) }
    }

    fn is_threatened(&self) -> bool {
        self.is_leader_attacked(self.player())
    }

    fn move_text(&self, mv: Move) -> String {
        let (from, to) = (self.square_text(Square(mv.from)), self.square_text(Square(mv.to)));
        let option = self.option_of(mv).map(|option| format!("={}", self.spec().pieces[option].code));
        format!("{from}>{to}#{}{}", self.id_of(mv), option.unwrap_or_default())
    }

    /// `Ng1-f3`, `e4xd5`, `e7-e8=Q`; pawns have no letter, and the definition is named only where two would do the same.
    fn spoken_move(&self, mv: Move) -> String {
        let columns = self.spec().columns as u16;
        let symbols = self.symbols();
        let piece = self.tables.kinds[self.board[usize::from(mv.from)].kind()].piece;
        let letter = match self.spec().pieces[usize::from(piece)].code.as_str() {
            code if code.eq_ignore_ascii_case("pawn") => "",
            _ => symbols[usize::from(piece)].as_str(),
        };
        let takes = if self.board[usize::from(mv.to)].is_some() { 'x' } else { '-' };
        let (from, to) = (Square(mv.from).name(columns), Square(mv.to).name(columns));
        let option = self.option_of(mv).map(|option| format!("={}", symbols[option])).unwrap_or_default();
        let twin = if self.has_twin(mv) { format!("#{}", self.id_of(mv)) } else { String::new() };
        format!("{letter}{from}{takes}{to}{option}{twin}")
    }

    fn about(&self) -> Vec<String> {
        let names = self.symbols().into_iter().zip(&self.spec().pieces);
        let names: Vec<String> =
            names.map(|(symbol, piece)| format!("{symbol} {}", piece.code.to_lowercase())).collect();
        vec![names.join("  ")]
    }

    fn move_squares(&self, mv: Move) -> Option<(Square, Square)> {
        Some((Square(mv.from), Square(mv.to)))
    }

    fn board(&self) -> BoardView {
        let spec = self.spec();
        let mut cells = vec![Cell::default(); self.board.len()];
        for hole in &spec.holes {
            cells[usize::from(hole.0)].mark = Some(Mark::Hole);
        }
        let symbols = self.symbols();
        for placed in self.pieces() {
            let figurine = chess_signs(&spec.pieces[placed.piece].code).map(|(_, figurine)| figurine);
            let (seat, symbol) = (Seat(placed.player as u8), symbols[placed.piece].clone());
            let shown = PieceView { seat, symbol, figurine, dimmed: false };
            cells[usize::from(placed.square.0)].pieces.push(shown);
        }
        let mut notes = Vec::new();
        if self.clone().outcome().is_none() {
            notes.push(format!("{} to move", spec.players[self.player()].name));
            if self.is_leader_attacked(self.player()) {
                notes.push("check".into());
            }
        }
        BoardView {
            columns: spec.columns as u16,
            rows: spec.rows as u16,
            cells,
            seats: spec.players.iter().map(|player| player.name.clone()).collect(),
            notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_short_and_differ() {
        assert_eq!(symbols(&["PAWN", "KNIGHT", "KING", "KNAVE", "KNAVE_2"]), ["P", "N", "K", "KN", "KNA"]);
        assert_eq!(symbols(&["MAN", "GOAL", "Gate", "é"]), ["M", "G", "GA", "É"]);
    }

    #[test]
    fn moves_read_as_people_write_them() {
        let mut chess = crate::load(include_bytes!("../games/chess.json")).expect("a sound spec");
        let mut spoken = |text: &str| {
            let mv = chess.find_move(text).expect(text);
            let name = chess.spoken_move(mv);
            chess.make(mv);
            name
        };
        assert_eq!(["4,1>4,3#1", "3,6>3,4#1"].map(&mut spoken), ["e2-e4", "d7-d5"]);
        let mut moves = Vec::new();
        chess.legal_moves(&mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| chess.spoken_move(mv)).collect();
        assert!(names.contains(&"e4xd5".into()) && names.contains(&"Ng1-f3".into()), "{names:?}");
        let mut unique = names.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "no two moves share a name");
    }
}
