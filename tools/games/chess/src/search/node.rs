//! Alpha-beta with iterative deepening: the root, a full node, the quiescence. The order of everything here is
//! the program's, down to ties.

mod mates;

use std::cmp::Reverse;
use std::sync::atomic::Ordering;

use super::captures::Capture;
use super::geometry::{BISHOP, KNIGHT, QUEEN, ROOK, index};
use super::keys::SHORT;
use super::position::{Position, Step};
use super::table::{Bound, Table};
use super::values::Blend;
use super::{Costs, Limits, MATE, MATE_RANGE, Reference, Report, Settings};

const INFINITE: i16 = 16_000;
/// Plies from the root at which a line ends.
const MAX_PLY: usize = 30;
/// Quiet moves, and all moves of nodes in check and of the root, on the path; others are left out.
const MAX_LISTED: usize = 512;
/// The longest list of one node.
const MAX_LIST: usize = 255;
/// Captures on the path; others are left out.
const MAX_CAPTURES: usize = 255;
/// Moves of a line that are kept.
const LINE: usize = 8;

/// The rest of a line, from a node on.
#[derive(Debug, Clone, Copy)]
struct Line {
    moves: [Step; LINE],
    length: usize,
}

impl Line {
    const EMPTY: Line = Line { moves: [Step::NONE; LINE], length: 0 };

    fn start_with(&mut self, mv: Step, rest: &Line) {
        self.length = (rest.length + 1).min(LINE);
        self.moves[0] = mv;
        self.moves[1..self.length].copy_from_slice(&rest.moves[..self.length - 1]);
    }
}

/// A full node while its moves are searched.
struct Frame {
    ply: usize,
    depth: u8,
    alpha: i16,
    beta: i16,
    best: Step,
    raised: bool,
    /// Moves searched so far.
    searched: u8,
}

/// Whether a node goes on after a move.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    /// The move refutes the one before, or the search is stopped.
    Leave,
}

/// The move before this node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Move,
    Null,
}

pub(super) struct Searcher<'a> {
    position: Position,
    blend: Blend,
    settings: Settings,
    costs: Costs,
    table: &'a mut Table,
    history: Vec<u16>,
    limits: Limits<'a>,
    killers: [[Step; 2]; MAX_PLY + 2],
    /// The credit of quiet moves that refuted one, by piece and square.
    credit: [[u8; 128]; 16],
    lines: [Line; MAX_PLY + 2],
    /// Listed moves of all nodes on the path, one after the other.
    listed: Vec<Step>,
    /// Captures likewise.
    captures: Vec<Capture>,
    scratch: Vec<Step>,
    nodes: u32,
    cycles: u64,
    /// The most cycles: the first iteration may take more than the limit.
    most: u64,
    stopped: bool,
    answer: Step,
    value: i16,
    line: Line,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        reference: &'a mut Reference,
        position: Position,
        blend: Blend,
        history: Vec<u16>,
        limits: Limits<'a>,
    ) -> Searcher<'a> {
        Searcher {
            position,
            blend,
            settings: reference.settings,
            costs: reference.costs,
            table: &mut reference.table,
            history,
            limits,
            killers: [[Step::NONE; 2]; MAX_PLY + 2],
            credit: [[0; 128]; 16],
            lines: [Line::EMPTY; MAX_PLY + 2],
            listed: Vec::with_capacity(MAX_LISTED),
            captures: Vec::with_capacity(MAX_CAPTURES + 80),
            scratch: Vec::with_capacity(256),
            nodes: 0,
            cycles: u64::from(reference.costs.search),
            most: if limits.cycles > 0 { limits.cycles.max(limits.first) } else { u64::MAX },
            stopped: false,
            answer: Step::NONE,
            value: 0,
            line: Line::EMPTY,
        }
    }

    /// All iterations.
    pub(super) fn run(mut self, moves: &[Step], progress: &mut impl FnMut(&Report)) -> Report {
        self.scratch.extend_from_slice(moves);
        self.list_all();
        self.answer = self.listed[0];
        self.line.start_with(self.answer, &Line::EMPTY);
        let deepest = match self.limits.depth {
            0 => Limits::MAX_DEPTH,
            depth => depth.min(Limits::MAX_DEPTH),
        };
        let mut reached = 0;
        let mut hunted = false;
        for depth in 1..=deepest {
            let value = self.iteration(depth);
            if self.stopped {
                break;
            }
            reached = depth;
            if self.limits.cycles > 0 {
                self.most = self.limits.cycles;
            }
            self.best_first();
            progress(&self.report(reached));
            if value <= -MATE_RANGE && MATE + value <= i16::from(depth) {
                break;
            }
            if self.settings.hunt && !hunted && mates::smells(depth, value, self.blend.mode) {
                hunted = true;
                self.hunt();
                if self.value != value {
                    progress(&self.report(reached));
                }
            }
            if self.stopped || self.value >= MATE_RANGE {
                break;
            }
        }
        self.report(reached)
    }

    /// One iteration: with a window around the last value, of which a side is opened if the value is beyond it.
    fn iteration(&mut self, depth: u8) -> i16 {
        let width = self.settings.aspiration;
        let (mut alpha, mut beta) = match width > 0 && depth > 1 && self.value.abs() < MATE_RANGE {
            true => (self.value - width, self.value + width),
            false => (-INFINITE, INFINITE),
        };
        loop {
            let value = self.node(0, depth, alpha, beta, Before::Move);
            if self.stopped || alpha < value && value < beta {
                return value;
            }
            self.best_first();
            if value <= alpha {
                alpha = -INFINITE;
            } else {
                beta = INFINITE;
            }
        }
    }

    fn best_first(&mut self) {
        let best = self.answer;
        let place = self.listed.iter().position(|&listed| listed == best).expect("it was searched");
        self.listed[..=place].rotate_right(1);
    }

    fn report(&self, depth: u8) -> Report {
        let mut position = self.position.clone();
        let mut line = Vec::with_capacity(self.line.length);
        for &mv in &self.line.moves[..self.line.length] {
            line.push(position.decode(mv));
            position.make(mv, &self.blend);
        }
        Report {
            best: Some(self.position.decode(self.answer)),
            value: self.value,
            depth,
            nodes: self.nodes,
            cycles: self.cycles,
            line,
        }
    }

    fn spend(&mut self, cycles: u32) {
        self.cycles += u64::from(cycles);
    }

    /// Counts a node; true if it may not be searched.
    fn enter(&mut self) -> bool {
        self.nodes += 1;
        self.cycles += u64::from(self.costs.node);
        let limits = &self.limits;
        self.stopped |= limits.nodes != 0 && self.nodes >= limits.nodes
            || self.cycles >= self.most
            || limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped
    }

    fn evaluate(&mut self, alpha: i16, beta: i16) -> i16 {
        let (value, counted) = self.position.evaluate(&self.blend, alpha, beta, self.settings.lazy);
        self.spend(self.costs.value + if counted { self.costs.terms } else { 0 });
        value
    }

    // --- Full nodes ---

    fn node(&mut self, ply: usize, depth: u8, alpha: i16, beta: i16, before: Before) -> i16 {
        if self.enter() {
            return 0;
        }
        self.lines[ply].length = 0;
        if ply >= MAX_PLY {
            return self.evaluate(alpha, beta).clamp(alpha, beta);
        }
        self.spend(self.costs.check_test);
        let in_check = self.position.in_check();
        let depth = depth + u8::from(in_check && (self.settings.check_extension || depth == 0));
        if depth == 0 {
            return self.quiesce(ply, alpha, beta);
        }
        let mut remembered = Step::NONE;
        if ply > 0 {
            if self.position.clock >= 100 && !in_check || self.is_repeated() {
                return 0.clamp(alpha, beta);
            }
            match self.ask_table(ply, depth, alpha, beta) {
                Ok(value) => return value,
                Err(mv) => remembered = mv,
            }
        }
        let mut futile = false;
        let mates = ply > 0 && !in_check && alpha >= MATE_RANGE;
        if ply > 0 && !in_check && !mates {
            // No guesses about mates: a shorter one must be seen.
            if beta <= -MATE_RANGE {
                if mates::out_of_reach(ply, depth, beta) {
                    return beta;
                }
            } else {
                let value = self.evaluate(alpha, beta);
                let plies = i16::from(depth);
                let (deepest, margin) = self.settings.reverse_futility;
                if depth <= deepest && value - margin * plies >= beta {
                    return beta;
                }
                if before == Before::Move && value >= beta && self.null_move_refutes(ply, depth, beta) {
                    return beta;
                }
                if self.stopped {
                    return 0;
                }
                let (deepest, margin) = self.settings.futility;
                futile = depth <= deepest && value + margin * plies <= alpha;
            }
        }
        let frame = Frame { ply, depth, alpha, beta, best: Step::NONE, raised: false, searched: 0 };
        let (listed, captures) = (self.listed.len(), self.captures.len());
        let value = match (ply, in_check) {
            (0, _) => self.search_root(frame, in_check),
            (_, true) => self.search_answers(frame, remembered),
            (_, false) if mates => self.search_mates(frame, remembered),
            (_, false) => self.search_stages(frame, remembered, futile),
        };
        if ply > 0 {
            self.listed.truncate(listed);
            self.captures.truncate(captures);
        }
        value
    }

    /// A draw if the position occurred before, in the game or on the path, since the last irreversible move.
    fn is_repeated(&mut self) -> bool {
        let path = self.position.plies();
        for distance in (4..=usize::from(self.position.clock)).step_by(2) {
            let earlier = if distance <= path {
                self.position.past_key(distance) & SHORT
            } else {
                match self.history.len().checked_sub(1 + distance - path) {
                    Some(entry) => u32::from(self.history[entry]),
                    None => return false,
                }
            };
            self.spend(self.costs.repetition);
            if earlier == self.position.key & SHORT {
                return true;
            }
        }
        false
    }

    /// The value of the node if the table has it, or the move it remembers.
    fn ask_table(&mut self, ply: usize, depth: u8, alpha: i16, beta: i16) -> Result<i16, Step> {
        if !self.settings.table {
            return Err(Step::NONE);
        }
        self.spend(self.costs.probe);
        let Position { key, score, .. } = self.position;
        let Some(entry) = self.table.probe(key, score) else { return Err(Step::NONE) };
        if entry.depth() >= depth {
            let value = match entry.value {
                value if value >= MATE_RANGE => value - ply as i16,
                value if value <= -MATE_RANGE => value + ply as i16,
                value => value,
            };
            match entry.bound() {
                Bound::Exact => return Ok(value.clamp(alpha, beta)),
                Bound::Lower if value >= beta => return Ok(beta),
                Bound::Upper if value <= alpha => return Ok(alpha),
                Bound::Lower | Bound::Upper => {}
            }
        }
        Err(entry.mv)
    }

    fn null_move_refutes(&mut self, ply: usize, depth: u8, beta: i16) -> bool {
        let white = self.position.white;
        let has_piece = [KNIGHT, BISHOP, ROOK, QUEEN]
            .into_iter()
            .any(|kind| !self.position.list(white, kind).squares().is_empty());
        if self.settings.null_depth == 0 || depth < self.settings.null_depth || !has_piece {
            return false;
        }
        let (reduction, more_from) = self.settings.null_reduction;
        let reduction = reduction + u8::from(depth >= more_from);
        self.spend(self.costs.null);
        self.position.make_null();
        let value = -self.node(ply + 1, depth.saturating_sub(1 + reduction), -beta, 1 - beta, Before::Null);
        self.position.unmake_null();
        !self.stopped && value >= beta
    }

    /// The root's list goes from iteration to iteration.
    fn search_root(&mut self, mut frame: Frame, in_check: bool) -> i16 {
        for place in 0..self.listed.len() {
            let mv = self.listed[place];
            let late = !in_check && frame.alpha < MATE_RANGE && self.position.capture_key(mv).is_none();
            if self.try_move(&mut frame, mv, late) == Flow::Leave {
                break;
            }
        }
        self.finish(&frame)
    }

    /// In check: all legal moves at once.
    fn search_answers(&mut self, frame: Frame, remembered: Step) -> i16 {
        self.legal_moves();
        if self.scratch.is_empty() {
            return (-MATE + frame.ply as i16).clamp(frame.alpha, frame.beta);
        }
        if self.position.clock >= 100 {
            return 0.clamp(frame.alpha, frame.beta);
        }
        if frame.beta <= -MATE_RANGE && mates::out_of_reach(frame.ply, frame.depth, frame.beta) {
            return frame.beta;
        }
        self.search_all(frame, remembered)
    }

    /// The moves found, the remembered one first.
    fn search_all(&mut self, mut frame: Frame, remembered: Step) -> i16 {
        let start = self.listed.len();
        self.list_all();
        let known = self.listed[start..].contains(&remembered);
        if known && self.try_move(&mut frame, remembered, false) == Flow::Leave {
            return self.finish(&frame);
        }
        for place in start..self.listed.len() {
            let mv = self.listed[place];
            if mv != remembered && self.try_move(&mut frame, mv, false) == Flow::Leave {
                return self.finish(&frame);
            }
        }
        self.finish(&frame)
    }

    /// Not in check: moves are generated only when their turn comes.
    fn search_stages(&mut self, mut frame: Frame, mut remembered: Step, futile: bool) -> i16 {
        if remembered != Step::NONE {
            self.spend(self.costs.fits);
            if !self.position.fits(remembered) || !self.position.is_legal(remembered) {
                remembered = Step::NONE;
            } else if self.try_move(&mut frame, remembered, false) == Flow::Leave {
                return self.finish(&frame);
            }
        }

        let start = self.captures.len();
        self.find_captures();
        let sound = start + sort(&mut self.captures[start..], self.settings.losing_captures);
        self.captures.truncate(MAX_CAPTURES);
        let end = self.captures.len();
        let sound = sound.min(end);
        for place in start..sound {
            if self.try_capture(&mut frame, place, remembered) == Flow::Leave {
                return self.finish(&frame);
            }
        }
        if futile {
            return self.finish(&frame);
        }

        let mut killers = if self.settings.killers { self.killers[frame.ply] } else { [Step::NONE; 2] };
        for killer in &mut killers {
            if *killer == remembered || *killer == Step::NONE {
                continue;
            }
            self.spend(self.costs.fits);
            if !self.position.fits(*killer)
                || !self.position.is_quiet(*killer)
                || !self.position.is_legal(*killer)
            {
                *killer = Step::NONE;
            } else if self.try_move(&mut frame, *killer, false) == Flow::Leave {
                return self.finish(&frame);
            }
        }

        self.legal_moves();
        let quiets = self.listed.len();
        let room = room(quiets);
        let is_other = |mv: &&Step| self.position.capture_key(**mv).is_none();
        self.listed.extend(self.scratch.iter().filter(is_other).take(room));
        self.order_quiets(quiets);
        for place in quiets..self.listed.len() {
            if self.settings.history {
                self.spend(self.costs.order[1] * (self.listed.len() - place) as u32);
            }
            let mv = self.listed[place];
            let done = mv == remembered || killers.contains(&mv);
            if !done && self.try_move(&mut frame, mv, true) == Flow::Leave {
                return self.finish(&frame);
            }
        }

        for place in sound..end {
            if self.try_capture(&mut frame, place, remembered) == Flow::Leave {
                return self.finish(&frame);
            }
        }
        self.finish_all(&frame)
    }

    fn order_quiets(&mut self, from: usize) {
        if self.settings.placing {
            let [fixed, each] = self.costs.classes;
            self.spend(fixed + each * (self.listed.len() - from) as u32);
            let (position, blend) = (&self.position, &self.blend);
            self.listed[from..].sort_by_key(|&mv| Reverse(position.gain_class(mv, blend)));
        }
        if !self.settings.history {
            return;
        }
        self.spend(self.costs.order[0] * (self.listed.len() - from) as u32);
        let (position, credit) = (&self.position, &self.credit);
        let key = |mv: &Step| Reverse(credit[index(position.at(mv.from))][usize::from(mv.target())]);
        self.listed[from..].sort_by_key(key);
    }

    /// The value of a node whose moves were all looked at: without one it is a draw.
    fn finish_all(&mut self, frame: &Frame) -> i16 {
        match frame.searched {
            0 => 0.clamp(frame.alpha, frame.beta),
            _ => self.finish(frame),
        }
    }

    /// A capture of the list, if it is legal and was not searched as the remembered move.
    fn try_capture(&mut self, frame: &mut Frame, place: usize, remembered: Step) -> Flow {
        let mv = self.captures[place].mv;
        if mv == remembered {
            return Flow::Next;
        }
        self.spend(self.costs.legality);
        if !self.position.is_legal(mv) {
            return Flow::Next;
        }
        self.try_move(frame, mv, false)
    }

    /// Searches a legal move. `late` moves may be reduced.
    fn try_move(&mut self, frame: &mut Frame, mv: Step, late: bool) -> Flow {
        let reduction = if late { self.reduction(frame) } else { 0 };
        let (ply, alpha, beta) = (frame.ply + 1, frame.alpha, frame.beta);
        frame.searched = frame.searched.saturating_add(1);
        self.spend(self.costs.make);
        self.position.make(mv, &self.blend);
        let mut value = beta;
        if reduction > 0 {
            value = -self.node(ply, frame.depth - 1 - reduction, -alpha - 1, -alpha, Before::Move);
        }
        let narrow = self.settings.principal_variation && frame.searched > 1 && beta - alpha > 1;
        if !self.stopped && value > alpha && narrow {
            value = -self.node(ply, frame.depth - 1, -alpha - 1, -alpha, Before::Move);
        }
        if !self.stopped && value > alpha {
            value = -self.node(ply, frame.depth - 1, -beta, -alpha, Before::Move);
        }
        self.position.unmake(mv);
        if self.stopped {
            return Flow::Leave;
        }
        if value <= alpha {
            return Flow::Next;
        }
        frame.alpha = value;
        frame.best = mv;
        frame.raised = true;
        let (here, rest) = self.lines.split_at_mut(ply);
        here[frame.ply].start_with(mv, &rest[0]);
        if frame.ply == 0 {
            self.answer = mv;
            self.value = value;
            self.line = self.lines[0];
        }
        if self.settings.hunt && frame.ply == 0 && value >= MATE_RANGE {
            // A mate is enough: the hunt looks for shorter ones.
            frame.beta = value;
        }
        if value < frame.beta {
            return Flow::Next;
        }
        let killers = &mut self.killers[frame.ply];
        if self.position.is_quiet(mv) {
            if killers[0] != mv {
                *killers = [mv, killers[0]];
            }
            let piece = index(self.position.at(mv.from));
            let credit = &mut self.credit[piece][usize::from(mv.target())];
            *credit = credit.saturating_add(frame.depth.min(15).pow(2));
        }
        Flow::Leave
    }

    fn reduction(&self, frame: &Frame) -> u8 {
        let Settings { reduction_depth: least, reduction_moves: [one, two, three], .. } = self.settings;
        let (depth, searched) = (frame.depth, frame.searched);
        match searched {
            _ if least == 0 || depth < least || searched < one => 0,
            _ if searched >= three && depth >= least + 3 => 3,
            _ if searched >= two && depth > least => 2,
            _ => 1,
        }
    }

    /// The node's value, which the table remembers.
    fn finish(&mut self, frame: &Frame) -> i16 {
        if self.stopped {
            return 0;
        }
        let (bound, value) = match frame.raised {
            true if frame.alpha >= frame.beta => (Bound::Lower, frame.beta),
            true => (Bound::Exact, frame.alpha),
            false => (Bound::Upper, frame.alpha),
        };
        if self.settings.table {
            self.spend(self.costs.store);
            let stored = match value {
                value if value >= MATE_RANGE => value + frame.ply as i16,
                value if value <= -MATE_RANGE => value - frame.ply as i16,
                value => value,
            };
            let Position { key, score, .. } = self.position;
            self.table.store((key, score), frame.depth, bound, stored, frame.best);
        }
        value
    }

    // --- Lists ---

    fn own_pieces(&self) -> u32 {
        let white = self.position.white;
        let count = |kind| self.position.list(white, kind).squares().len() as u32;
        (0..5).map(count).sum::<u32>() + 1
    }

    fn legal_moves(&mut self) {
        self.position.legal_moves(&mut self.scratch);
        let [fixed, piece, each] = self.costs.legal;
        self.spend(fixed + piece * self.own_pieces() + each * self.scratch.len() as u32);
    }

    /// Finds the captures; false if one of them takes the king.
    fn find_captures(&mut self) -> bool {
        let before = self.captures.len();
        let sound = self.position.captures(&mut self.captures);
        let [fixed, piece, each] = self.costs.captures;
        self.spend(fixed + piece * self.own_pieces() + each * (self.captures.len() - before) as u32);
        sound
    }

    /// Lists all legal moves: captures and queen promotions by key, then the others.
    fn list_all(&mut self) {
        let start = self.listed.len();
        let room = room(start);
        let captures = self.captures.len();
        for &mv in &self.scratch {
            if let Some(key) = self.position.taker_key(mv)
                && self.captures.len() - captures < room
            {
                self.captures.push(Capture { mv, key, losing: false });
            }
        }
        sort(&mut self.captures[captures..], false);
        self.listed.extend(self.captures.drain(captures..).map(|capture| capture.mv));
        let left = room - (self.listed.len() - start);
        let is_other = |mv: &&Step| self.position.capture_key(**mv).is_none();
        self.listed.extend(self.scratch.iter().filter(is_other).take(left));
    }

    // --- Quiescence ---

    fn quiet_node(&mut self, ply: usize, alpha: i16, beta: i16) -> i16 {
        if self.enter() {
            return 0;
        }
        self.lines[ply].length = 0;
        if ply >= MAX_PLY {
            return self.evaluate(alpha, beta).clamp(alpha, beta);
        }
        self.quiesce(ply, alpha, beta)
    }

    fn quiesce(&mut self, ply: usize, alpha: i16, beta: i16) -> i16 {
        let value = self.evaluate(alpha, beta);
        if value >= beta {
            return beta;
        }
        let mut alpha = alpha.max(value);
        let start = self.captures.len();
        let legal = self.find_captures();
        let sound = sort(&mut self.captures[start..], self.settings.losing_captures);
        self.captures.truncate((start + sound).min(MAX_CAPTURES));
        if !legal {
            // The king could be taken: the move before was not legal.
            alpha = beta;
        }
        let below = alpha - value;
        for place in start..self.captures.len() {
            if alpha >= beta {
                break;
            }
            let Capture { mv, key, .. } = self.captures[place];
            if self.is_hopeless(key, below) {
                continue;
            }
            self.spend(self.costs.make);
            self.position.make(mv, &self.blend);
            let value = -self.quiet_node(ply + 1, -beta, -alpha);
            self.position.unmake(mv);
            if self.stopped {
                break;
            }
            alpha = alpha.max(value);
        }
        self.captures.truncate(start);
        alpha.min(beta)
    }

    /// Whether a capture cannot bring back what is missing to alpha.
    fn is_hopeless(&self, key: u8, below: i16) -> bool {
        let [pawn, minor, rook] = self.settings.delta;
        let enough = match key {
            8 => pawn,
            24 => minor,
            40 => rook,
            _ => 0,
        };
        enough != 0 && below >= enough
    }
}

/// Places left for the list of a node that begins at `start`.
fn room(start: usize) -> usize {
    (MAX_LISTED - start).min(MAX_LIST)
}

/// Sorts by key, highest first and equal keys as they were found; losing captures go to the end unsorted.
/// Returns the number of the others.
fn sort(captures: &mut [Capture], losing_last: bool) -> usize {
    let rank = |capture: &Capture| match capture.losing && losing_last {
        true => 0,
        false => u16::from(capture.key) + 1,
    };
    for end in 1..captures.len() {
        let mut place = end;
        while place > 0 && rank(&captures[place - 1]) < rank(&captures[place]) {
            captures.swap(place - 1, place);
            place -= 1;
        }
    }
    captures.iter().take_while(|capture| rank(capture) > 0).count()
}
