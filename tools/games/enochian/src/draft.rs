//! A position as written down, before it is checked: every fault is named, then it is built.
//! Knows what makes a position possible; knows no text form, and points by the names of the JSON form.

use std::sync::Arc;

use super::fault::{Fault, FaultCode};
use super::pieces::{Army, Office, Piece, Square};
use super::position::{Code, Position};
use super::setup::{Die, Setup};

/// The parts of a position, unchecked.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The state that lasts through the game.
    pub setup: Arc<Setup>,
    /// Armies left out follow at the end; they must have no pieces.
    pub order: Vec<Army>,
    /// The pieces, two on a square if they share a throne.
    pub pieces: Vec<(Square, Piece)>,
    /// The first army of the order that is in play, if not given.
    pub turn: Option<Army>,
    /// The armies that are frozen.
    pub frozen: Vec<Army>,
    /// Captured army and captor.
    pub prisoners: Vec<(Army, Army)>,
    /// Commanded army and commander.
    pub commanders: Vec<(Army, Army)>,
    /// The die that rules the next move.
    pub die: Option<Die>,
}

impl Draft {
    /// An empty board.
    pub fn new(setup: Arc<Setup>) -> Draft {
        Draft {
            setup,
            order: Vec::new(),
            pieces: Vec::new(),
            turn: None,
            frozen: Vec::new(),
            prisoners: Vec::new(),
            commanders: Vec::new(),
            die: None,
        }
    }

    /// The position, or everything that is wrong with it.
    pub fn build(self) -> Result<Position, Vec<Fault>> {
        let mut faults = Vec::new();
        let order = self.full_order(&mut faults);
        self.check_squares(&mut faults);
        self.check_kings(&mut faults);
        self.check_relations(&mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut position = Position::empty(self.setup, order);
        for (square, piece) in self.pieces {
            match piece.office {
                Office::King => position.kings[piece.army.index()] = square.bit(),
                office => position.put(square, Code::new(piece.army, office)),
            }
        }
        for army in self.frozen {
            position.frozen |= army.bit();
        }
        for (army, captor) in self.prisoners {
            position.captors[army.index()] = Some(captor);
        }
        for (army, commander) in self.commanders {
            position.commanders[army.index()] = commander;
        }
        position.die = self.die;
        let first = order.into_iter().find(|&army| position.is_in_play(army));
        position.turn = self.turn.or(first).unwrap_or(order[0]);
        Ok(position)
    }

    fn full_order(&self, faults: &mut Vec<Fault>) -> [Army; 4] {
        let mut order: Vec<Army> = Vec::new();
        for (i, &army) in self.order.iter().enumerate() {
            if order.contains(&army) {
                let message = format!("{army} appears twice in the turn order");
                faults.push(Fault::at_value(
                    FaultCode::TurnOrderRepeats,
                    format!("/turn_order/{i}"),
                    message,
                ));
            } else {
                order.push(army);
            }
        }
        for army in Army::ALL {
            if order.contains(&army) {
                continue;
            }
            let has_pieces = self.pieces.iter().any(|(_, piece)| piece.army == army);
            if !self.order.is_empty() && (has_pieces || self.turn == Some(army)) {
                let message = format!("{army} has pieces but no place in the turn order");
                faults.push(Fault::at_value(FaultCode::TurnOrderIncomplete, "/turn_order", message));
            }
            order.push(army);
        }
        order.try_into().expect("each of the four armies exactly once")
    }

    fn check_squares(&self, faults: &mut Vec<Fault>) {
        for square in Square::all() {
            let on: Vec<(usize, Piece)> = self
                .pieces
                .iter()
                .enumerate()
                .filter(|(_, (at, _))| *at == square)
                .map(|(i, &(_, piece))| (i, piece))
                .collect();
            let &[(_, first), (second_index, second), ..] = on.as_slice() else { continue };
            let pointer = format!("/pieces/{second_index}");
            let names = format!("{} and {}", describe(first), describe(second));
            let fault = if self.setup.throne_of(square).is_none() {
                let message = format!("{square} holds two pieces, {names}, but only a throne can be shared");
                Fault::at_value(FaultCode::TwoPiecesOnASquare, pointer, message)
            } else if let Some(&(third, _)) = on.get(2) {
                let message = format!("the throne {square} holds {} pieces, two is the most", on.len());
                Fault::at_value(FaultCode::ThreeOnAThrone, format!("/pieces/{third}"), message)
            } else if self.setup.team(first.army) != self.setup.team(second.army) {
                Fault::at_value(
                    FaultCode::EnemiesOnAThrone,
                    pointer,
                    format!("enemies cannot share the throne {square}: {names}"),
                )
            } else if first.office != Office::King && second.office != Office::King {
                let message = format!("the throne {square} is shared by {names}: one of them must be a king");
                Fault::at_value(FaultCode::NoKingOnASharedThrone, pointer, message)
            } else {
                continue;
            };
            faults.push(fault);
        }
    }

    fn check_kings(&self, faults: &mut Vec<Fault>) {
        for army in Army::ALL {
            let of_army = || self.pieces.iter().enumerate().filter(move |(_, (_, piece))| piece.army == army);
            let kings: Vec<(usize, Square)> = of_army()
                .filter(|(_, (_, piece))| piece.office == Office::King)
                .map(|(i, &(square, _))| (i, square))
                .collect();
            let captive = self.prisoners.iter().any(|&(captured, _)| captured == army);
            match (kings.as_slice(), captive) {
                ([], false) if of_army().next().is_some() => {
                    let message = format!(
                        "{army} has pieces but no king on the board, and its king is not a prisoner either"
                    );
                    faults.push(Fault::at_value(FaultCode::KingMissing, "/pieces", message));
                }
                ([_, (second, square), ..], _) => {
                    let message = format!("{army} has a second king on {square}");
                    faults.push(Fault::at_value(FaultCode::SecondKing, format!("/pieces/{second}"), message));
                }
                (&[(_, square)], true) => {
                    let message =
                        format!("the king of {army} is a prisoner and is on {square} at the same time");
                    faults.push(Fault::at_value(
                        FaultCode::CaptiveKingOnBoard,
                        format!("/prisoners/{army}"),
                        message,
                    ));
                }
                _ => {}
            }
        }
    }

    fn check_relations(&self, faults: &mut Vec<Fault>) {
        for (name, pairs) in [("prisoners", &self.prisoners), ("commanders", &self.commanders)] {
            for (i, (army, _)) in pairs.iter().enumerate() {
                if pairs[..i].iter().any(|(earlier, _)| earlier == army) {
                    let message = format!("{army} appears twice in {name}");
                    faults.push(Fault::at_value(FaultCode::StandsTwice, format!("/{name}/{army}"), message));
                }
            }
        }
        for &(army, captor) in &self.prisoners {
            if self.setup.team(army) == self.setup.team(captor) {
                let message = format!("{captor} cannot hold the king of {army}: they are on one team");
                faults.push(Fault::at_value(
                    FaultCode::CaptorOfOwnTeam,
                    format!("/prisoners/{army}"),
                    message,
                ));
            }
        }
        for &(army, commander) in &self.commanders {
            if self.setup.team(army) != self.setup.team(commander) {
                let message = format!("{commander} cannot command {army}: they are enemies");
                faults.push(Fault::at_value(
                    FaultCode::CommanderIsEnemy,
                    format!("/commanders/{army}"),
                    message,
                ));
            }
        }
    }
}

impl Position {
    /// The parts this position would be built from.
    pub fn to_draft(&self) -> Draft {
        Draft {
            setup: Arc::clone(&self.setup),
            order: self.order.to_vec(),
            pieces: self.all_pieces().collect(),
            turn: Some(self.turn),
            frozen: Army::ALL.into_iter().filter(|&army| self.is_frozen(army)).collect(),
            prisoners: Army::ALL.into_iter().filter_map(|army| Some((army, self.captor(army)?))).collect(),
            commanders: Army::ALL
                .into_iter()
                .map(|army| (army, self.commander(army)))
                .filter(|(army, commander)| army != commander)
                .collect(),
            die: self.die,
        }
    }

    /// Features that no game leads to, though it can be played on: sentences for the user's attention.
    pub fn oddities(&self) -> Vec<String> {
        let mut found = Vec::new();
        for army in Army::ALL {
            if self.is_frozen(army) && self.king_square(army).is_some() {
                found.push(format!("{army} is frozen though its king is on the board"));
            }
            if self.captor(army).is_some() && !self.is_frozen(army) && self.commander(army) == army {
                found.push(format!(
                    "the king of {army} is a prisoner, but {army} is neither frozen nor commanded by its ally"
                ));
            }
        }
        found
    }
}

fn describe(piece: Piece) -> String {
    format!("{} {}", piece.army, piece.office.kind().name())
}
