//! A second Enochian chess, written from the documents alone and as plainly as possible: a list of pieces,
//! squares as pairs, every rule a sentence. It shares no code with `rules`, and speed does not matter.
//!
//! Each rule can be left out by its id (`without`), which is how a fixture is shown to fail without it.

use serde_json::Value;

mod arrays;
mod table;

pub use arrays::array;
pub use table::{run_script, throw};

pub const ARMIES: [&str; 4] = ["blue", "red", "black", "yellow"];

/// File and rank, both from 0.
pub type At = (i32, i32);

#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub at: At,
    pub army: usize,
    pub letter: char,
    /// Patron of a pawn or system of a queen or bishop.
    pub extra: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Camp {
    pub team: String,
    pub forward: At,
    pub zone: String,
    pub thrones: Vec<At>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    pub order: Vec<usize>,
    pub camps: Vec<Camp>,
    pub pieces: Vec<Piece>,
    pub turn: usize,
    pub frozen: Vec<bool>,
    pub captor: Vec<Option<usize>>,
    pub commander: Vec<usize>,
    pub die: Option<u64>,
    pub without: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub piece: usize,
    pub to: At,
    pub takes: bool,
    pub promotion: Option<char>,
}

pub fn square(text: &str) -> At {
    let bytes = text.as_bytes();
    (i32::from(bytes[0]) - i32::from(b'a'), i32::from(bytes[1]) - i32::from(b'1'))
}

pub fn name(at: At) -> String {
    format!("{}{}", (b'a' + at.0 as u8) as char, at.1 + 1)
}

fn on_board(at: At) -> bool {
    (0..8).contains(&at.0) && (0..8).contains(&at.1)
}

fn army(text: &str) -> usize {
    ARMIES.iter().position(|name| *name == text).expect("an army")
}

fn compass(word: &str) -> At {
    match word {
        "north" => (0, 1),
        "south" => (0, -1),
        "east" => (1, 0),
        _ => (-1, 0),
    }
}

fn camp(team: &str, forward: &str, zone: &str, thrones: &[&str]) -> Camp {
    Camp {
        team: team.into(),
        forward: compass(forward),
        zone: zone.into(),
        thrones: thrones.iter().map(|throne| square(throne)).collect(),
    }
}

/// The tables of the seed.
pub fn base() -> Vec<Camp> {
    vec![
        camp("air", "north", "rank8", &["d1", "e1"]),
        camp("earth", "west", "filea", &["e8", "d8"]),
        camp("air", "south", "rank1", &["a5", "a4"]),
        camp("earth", "east", "fileh", &["h4", "h5"]),
    ]
}

/// The printed layout: each army in a corner.
pub fn corners() -> Vec<Camp> {
    vec![
        camp("air", "west", "filea", &["h8"]),
        camp("earth", "north", "rank8", &["h1"]),
        camp("air", "east", "fileh", &["a1"]),
        camp("earth", "south", "rank1", &["a8"]),
    ]
}

const STEPS: [At; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const STRAIGHT: [At; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [At; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [At; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Plain {
    pub fn new(camps: Vec<Camp>, order: [&str; 4]) -> Plain {
        let order: Vec<usize> = order.iter().map(|name| army(name)).collect();
        Plain {
            turn: order[0],
            order,
            camps,
            pieces: Vec::new(),
            frozen: vec![false; 4],
            captor: vec![None; 4],
            commander: vec![0, 1, 2, 3],
            die: None,
            without: String::new(),
        }
    }

    /// Whether the rule with this id is left out.
    fn off(&self, id: &str) -> bool {
        self.without == id
    }

    pub fn from_json(json: &Value, without: &str) -> Plain {
        let missing = if without == "N2" { corners() } else { base() };
        let mut plain = Plain::new(missing, ARMIES);
        plain.without = without.into();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        if !list("turn_order").is_empty() && without != "N1" {
            plain.order = list("turn_order").iter().map(|name| army(&text(name))).collect();
        }
        if let Some(camps) = json["armies"].as_object().filter(|_| without != "N2-corners") {
            for (name, given) in camps {
                let camp = &mut plain.camps[army(name)];
                if let Some(team) = given["team"].as_str() {
                    camp.team = team.into();
                }
                if let Some(forward) = given["forward"].as_str() {
                    camp.forward = compass(forward);
                }
                if let Some(zone) = given["promotion"].as_str() {
                    camp.zone = zone.into();
                }
                if let Some(thrones) = given["thrones"].as_array() {
                    camp.thrones = thrones.iter().map(|throne| square(&text(throne))).collect();
                }
            }
        }
        if without == "T1" || without == "N22" {
            plain.camps.iter_mut().for_each(|camp| camp.thrones.truncate(1));
        }
        for piece in list("pieces") {
            let at = square(&text(&piece[0]));
            let letter = text(&piece[2]).chars().next().expect("a letter");
            let mut extra = piece[3].as_str().unwrap_or("").to_owned();
            if without == "B3" {
                extra.clear();
            }
            if extra.is_empty() {
                extra = match letter {
                    'P' => "Q".into(),
                    'Q' | 'B' => plain.system_of(at),
                    _ => String::new(),
                };
            }
            if without == "T2" && plain.pieces.iter().any(|piece| piece.at == at) {
                continue;
            }
            plain.pieces.push(Piece { at, army: army(&text(&piece[1])), letter, extra });
        }
        for name in list("frozen") {
            plain.frozen[army(&text(&name))] = true;
        }
        for (name, captor) in json["prisoners"].as_object().cloned().unwrap_or_default() {
            plain.captor[army(&name)] = Some(army(&text(&captor)));
        }
        for (name, commander) in json["commanders"].as_object().cloned().unwrap_or_default() {
            plain.commander[army(&name)] = army(&text(&commander));
        }
        plain.die = json["die"].as_u64();
        plain.turn = match json["to_move"].as_str() {
            Some(name) => army(name),
            None => *plain.order.iter().find(|&&army| plain.plays(army)).unwrap_or(&plain.order[0]),
        };
        plain
    }

    /// The network a square is on: the seed's mask of Aries has b1 in it.
    fn system_of(&self, at: At) -> String {
        let aries = (at.0 + at.1) % 2 == 1;
        if aries != self.off("N21") { "aries".into() } else { "cancer".into() }
    }

    /// The network a queen or bishop belongs to.
    fn system(&self, piece: &Piece) -> String {
        if self.off("N7") { self.system_of(piece.at) } else { piece.extra.clone() }
    }

    fn team(&self, army: usize) -> &str {
        &self.camps[army].team
    }

    fn ally(&self, army: usize) -> usize {
        (0..4).find(|&other| other != army && self.team(other) == self.team(army)).expect("an ally")
    }

    fn on(&self, at: At) -> Vec<&Piece> {
        self.pieces.iter().filter(|piece| piece.at == at).collect()
    }

    fn king(&self, army: usize) -> Option<At> {
        self.pieces.iter().find(|piece| piece.army == army && piece.letter == 'K').map(|piece| piece.at)
    }

    fn blocks(&self, at: At) -> bool {
        self.on(at).iter().any(|piece| !(self.off("F2-occupy") && self.frozen[piece.army]))
    }

    fn plays(&self, army: usize) -> bool {
        let has_pieces = self.pieces.iter().any(|piece| piece.army == army) || self.off("S1-pieces");
        (!self.frozen[army] || self.off("S1-frozen")) && has_pieces
    }

    /// Squares a piece could strike, whatever is there.
    fn reach(&self, piece: &Piece) -> Vec<At> {
        let leap = |steps: &[At], far: i32| -> Vec<At> {
            steps
                .iter()
                .map(|step| (piece.at.0 + step.0 * far, piece.at.1 + step.1 * far))
                .filter(|&at| on_board(at))
                .collect()
        };
        let slide = |steps: &[At], through: bool, most: i32| -> Vec<At> {
            let mut reached = Vec::new();
            for step in steps {
                for far in 1..=most {
                    let at = (piece.at.0 + step.0 * far, piece.at.1 + step.1 * far);
                    if !on_board(at) {
                        break;
                    }
                    reached.push(at);
                    if self.blocks(at) && !through {
                        break;
                    }
                }
            }
            reached
        };
        match piece.letter {
            'K' if self.off("K1") => leap(&STRAIGHT, 1),
            'K' => leap(&STEPS, 1),
            'N' => {
                let mut reached = leap(&KNIGHT, 1);
                if self.off("KN1") {
                    // A lame knight: a piece on the straight square beside it bars the way.
                    reached.retain(|at| {
                        let leg =
                            (piece.at.0 + (at.0 - piece.at.0) / 2, piece.at.1 + (at.1 - piece.at.1) / 2);
                        !self.blocks(leg)
                    });
                }
                reached
            }
            'R' => slide(&STRAIGHT, self.off("R1"), 8),
            'B' => {
                if self.system_of(piece.at) != self.system(piece) && !self.off("N7-off") {
                    return Vec::new();
                }
                slide(&DIAGONAL, false, if self.off("B1") { 1 } else { 8 })
            }
            'Q' => {
                let mut reached = leap(&STEPS, 2);
                if self.off("Q1-exactly") {
                    reached.extend(leap(&STEPS, 1));
                }
                if self.off("Q1") {
                    reached.retain(|at| !self.blocks(((piece.at.0 + at.0) / 2, (piece.at.1 + at.1) / 2)));
                }
                reached
            }
            _ => {
                let (x, y) = self.forward(piece.army);
                if self.off("P2") {
                    return leap(&[(x, y)], 1);
                }
                leap(&[(x + y, y + x), (x - y, y - x)], 1)
            }
        }
    }

    fn forward(&self, army: usize) -> At {
        if self.off("P1") { (0, 1) } else { self.camps[army].forward }
    }

    /// May `piece` take everything on a square? At least one occupant must be fair prey (N5).
    fn takes(&self, piece: &Piece, at: At) -> bool {
        let there = self.on(at);
        let fair = |prey: &Piece| match (piece.letter, prey.letter) {
            (_, 'K') if self.off("K2") => false,
            ('Q', 'Q') => self.off("Q2"),
            ('B', 'B') => self.off("B2"),
            ('Q', 'B') => self.system(piece) == self.system(prey) || self.off("Q3"),
            ('B', 'Q') => {
                (self.system(piece) == self.system(prey) || self.off("B2-system")) && !self.off("B2-queen")
            }
            _ => true,
        };
        if self.off("N5") { there.iter().all(|prey| fair(prey)) } else { there.iter().any(|prey| fair(prey)) }
    }

    fn in_zone(&self, army: usize, at: At) -> bool {
        let zone = self.camps[army].zone.as_bytes();
        let last = i32::from(zone[4]);
        if zone.starts_with(b"rank") {
            at.1 == last - i32::from(b'1')
        } else {
            at.0 == last - i32::from(b'a')
        }
    }

    /// Only the king, or king and queen, or king and bishop beside one pawn (N6).
    fn is_privileged(&self, army: usize) -> bool {
        let mut letters: Vec<char> =
            self.pieces.iter().filter(|piece| piece.army == army).map(|piece| piece.letter).collect();
        letters.sort_unstable();
        let letters: String = letters.into_iter().collect();
        letters == "KP" && !self.off("P5-king")
            || letters == "KPQ" && !self.off("P5-queen")
            || letters == "BKP" && !self.off("P5-bishop")
            || letters == "KPP" && self.off("N6")
            || letters == "KPR" && self.off("N6-rook")
    }

    fn becomes(&self, piece: &Piece) -> Vec<char> {
        if self.is_privileged(piece.army) && !self.off("P6") {
            return vec!['Q', 'R', 'B', 'N'];
        }
        if self.off("P4") { vec!['Q'] } else { piece.extra.chars().collect() }
    }

    /// Section 2: everything a piece can do, whatever check and dice say.
    fn candidates(&self, army: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.army == army) {
            let mut goals = self.reach(piece);
            if piece.letter == 'P' {
                let (x, y) = self.forward(army);
                let ahead = (piece.at.0 + x, piece.at.1 + y);
                let twice = (ahead.0 + x, ahead.1 + y);
                goals.retain(|&at| !self.on(at).is_empty());
                for at in if self.off("P3") { vec![ahead, twice] } else { vec![ahead] } {
                    if on_board(at) && self.on(at).is_empty() {
                        goals.push(at);
                    }
                }
            }
            for to in goals {
                let there = self.on(to);
                let takes = !there.is_empty();
                let own = |prey: &&&Piece| self.team(prey.army) == self.team(army);
                let joins_king = there.len() == 1 && there[0].letter == 'K' && there[0].army == army;
                let is_throne = self.camps.iter().any(|camp| camp.thrones.contains(&to));
                if there.iter().any(|prey| own(&prey)) {
                    let ally_taken = self.off("N9") && there.iter().all(|prey| prey.army != army);
                    let joined = self.off("N4") && joins_king && is_throne;
                    if !ally_taken && !joined {
                        continue;
                    }
                    steps.push(Step { piece: index, to, takes: ally_taken, promotion: None });
                    continue;
                }
                if there.iter().any(|prey| self.frozen[prey.army]) && !self.off("F2-taken") {
                    continue;
                }
                if takes && !self.takes(piece, to) {
                    continue;
                }
                let promotes = piece.letter == 'P' && self.in_zone(army, to);
                if promotes {
                    for letter in self.becomes(piece) {
                        steps.push(Step { piece: index, to, takes, promotion: Some(letter) });
                    }
                }
                if !promotes || self.off("N23") {
                    steps.push(Step { piece: index, to, takes, promotion: None });
                }
            }
        }
        steps
    }

    /// Does an unfrozen piece of the other team attack the square?
    fn attacked(&self, at: At, army: usize) -> bool {
        self.pieces.iter().any(|piece| {
            self.team(piece.army) != self.team(army)
                && (!self.frozen[piece.army] || self.off("F2-attack"))
                && !(self.off("C1") && piece.army > self.ally(piece.army))
                && self.reach(piece).contains(&at)
        })
    }

    fn in_check(&self, army: usize) -> bool {
        self.king(army).is_some_and(|at| self.attacked(at, army))
    }

    fn leaves_safe(&self, step: &Step) -> bool {
        let mut after = self.clone();
        after.play(step);
        !after.in_check(self.turn)
    }

    /// Not attacked, and no candidate leaves the king unattacked (N12).
    pub fn is_stalemated(&self) -> bool {
        let army = self.turn;
        let Some(at) = self.king(army) else { return false };
        if !self.plays(army) || self.attacked(at, army) || self.off("C4") {
            return false;
        }
        let is_king = |step: &Step| self.pieces[step.piece].letter == 'K';
        let mut steps = self.candidates(army);
        if self.off("N12") {
            steps.retain(is_king);
        }
        if self.off("N12-pin") {
            return steps.is_empty();
        }
        !steps.iter().any(|step| self.leaves_safe(step))
    }

    /// Section 3, points 3 to 6. Nothing means: pass.
    pub fn legal(&self) -> Vec<Step> {
        let army = self.turn;
        if self.frozen[army] && !self.off("F2-move") {
            return Vec::new();
        }
        let mut steps = self.candidates(army);
        let king_steps: Vec<Step> =
            steps.iter().filter(|step| self.pieces[step.piece].letter == 'K').cloned().collect();
        let allowed =
            |step: &Step| self.die.is_none_or(|die| self.kinds(die).contains(self.pieces[step.piece].letter));
        if self.off("N20") {
            // The die first: a forced king move counts only if the die lets the king move.
            steps.retain(&allowed);
        }
        let can_step = steps.iter().any(|step| self.pieces[step.piece].letter == 'K');
        if self.in_check(army) {
            if can_step && !self.off("K3") && !self.off("C2") {
                steps = king_steps;
                if self.off("N10") || self.off("K3-stay") {
                    steps.retain(|step| self.leaves_safe(step));
                }
            } else if !can_step && (self.off("K4") || self.off("C3")) {
                steps.clear();
            }
        } else if self.king(army).is_some() {
            if self.is_stalemated() {
                return Vec::new();
            }
            if self.off("N11") {
                steps.retain(|step| self.pieces[step.piece].letter != 'K' || self.leaves_safe(step));
            }
            if self.off("N11-pin") {
                steps.retain(|step| self.pieces[step.piece].letter == 'K' || self.leaves_safe(step));
            }
        } else if self.off("S5") {
            steps.clear();
        }
        if self.off("Z7-lost") && !steps.iter().any(&allowed) {
            return steps;
        }
        steps.retain(allowed);
        steps
    }

    fn kinds(&self, die: u64) -> &'static str {
        if self.off(&format!("Z{die}")) {
            return "KQRBNP";
        }
        match die {
            1 => "KP",
            2 => "N",
            3 => "B",
            4 => "Q",
            5 => "R",
            _ => "P",
        }
    }

    pub fn text(&self, step: &Step) -> String {
        let piece = &self.pieces[step.piece];
        let sign = if step.takes { 'x' } else { '-' };
        let promotion = step.promotion.map(|letter| format!("={letter}")).unwrap_or_default();
        format!("{}{}{sign}{}{promotion}", piece.letter, name(piece.at), name(step.to))
    }

    pub fn moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.legal().iter().map(|step| self.text(step)).collect();
        if texts.is_empty() {
            texts.push("pass".into());
        }
        texts.sort();
        texts.dedup();
        texts
    }

    /// Section 3, point 7.
    pub fn play(&mut self, step: &Step) {
        let mover = self.pieces[step.piece].clone();
        let army = mover.army;
        let gone: Vec<Piece> =
            if step.takes { self.on(step.to).into_iter().cloned().collect() } else { Vec::new() };
        let spared = |piece: &Piece| self.off("T3") && gone.len() == 2 && piece.letter == 'K';
        let gone: Vec<Piece> = gone.iter().filter(|piece| !spared(piece)).cloned().collect();
        let left_throne = mover.letter == 'K' && self.camps[self.ally(army)].thrones.contains(&mover.at);
        let was_empty = gone.is_empty();
        let privileged = self.is_privileged(army) || step.promotion.is_some() && self.off("P6");
        self.pieces.retain(|piece| !gone.contains(piece));
        for king in gone.iter().filter(|piece| piece.letter == 'K') {
            self.king_falls(king.army, army, step.promotion.is_some());
        }
        let index = self.pieces.iter().position(|piece| *piece == mover).expect("the mover is on the board");
        self.pieces[index].at = step.to;
        if let Some(letter) = step.promotion {
            self.promote(index, letter, privileged);
        }
        if mover.letter == 'K' {
            if left_throne && self.off("F5") {
                let ally = self.ally(army);
                self.commander[ally] = ally;
            }
            self.seize(army, step.to, was_empty);
        }
        self.hand_on();
    }

    fn king_falls(&mut self, army: usize, captor: usize, by_promotion: bool) {
        self.captor[army] = Some(captor);
        let under_command = self.commander[army] != army;
        if self.off("F1") || self.off("N14-foreign") && under_command || self.off("N24") && by_promotion {
            return;
        }
        self.frozen[army] = true;
        for subject in 0..4 {
            if subject != army && self.commander[subject] == army && !self.off("F6") {
                self.commander[subject] = subject;
                if self.captor[subject].is_some() && !self.off("N14") {
                    self.frozen[subject] = true;
                }
            }
        }
    }

    fn promote(&mut self, index: usize, letter: char, privileged: bool) {
        let army = self.pieces[index].army;
        if (privileged && !self.off("P7") || self.off("P7-only"))
            && let Some(piece) =
                self.pieces.iter().position(|piece| piece.army == army && piece.letter == letter)
        {
            let stays = self.off("N23-demoted") && self.in_zone(army, self.pieces[piece].at);
            if !stays {
                self.pieces[piece].letter = 'P';
                self.pieces[piece].extra = letter.to_string();
            }
        }
        let at = self.pieces[index].at;
        let system = if self.off("N8") { "aries".into() } else { self.system_of(at) };
        let piece = &mut self.pieces[index];
        piece.letter = letter;
        piece.extra = if matches!(letter, 'Q' | 'B') { system } else { String::new() };
    }

    fn seize(&mut self, army: usize, to: At, was_empty: bool) {
        let ally = self.ally(army);
        let thrones = &self.camps[ally].thrones;
        let listed = if self.off("N13") { thrones.first() == Some(&to) } else { thrones.contains(&to) };
        let living = self.king(ally).is_some();
        if !listed || self.off("N13-living") && living || self.off("N24-seize") && !was_empty {
            return;
        }
        if !self.off("F3") {
            self.commander[ally] = if self.off("N13-commander") { army } else { self.commander[army] };
        }
        if !self.off("F4") {
            self.frozen[ally] = false;
        }
        if self.off("N17") {
            self.captor[ally] = None;
        }
    }

    /// Section 3, point 1.
    pub fn hand_on(&mut self) {
        self.die = None;
        let at = self.order.iter().position(|&army| army == self.turn).expect("the army has a turn");
        for k in 1..=4 {
            let next = self.order[(at + k) % 4];
            if self.plays(next) {
                self.turn = next;
                return;
            }
        }
    }

    pub fn result(&self) -> Option<String> {
        let team = |name: &str| -> Vec<usize> { (0..4).filter(|&army| self.team(army) == name).collect() };
        for (name, winner) in [("air", "earth"), ("earth", "air")] {
            if team(name).iter().all(|&army| self.captor[army].is_some()) && !self.off("V1") {
                return Some(format!("win {winner} kings-captured"));
            }
        }
        let bare = |name: &str| {
            team(name).iter().all(|&army| {
                let here = self.king(army).is_some() || self.off("N18") && self.captor[army].is_some();
                here && !self.pieces.iter().any(|piece| piece.army == army && piece.letter != 'K')
            })
        };
        match (bare("air"), bare("earth")) {
            (true, true) if !self.off("D2") => Some("draw four-bare-kings".into()),
            (true, false) | (false, true) if !self.off("D1") => Some("draw bare-kings".into()),
            _ => None,
        }
    }

    /// The two captured kings and their captors, if an exchange can be agreed (N15).
    pub fn exchange_captors(&self) -> Option<[usize; 2]> {
        let mut captors = Vec::new();
        for team in ["air", "earth"] {
            let held: Vec<usize> =
                (0..4).filter(|&army| self.team(army) == team && self.captor[army].is_some()).collect();
            if held.len() != 1 {
                return None;
            }
            let captor = self.captor[held[0]].expect("held");
            if self.king(captor).is_none() && !self.off("N15") {
                return None;
            }
            captors.push(captor);
        }
        captors.try_into().ok()
    }

    /// Both kings return (N16).
    pub fn exchange(&mut self) {
        let mut kings: Vec<usize> =
            self.order.iter().copied().filter(|&army| self.captor[army].is_some()).collect();
        if self.off("N16-order") {
            kings.reverse();
        }
        let before = self.clone();
        for &king in &kings {
            if !self.off("X3") {
                self.frozen[king] = false;
            }
            if !self.off("V1-returned") {
                self.captor[king] = None;
            }
        }
        for &king in &kings {
            let thrones = self.camps[king].thrones.clone();
            let judge = if self.off("N16-thaw") { &before } else { &*self };
            let free =
                |at: &At| self.on(*at).is_empty() && (self.off("N16-attacked") || !judge.attacked(*at, king));
            let mut nearest: Vec<At> = (0..64).map(|i| (i % 8, i / 8)).filter(free).collect();
            let steps = |at: &At, throne: &At| {
                let (x, y) = ((at.0 - throne.0).abs(), (at.1 - throne.1).abs());
                if self.off("N16-steps") { x + y } else { x.max(y) }
            };
            if self.off("N16-tie") {
                nearest.reverse();
            }
            let distance = |at: &At| thrones.iter().map(|throne| steps(at, throne)).min().unwrap_or(0);
            let listed = if self.off("N16") { None } else { thrones.iter().copied().find(free) };
            let mut at = listed.or_else(|| nearest.iter().copied().min_by_key(distance));
            if self.off("X2") || self.off("T4") {
                at = nearest.first().copied();
            }
            if let Some(at) = at {
                self.pieces.push(Piece { at, army: king, letter: 'K', extra: String::new() });
            }
        }
        if self.off("N15-turn") {
            self.hand_on();
        }
    }

    /// One line about the position, as fixtures write it.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        for (army, army_name) in ARMIES.iter().enumerate() {
            let mut pieces: Vec<&Piece> = self.pieces.iter().filter(|piece| piece.army == army).collect();
            pieces.sort_by_key(|piece| (piece.at.1 * 8 + piece.at.0, piece.letter != 'K'));
            let mut text = (*army_name).to_owned();
            for piece in pieces {
                text += &format!(" {}{}", piece.letter, name(piece.at));
                if piece.letter == 'P'
                    || matches!(piece.letter, 'Q' | 'B') && piece.extra != self.system_of(piece.at)
                {
                    text += &format!("/{}", piece.extra);
                }
            }
            parts.push(text);
        }
        parts.push(format!("turn {}", ARMIES[self.turn]));
        let frozen: Vec<&str> = (0..4).filter(|&army| self.frozen[army]).map(|army| ARMIES[army]).collect();
        if !frozen.is_empty() {
            parts.push(format!("frozen {}", frozen.join(" ")));
        }
        let pairs = |of: &dyn Fn(usize) -> Option<usize>| -> Vec<String> {
            (0..4).filter_map(|army| Some(format!("{}<{}", ARMIES[army], ARMIES[of(army)?]))).collect()
        };
        let prisoners = pairs(&|army| self.captor[army]);
        if !prisoners.is_empty() {
            parts.push(format!("prisoners {}", prisoners.join(" ")));
        }
        let commanders = pairs(&|army| Some(self.commander[army]).filter(|&commander| commander != army));
        if !commanders.is_empty() {
            parts.push(format!("commanders {}", commanders.join(" ")));
        }
        if let Some(die) = self.die {
            parts.push(format!("die {die}"));
        }
        if let Some(result) = self.result() {
            parts.push(format!("result {result}"));
        }
        parts.join("; ")
    }
}

/// Sequences of `depth` turns; a pass counts as one, and nothing follows the end of the game.
pub fn perft(plain: &Plain, depth: u32) -> u64 {
    if plain.result().is_some() && depth > 0 {
        return 0;
    }
    let steps = plain.legal();
    match depth {
        0 => 1,
        1 => steps.len().max(1) as u64,
        _ if steps.is_empty() => {
            let mut after = plain.clone();
            after.hand_on();
            perft(&after, depth - 1)
        }
        _ => steps
            .iter()
            .map(|step| {
                let mut after = plain.clone();
                after.play(step);
                perft(&after, depth - 1)
            })
            .sum(),
    }
}
