//! The text form of a position: one line that a person can read and type.
//!
//! ```text
//! blue(air west filea h8) Kh8 Nh8 Qh7 Pg5/R; red(earth north rank8 h1) Kh1 Bc4/aries; turn red; frozen yellow
//! ```
//!
//! Sections are divided by `;` or line ends. A piece is letter and square, then `/` and the patron of a
//! pawn (default Q) or the system of a queen or bishop (default: that of the square). The brackets hold
//! team, march, promotion zone and thrones; without them the army keeps its base camp.
//! Knows the form; `Draft` knows what is possible.

use std::fmt::Write as _;
use std::sync::Arc;

use tempo_diagnostics::Span;

use super::draft::Draft;
use super::fault::{Fault, FaultCode};
use super::pieces::{Army, Compass, Kind, Major, Office, Piece, Square, System, Team, Zone};
use super::position::Position;
use super::reader::{did_you_mean, shorten};
use super::setup::{Camp, Die, Setup};

/// Far more than any position needs.
const MAX_BYTES: usize = 16 << 10;

impl Position {
    /// The position in one line.
    pub fn to_text(&self) -> String {
        let draft = self.to_draft();
        let mut sections = Vec::new();
        for army in Army::ALL {
            let mut text = format!("{army}({})", camp_text(self.setup.camp(army)));
            for &(square, piece) in draft.pieces.iter().filter(|(_, piece)| piece.army == army) {
                let _ = write!(text, " {}", piece_text(square, piece.office));
            }
            sections.push(text);
        }
        sections.push(format!("turn {}", self.turn));
        sections.push(format!("order {}", self.order.map(Army::name).join(" ")));
        if !draft.frozen.is_empty() {
            let names: Vec<&str> = draft.frozen.iter().map(|army| army.name()).collect();
            sections.push(format!("frozen {}", names.join(" ")));
        }
        for (word, pairs) in [("prisoners", &draft.prisoners), ("commanders", &draft.commanders)] {
            if !pairs.is_empty() {
                let pairs: Vec<String> =
                    pairs.iter().map(|(army, other)| format!("{army}<{other}")).collect();
                sections.push(format!("{word} {}", pairs.join(" ")));
            }
        }
        if let Some(die) = self.die {
            sections.push(format!("die {}", die.face()));
        }
        sections.join("; ")
    }

    /// Reads the text form; what it leaves out comes from `setup`.
    pub fn from_text(text: &str, setup: &Setup) -> Result<Position, Vec<Fault>> {
        let mut parser = TextReader::new(text);
        if text.len() > MAX_BYTES {
            parser.fault(
                Span::default(),
                FaultCode::TooLarge,
                format!("a position in text has at most {MAX_BYTES} bytes"),
            );
            return Err(parser.faults);
        }
        let draft = parser.read(setup);
        let spans = (parser.pieces, parser.sections);
        let mut faults = parser.faults;
        if faults.is_empty() {
            let found = match draft.build() {
                Ok(position) => return Ok(position),
                Err(found) => found,
            };
            // The faults point as JSON does; here the n-th piece and the section's word have their spans.
            faults = found
                .into_iter()
                .map(|fault| {
                    let mut tokens = fault.pointer.split('/').skip(1);
                    let (section, index) =
                        (tokens.next().unwrap_or(""), tokens.next().and_then(|n| n.parse::<usize>().ok()));
                    let span = match (section, index) {
                        ("pieces", Some(i)) => spans.0.get(i).copied(),
                        _ => spans.1.iter().find(|(name, _)| *name == section).map(|(_, span)| *span),
                    };
                    Fault { span: Some(span.unwrap_or_default()), ..fault }
                })
                .collect();
        }
        faults.sort_by_key(|fault| fault.span.map(|span| span.start));
        Err(faults)
    }
}

fn camp_text(camp: &Camp) -> String {
    let mut text = format!("{} {} {}", camp.team, camp.forward.name(), camp.promotion);
    for throne in &camp.thrones {
        let _ = write!(text, " {throne}");
    }
    text
}

fn piece_text(square: Square, office: Office) -> String {
    let letter = office.kind().letter();
    match office {
        Office::Pawn(patron) => format!("{letter}{square}/{}", patron.letter()),
        Office::Queen(system) | Office::Bishop(system) if system != System::of(square) => {
            format!("{letter}{square}/{system}")
        }
        _ => format!("{letter}{square}"),
    }
}

struct TextReader<'t> {
    text: &'t str,
    faults: Vec<Fault>,
    /// The span of each piece, in order.
    pieces: Vec<Span>,
    /// The spans of the other sections, by their JSON names.
    sections: Vec<(&'static str, Span)>,
}

impl<'t> TextReader<'t> {
    fn new(text: &'t str) -> TextReader<'t> {
        TextReader { text, faults: Vec::new(), pieces: Vec::new(), sections: Vec::new() }
    }

    fn fault(&mut self, span: Span, code: FaultCode, message: impl Into<String>) {
        self.faults.push(Fault::error(code, span, message));
    }

    fn span(&self, part: &str) -> Span {
        // `part` is always a slice of `self.text`.
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Span { start: start as u32, end: (start + part.len()) as u32 }
    }

    fn read(&mut self, base: &Setup) -> Draft {
        let mut camps = base.camps().clone();
        let mut draft = Draft::new(Arc::new(base.clone()));
        let mut seen: Vec<&str> = Vec::new();
        for section in self.text.split([';', '\n']) {
            let section = section.trim();
            let word = section.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
            if section.is_empty() {
                continue;
            }
            let span = self.span(word);
            if seen.contains(&word) {
                self.fault(
                    span,
                    FaultCode::DuplicateSection,
                    format!("the section {:?} is here a second time", shorten(word)),
                );
                continue;
            }
            seen.push(word);
            let rest = &section[word.len()..];
            if let Some(army) = Army::from_name(word) {
                self.read_army(army, rest, &mut camps[army.index()], &mut draft);
                continue;
            }
            match word {
                "turn" => {
                    self.sections.push(("to_move", span));
                    draft.turn = self.armies(rest).first().copied();
                    if rest.trim().is_empty() {
                        self.fault(span, FaultCode::MissingField, "turn needs the name of an army");
                    }
                }
                "order" => {
                    self.sections.push(("turn_order", span));
                    draft.order = self.armies(rest);
                }
                "frozen" => {
                    self.sections.push(("frozen", span));
                    draft.frozen = self.armies(rest);
                }
                "prisoners" => {
                    self.sections.push(("prisoners", span));
                    draft.prisoners = self.pairs(rest);
                }
                "commanders" => {
                    self.sections.push(("commanders", span));
                    draft.commanders = self.pairs(rest);
                }
                "die" => {
                    draft.die = rest.trim().parse().ok().and_then(Die::new);
                    if draft.die.is_none() {
                        self.fault(span, FaultCode::UnknownDie, "a die shows a whole number from 1 to 6");
                    }
                }
                _ => {
                    let known = [
                        "blue",
                        "red",
                        "black",
                        "yellow",
                        "turn",
                        "order",
                        "frozen",
                        "prisoners",
                        "commanders",
                        "die",
                    ];
                    let near = did_you_mean(word, known);
                    let message =
                        format!("unknown section {:?}: known are {}{near}", shorten(word), known.join(", "));
                    self.fault(span, FaultCode::UnknownSection, message);
                }
            }
        }
        match Setup::new(camps) {
            Ok(setup) => draft.setup = Arc::new(setup.with_rules_of(base)),
            Err(err) => self.fault(Span::default(), FaultCode::UnequalTeams, err.to_string()),
        }
        draft
    }

    fn read_army(&mut self, army: Army, rest: &'t str, camp: &mut Camp, draft: &mut Draft) {
        let mut pieces = rest;
        if let Some(open) = rest.trim_start().strip_prefix('(') {
            let Some((inside, after)) = open.split_once(')') else {
                self.fault(
                    self.span(rest),
                    FaultCode::OpenBracket,
                    format!("the bracket after {army} is not closed"),
                );
                return;
            };
            self.read_camp(inside, camp);
            pieces = after;
        }
        for token in pieces.split_whitespace() {
            if let Some((square, office)) = self.read_piece(token) {
                self.pieces.push(self.span(token));
                draft.pieces.push((square, Piece { army, office }));
            }
        }
    }

    fn read_camp(&mut self, inside: &'t str, camp: &mut Camp) {
        camp.thrones.clear();
        for word in inside.split_whitespace() {
            if let Some(team) = Team::from_name(word) {
                camp.team = team;
            } else if let Some(forward) = Compass::from_name(word) {
                camp.forward = forward;
            } else if let Some(zone) = Zone::parse(word) {
                camp.promotion = zone;
            } else if let Some(square) = Square::parse(word) {
                camp.thrones.push(square);
            } else {
                let message =
                    format!("{:?} is not a team, direction, promotion zone or throne square", shorten(word));
                self.fault(self.span(word), FaultCode::UnknownCamp, message);
            }
        }
    }

    fn read_piece(&mut self, token: &'t str) -> Option<(Square, Office)> {
        let (head, extra) = match token.split_once('/') {
            Some((head, extra)) => (head, Some(extra)),
            None => (token, None),
        };
        let span = self.span(token);
        let kind = head.chars().next().and_then(Kind::from_letter);
        let Some(kind) = kind else {
            self.fault(
                span,
                FaultCode::UnknownPiece,
                format!("{:?} starts with no piece letter: K, Q, R, B, N or P", shorten(token)),
            );
            return None;
        };
        let Some(square) = Square::parse(&head[1..]) else {
            let message =
                format!("{:?} is not a square of the board, which goes from a1 to h8", shorten(&head[1..]));
            self.fault(span, FaultCode::OffBoard, message);
            return None;
        };
        let system = |reader: &mut Self| match extra {
            None => Some(System::of(square)),
            Some(extra) => {
                let system = System::from_name(extra);
                if system.is_none() {
                    let near = did_you_mean(extra, System::ALL.map(System::name));
                    let message =
                        format!("{:?} is not a diagonal system: write aries, cancer{near}", shorten(extra));
                    reader.fault(span, FaultCode::UnknownSystem, message);
                }
                system
            }
        };
        let office = match kind {
            Kind::Queen => Office::Queen(system(self)?),
            Kind::Bishop => Office::Bishop(system(self)?),
            Kind::Pawn => {
                let patron = match extra {
                    None => Some(Major::Queen),
                    Some(extra) => Major::ALL.into_iter().find(|major| extra == major.letter().to_string()),
                };
                let Some(patron) = patron else {
                    self.fault(
                        span,
                        FaultCode::UnknownPatron,
                        format!(
                            "{:?} is not a patron: the patrons are Q, R, B, N",
                            shorten(extra.unwrap_or(""))
                        ),
                    );
                    return None;
                };
                Office::Pawn(patron)
            }
            Kind::King | Kind::Rook | Kind::Knight => {
                if extra.is_some() {
                    self.fault(
                        span,
                        FaultCode::PieceShape,
                        format!("a {} has neither patron nor system", kind.name()),
                    );
                    return None;
                }
                match kind {
                    Kind::King => Office::King,
                    Kind::Rook => Office::Rook,
                    _ => Office::Knight,
                }
            }
        };
        Some((square, office))
    }

    fn army(&mut self, word: &'t str) -> Option<Army> {
        let army = Army::from_name(word);
        if army.is_none() {
            let near = did_you_mean(word, Army::ALL.map(Army::name));
            let message =
                format!("{:?} is not an army: the armies are blue, red, black, yellow{near}", shorten(word));
            self.fault(self.span(word), FaultCode::UnknownArmy, message);
        }
        army
    }

    fn armies(&mut self, rest: &'t str) -> Vec<Army> {
        rest.split_whitespace().filter_map(|word| self.army(word)).collect()
    }

    fn pairs(&mut self, rest: &'t str) -> Vec<(Army, Army)> {
        let mut pairs: Vec<(Army, Army)> = Vec::new();
        for word in rest.split_whitespace() {
            let Some((army, other)) = word.split_once('<') else {
                self.fault(
                    self.span(word),
                    FaultCode::PairShape,
                    format!("{:?} is not a pair such as red<blue", shorten(word)),
                );
                continue;
            };
            if let Some(pair) = self.army(army).zip(self.army(other)) {
                pairs.push(pair);
            }
        }
        pairs
    }
}
