//! A second engine for game specs: slow, literal, written from the format's page alone and sharing
//! nothing with the crate. It takes any JSON at its word, and it can be told to follow the *other*
//! reading of an unclear place, which is how a fixture proves that it tells the two apart.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

pub type At = (i64, i64);

#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    owner: usize,
    code: String,
    moves: u32,
    /// Turns left, none for good, and whether it was set in this turn.
    flags: BTreeMap<String, (Option<i64>, bool)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub board: BTreeMap<At, Placed>,
    pub turn: usize,
    pub winner: Option<usize>,
}

pub struct Oracle<'s> {
    spec: &'s Value,
    flip: &'s str,
    players: Vec<&'s str>,
    order: Vec<usize>,
    size: At,
    holes: BTreeSet<At>,
}

/// A landing of a move definition.
struct Landing<'s> {
    to: At,
    count: i64,
    action: &'s Value,
}

/// The subject of a condition.
#[derive(Clone, Copy)]
struct Ask<'a> {
    player: usize,
    piece: &'a Value,
    from: At,
    to: At,
    count: i64,
    step: At,
    in_attack: bool,
}

fn pair(value: &Value) -> At {
    (value[0].as_i64().unwrap(), value[1].as_i64().unwrap())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl<'s> Oracle<'s> {
    /// `flip` names the reading to turn round, such as `G4`; empty for none.
    pub fn new(spec: &'s Value, flip: &'s str) -> Oracle<'s> {
        let players: Vec<&str> =
            list(&spec["players"]).map(|player| player["name"].as_str().unwrap()).collect();
        let index = |name: &Value| players.iter().position(|player| Some(*player) == name.as_str()).unwrap();
        let mut order: Vec<usize> = list(&spec["turns"]["order"]).map(index).collect();
        if flip == "G21" {
            order.dedup();
        }
        Oracle {
            spec,
            flip,
            order,
            players,
            size: pair(&spec["board"]["dimensions"]),
            holes: list(&spec["board"]["disabled_positions"]).map(pair).collect(),
        }
    }

    pub fn start(&self) -> State {
        let mut board = BTreeMap::new();
        for (owner, player) in list(&self.spec["players"]).enumerate() {
            for entry in list(&player["starting_positions"]) {
                for at in list(&entry["positions"]) {
                    let code = entry["piece"].as_str().unwrap().to_owned();
                    board.insert(pair(at), Placed { owner, code, moves: 0, flags: BTreeMap::new() });
                }
            }
        }
        let turn = self.spec["turns"]["start_at"].as_u64().unwrap_or(0) as usize;
        // Only the other reading of G21 can have fewer turns than the spec.
        State { board, turn: turn % self.order.len(), winner: None }
    }

    pub fn player(&self, state: &State) -> usize {
        self.order[state.turn]
    }

    fn piece(&self, code: &str) -> &'s Value {
        list(&self.spec["pieces"]).find(|piece| piece["code"] == code).unwrap()
    }

    fn on_board(&self, (x, y): At) -> bool {
        (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y)
    }

    fn is_square(&self, at: At) -> bool {
        self.on_board(at) && !self.holes.contains(&at)
    }

    fn turn(&self, player: usize, (dx, dy): At) -> At {
        let matrix = &self.spec["players"][player]["direction"];
        let ((a, b), (c, d)) = (pair(&matrix[0]), pair(&matrix[1]));
        if self.flip == "G1" {
            (a * dx + b * dy, c * dx + d * dy)
        } else {
            (dx * a + dy * c, dx * b + dy * d)
        }
    }

    fn shifted(&self, player: usize, (x, y): At, offset: &Value) -> At {
        let (dx, dy) = self.turn(player, pair(offset));
        (x + dx, y + dy)
    }

    fn occupancy(state: &State, player: usize, at: At) -> &'static str {
        match state.board.get(&at) {
            None => "EMPTY",
            Some(placed) if placed.owner == player => "ALLY",
            Some(_) => "ENEMY",
        }
    }

    fn in_zone(&self, code: &str, player: usize, at: At) -> bool {
        let zone = list(&self.spec["conditions"]).find(|zone| zone["code"] == code);
        zone.is_some_and(|zone| list(&zone["check"][self.players[player]]).any(|square| pair(square) == at))
    }

    fn until(&self, state: &State, player: usize, def: &Value, at: At) -> bool {
        let occupancy = Self::occupancy(state, player, at);
        match def["repeat"]["until"].as_str().unwrap_or("NOT_EMPTY") {
            "NOT_EMPTY" => occupancy != "EMPTY",
            word @ ("EMPTY" | "ENEMY" | "ALLY") => occupancy == word,
            zone => self.in_zone(zone, player, at),
        }
    }

    /// Steps 2 to 4. With `attack`, the squares an `ENEMY` action reaches whatever is on them.
    fn walk(
        &self,
        state: &State,
        from: At,
        def: &'s Value,
        attack: Option<()>,
        in_attack: bool,
    ) -> Vec<Landing<'s>> {
        let placed = &state.board[&from];
        let (player, piece) = (placed.owner, self.piece(&placed.code));
        let step = self.turn(player, pair(&def["step"]));
        let limit = match &def["repeat"] {
            Value::Null => 1,
            repeat if repeat["loop"] == true => i64::MAX,
            repeat => repeat["times"].as_i64().unwrap_or(1),
        };
        let mut landings = Vec::new();
        let mut count = 0;
        while count < limit {
            count += 1;
            let to = (from.0 + count * step.0, from.1 + count * step.1);
            if !self.on_board(to) {
                break;
            }
            if self.holes.contains(&to) {
                if self.flip == "G3" {
                    continue;
                }
                break;
            }
            let stops = self.until(state, player, def, to);
            if self.flip == "G4" && stops {
                break;
            }
            let wanted = if attack.is_some() { "ENEMY" } else { Self::occupancy(state, player, to) };
            let mut action = list(&def["actions"]).find(|action| action["state"] == wanted);
            if self.flip == "G22-ally" && wanted == "ALLY" {
                action = None;
            }
            let ask = Ask { player, piece, from, to, count, step, in_attack };
            if let Some(action) = action {
                let holds =
                    self.all(state, &def["conditions"], ask) && self.all(state, &action["conditions"], ask);
                let exact = self.flip != "G5" || limit == i64::MAX || count == limit;
                let guarded = self.flip == "G8" && Self::occupancy(state, player, to) != "ENEMY";
                if holds && exact && !(attack.is_some() && guarded) {
                    landings.push(Landing { to, count, action });
                }
                if self.flip == "G6" && !holds {
                    break;
                }
            }
            if stops {
                break;
            }
        }
        landings
    }

    fn all(&self, state: &State, conditions: &Value, ask: Ask<'_>) -> bool {
        list(conditions).all(|condition| self.holds(state, condition, ask))
    }

    fn holds(&self, state: &State, condition: &Value, ask: Ask<'_>) -> bool {
        let Ask { player, piece, from, to, count, step, in_attack } = ask;
        let at = |key: &str| self.shifted(player, from, &condition[key]);
        let own_unmoved = |at: At| {
            let placed = state.board.get(&at);
            placed.is_some_and(|placed| placed.moves == 0 && (placed.owner == player || self.flip == "G12"))
        };
        let span = gcd(step.0, step.1);
        let unit = (step.0 / span, step.1 / span);
        let lattice = |i: i64| (from.0 + i * unit.0, from.1 + i * unit.1);
        match condition["condition"].as_str().unwrap() {
            "FIRST_MOVE" => state.board[&from].moves == 0,
            "DEPENDS_ON" => {
                let def = list(&piece["moves"]).find(|def| def["id"] == condition["move_id"]).unwrap();
                let landings = self.walk(state, from, def, None, in_attack);
                if self.flip == "G13" {
                    return landings.iter().any(|landing| {
                        let after = self.changed(state, from, def, landing, None);
                        self.is_safe(&after, player, state)
                    });
                }
                !landings.is_empty()
            }
            "PIECE_FIRST_MOVE" => own_unmoved(at("position")),
            "ROOK_FIRST_MOVE" => {
                let at = at("position");
                !self.is_square(at) || !state.board.contains_key(&at) && self.flip != "G10" || own_unmoved(at)
            }
            "CHECK_STATE" => {
                let flag = condition["state"].as_str().unwrap();
                state.board.get(&at("position")).is_some_and(|placed| placed.flags.contains_key(flag))
            }
            "PATH_EMPTY" if self.flip == "G7" => {
                let unit = (step.0.signum(), step.1.signum());
                let steps = step.0.abs().max(step.1.abs());
                let start = (to.0 - step.0, to.1 - step.1);
                (1..steps).all(|i| {
                    let at = (start.0 + i * unit.0, start.1 + i * unit.1);
                    self.is_square(at) && !state.board.contains_key(&at)
                })
            }
            "PATH_EMPTY" => ((count - 1) * span + 1..count * span)
                .map(lattice)
                .all(|at| (self.is_square(at) || self.flip == "G3") && !state.board.contains_key(&at)),
            "NOT_ATTACKED" if in_attack => self.flip != "G11",
            "PATH_NOT_ATTACKED" if in_attack => self.flip != "G11",
            "NOT_ATTACKED" => !self.is_attacked(state, player, to),
            "PATH_NOT_ATTACKED" => {
                let first = i64::from(self.flip == "G9");
                !(first..=count * span).map(lattice).any(|at| self.is_attacked(state, player, at))
            }
            "EMPTY_AT" => list(&condition["positions"]).all(|offset| {
                let at = self.shifted(player, from, offset);
                self.is_square(at) && !state.board.contains_key(&at)
            }),
            name => {
                let known = list(&self.spec["conditions"]).any(|zone| zone["code"] == name);
                self.in_zone(name, player, to) || !known && self.flip == "G24"
            }
        }
    }

    /// Whether a square is in the attack set of anybody but `player`.
    fn is_attacked(&self, state: &State, player: usize, at: At) -> bool {
        state.board.iter().filter(|(_, placed)| placed.owner != player).any(|(&from, placed)| {
            list(&self.piece(&placed.code)["moves"])
                .any(|def| self.walk(state, from, def, Some(()), true).iter().any(|landing| landing.to == at))
        })
    }

    /// Section 4, points 1 to 5.
    fn changed(
        &self,
        state: &State,
        from: At,
        def: &Value,
        landing: &Landing<'_>,
        option: Option<&str>,
    ) -> State {
        let mut after = state.clone();
        let mut placed = after.board.remove(&from).unwrap();
        let player = placed.owner;
        let leader = self.spec["leader"].as_str();
        if let Some(taken) = after.board.remove(&landing.to)
            && Some(taken.code.as_str()) == leader
        {
            after.winner = Some(player);
        }
        placed.moves += 1;
        after.board.insert(landing.to, placed);
        let mut mover = landing.to;
        let origin = if self.flip == "G14" { landing.to } else { from };
        let (moves, actions) = (list(&def["side_effects"]), list(&landing.action["side_effects"]));
        let mut effects: Vec<&Value> = moves.chain(actions).collect();
        if self.flip == "G14-order" {
            effects.reverse();
        }
        for effect in effects {
            match effect["action"].as_str().unwrap() {
                "SET_STATE" => {
                    let flags = &mut after.board.get_mut(&mover).unwrap().flags;
                    flags.insert(
                        effect["state"].as_str().unwrap().into(),
                        (effect["duration"].as_i64(), true),
                    );
                }
                "CAPTURE" => {
                    let target = self.shifted(player, origin, &effect["target"]);
                    if target != mover
                        && let Some(taken) = after.board.remove(&target)
                        && Some(taken.code.as_str()) == leader
                    {
                        after.winner = Some(player);
                    }
                }
                "MOVE" => {
                    let start = self.shifted(player, origin, &effect["from"]);
                    let end = self.shifted(player, origin, &effect["to"]);
                    let fits = after.board.get(&start).is_some_and(|placed| {
                        let owned = self.flip != "G17-owner" || placed.owner == player;
                        owned && (effect["piece"].is_null() || effect["piece"] == placed.code.as_str())
                    });
                    let free = !after.board.contains_key(&end) || self.flip == "G17" && start != end;
                    if fits && self.is_square(end) && free {
                        let mut placed = after.board.remove(&start).unwrap();
                        placed.moves += 1;
                        after.board.insert(end, placed);
                        if start == mover {
                            mover = end;
                        }
                    }
                }
                other => panic!("unknown effect {other}"),
            }
        }
        if let Some(option) = option {
            let placed = after.board.get_mut(&mover).unwrap();
            placed.code = option.into();
            if self.flip != "G16-fresh" {
                placed.moves = 0;
                placed.flags.clear();
            }
        }
        after
    }

    fn leaders(&self, state: &State, player: usize) -> Vec<At> {
        let leader = self.spec["leader"].as_str();
        let own =
            |(_, placed): &(&At, &Placed)| placed.owner == player && Some(placed.code.as_str()) == leader;
        state.board.iter().filter(own).map(|(&at, _)| at).collect()
    }

    fn is_in_check(&self, state: &State, player: usize) -> bool {
        let leaders = self.leaders(state, player);
        let attacked = leaders.iter().filter(|&&at| self.is_attacked(state, player, at)).count();
        if self.flip == "G18-one" { attacked > 0 && attacked == leaders.len() } else { attacked > 0 }
    }

    fn is_safe(&self, after: &State, player: usize, before: &State) -> bool {
        let foreign = |state: &State| {
            (0..self.players.len())
                .filter(|&other| other != player)
                .map(|other| self.leaders(state, other).len())
                .sum::<usize>()
        };
        let beheads = foreign(after) < foreign(before) && self.flip != "G20";
        self.flip == "G18" || beheads || !self.is_in_check(after, player)
    }

    /// Every legal move with the state it leads to, sorted by text.
    pub fn legal(&self, state: &State) -> Vec<(String, State)> {
        let mut found = Vec::new();
        if state.winner.is_some() {
            return found;
        }
        let player = self.player(state);
        for (&from, placed) in state.board.iter().filter(|(_, placed)| placed.owner == player) {
            let piece = self.piece(&placed.code);
            for def in list(&piece["moves"]) {
                for landing in self.walk(state, from, def, None, false) {
                    let step = self.turn(player, pair(&def["step"]));
                    let ask = Ask {
                        player,
                        piece,
                        from,
                        to: landing.to,
                        count: landing.count,
                        step,
                        in_attack: false,
                    };
                    let fires = |modifier: &&Value| self.all(state, &modifier["conditions"], ask);
                    let mut firing: Vec<&Value> = list(&def["modifiers"]).filter(fires).collect();
                    if self.flip != "G16" {
                        firing.truncate(1);
                    }
                    let mut options: Vec<Option<&str>> = firing
                        .into_iter()
                        .flat_map(|modifier| list(&modifier["options"]))
                        .map(Value::as_str)
                        .collect();
                    if options.is_empty() {
                        options.push(None);
                    }
                    for option in options {
                        let after = self.changed(state, from, def, &landing, option);
                        if self.is_safe(&after, player, state) {
                            let ((x, y), (u, v)) = (from, landing.to);
                            let choice = option.map(|option| format!("={option}")).unwrap_or_default();
                            let text = format!("{x},{y}>{u},{v}#{}{choice}", def["id"]);
                            found.push((text, self.ended(after, player)));
                        }
                    }
                }
            }
        }
        if self.flip == "G23" {
            let key = |text: &str| {
                let (squares, rest) = text.split_once('#').unwrap();
                (squares.to_owned(), rest.split_once('=').map(|(_, option)| option.to_owned()))
            };
            let mut seen = BTreeSet::new();
            found.retain(|(text, _)| seen.insert(key(text)));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    /// Point 6: countdowns and the next turn.
    fn ended(&self, mut state: State, player: usize) -> State {
        for placed in state.board.values_mut() {
            // The other reading of G15 counts rounds: only the owner's own turns lower a flag.
            let counts = self.flip != "G15" || placed.owner == player;
            for (left, fresh) in placed.flags.values_mut() {
                if (!std::mem::take(fresh) || self.flip == "G15-now") && counts {
                    *left = left.map(|left| left - 1);
                }
            }
            placed.flags.retain(|_, (left, _)| *left != Some(0));
        }
        state.turn = (state.turn + 1) % self.order.len();
        if self.flip == "G20-on" {
            state.winner = None;
        }
        state
    }

    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal(state).len() as u64,
            _ => self.legal(state).iter().map(|(_, after)| self.perft(after, depth - 1)).sum(),
        }
    }

    /// `winner: reason`, or `-: reason` for a draw.
    pub fn result(&self, state: &State) -> Option<String> {
        if let Some(winner) = state.winner {
            return Some(format!("{}: leader_captured", self.players[winner]));
        }
        if !self.legal(state).is_empty() {
            return None;
        }
        let player = self.player(state);
        let last = self.players[self.order[(state.turn + self.order.len() - 1) % self.order.len()]];
        Some(if self.spec["leader"].is_null() {
            "-: no_moves".into()
        } else if self.is_in_check(state, player) {
            format!("{last}: checkmate")
        } else if self.flip == "G19" {
            format!("{last}: stalemate")
        } else {
            "-: stalemate".into()
        })
    }
}
