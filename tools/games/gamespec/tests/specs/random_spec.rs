//! Random game specs: small boards, few pieces, every word of the format.

use serde_json::{Value, json};
use tempo_random::Random;

const PIECES: [&str; 4] = ["KING", "AAA", "BBB", "CCC"];
const PLAYERS: [&str; 3] = ["RED", "GREEN", "BLUE"];

/// A game in order, though hardly a good one.
pub fn spec(random: &mut Random) -> Value {
    let (columns, rows) = (2 + random.index(4) as i64, 2 + random.index(4) as i64);
    let players = 1 + random.index(3);
    let pieces = 2 + random.index(3);
    let mut squares: Vec<[i64; 2]> = (0..columns * rows).map(|i| [i % columns, i / columns]).collect();
    for i in (1..squares.len()).rev() {
        squares.swap(i, random.index(i + 1));
    }
    let holes: Vec<[i64; 2]> = (0..random.index(3)).filter_map(|_| squares.pop()).collect();
    let zone = |random: &mut Random, squares: &[[i64; 2]]| -> Value {
        let mut check = serde_json::Map::new();
        for player in &PLAYERS[..players] {
            let list: Vec<_> = squares.iter().filter(|_| random.once_in(2)).collect();
            if !random.once_in(5) {
                check.insert((*player).into(), json!(list));
            }
        }
        Value::Object(check)
    };
    let zones = [zone(random, &squares), zone(random, &squares)];
    let directions = [
        json!([[1, 0], [0, 1]]),
        json!([[-1, 0], [0, -1]]),
        json!([[0, -1], [1, 0]]),
        json!([[0, 1], [-1, 0]]),
        json!([[1, 0], [0, -1]]),
        json!([[-1, 0], [0, 1]]),
        json!([[0, 1], [1, 0]]),
        json!([[0, -1], [-1, 0]]),
    ];
    let entries: Vec<Value> = PLAYERS[..players]
        .iter()
        .map(|name| {
            let mut start: Vec<Value> = Vec::new();
            for _ in 0..1 + random.index(3) {
                if let Some(square) = squares.pop() {
                    start.push(json!({"piece": *random.pick(&PIECES[..pieces]), "positions": [square]}));
                }
            }
            json!({"name": *name, "direction": random.pick(&directions).clone(), "starting_positions": start})
        })
        .collect();
    let order: Vec<&str> = (0..1 + random.index(4)).map(|_| *random.pick(&PLAYERS[..players])).collect();
    let catalogue: Vec<Value> = PIECES[..pieces]
        .iter()
        .map(|code| {
            let count = random.index(4) + usize::from(*code == "KING");
            let moves: Vec<Value> = (0..count).map(|id| definition(random, id, pieces)).collect();
            json!({"code": *code, "moves": moves})
        })
        .collect();
    let mut spec = json!({
        "name": "RANDOM",
        "extensions": ["EMPTY_AT"],
        "board": {"dimensions": [columns, rows], "disabled_positions": holes},
        "players": entries,
        "turns": {"order": order, "start_at": random.index(order.len())},
        "conditions": [
            {"code": "ZONE_A", "type": "POSITION", "check": zones[0]},
            {"code": "ZONE_B", "type": "POSITION", "check": zones[1]},
        ],
        "pieces": catalogue,
    });
    if !random.once_in(4) {
        spec["leader"] = json!("KING");
    }
    spec
}

fn offset(random: &mut Random, reach: i64) -> Value {
    let width = (2 * reach + 1) as usize;
    json!([random.index(width) as i64 - reach, random.index(width) as i64 - reach])
}

fn step(random: &mut Random) -> Value {
    loop {
        let step = if random.once_in(3) { offset(random, 2) } else { offset(random, 1) };
        if step != json!([0, 0]) {
            return step;
        }
    }
}

fn definition(random: &mut Random, id: usize, pieces: usize) -> Value {
    let mut actions = Vec::new();
    for (state, action) in [("EMPTY", "MOVE"), ("ENEMY", "CAPTURE"), ("ALLY", "CAPTURE")] {
        if if state == "ALLY" { random.once_in(6) } else { !random.once_in(5) } {
            let mut entry = json!({"state": state, "action": action});
            if random.once_in(4) {
                entry["conditions"] = conditions(random, id);
            }
            if random.once_in(5) {
                entry["side_effects"] = effects(random, pieces);
            }
            actions.push(entry);
        }
    }
    if actions.is_empty() {
        actions.push(json!({"state": "EMPTY", "action": "MOVE"}));
    }
    let mut def = json!({"id": id, "step": step(random), "actions": actions});
    if random.once_in(3) {
        def["conditions"] = conditions(random, id);
    }
    if random.once_in(3) {
        def["side_effects"] = effects(random, pieces);
    }
    if random.once_in(5) {
        let modifiers: Vec<Value> = (0..1 + random.index(2))
            .map(|_| {
                let options: Vec<&str> =
                    (0..1 + random.index(2)).map(|_| *random.pick(&PIECES[..pieces])).collect();
                let mut options = options;
                options.dedup();
                let mut modifier = json!({"action": "TRANSFORM", "options": options});
                if random.once_in(2) {
                    modifier["conditions"] = conditions(random, id);
                }
                modifier
            })
            .collect();
        def["modifiers"] = json!(modifiers);
    }
    if random.once_in(2) {
        let mut repeat = json!({});
        if random.once_in(2) {
            repeat["loop"] = json!(true);
        } else {
            repeat["times"] = json!(1 + random.index(3));
        }
        if random.once_in(3) {
            repeat["until"] =
                json!(*random.pick(&["NOT_EMPTY", "EMPTY", "ENEMY", "ALLY", "ZONE_A", "ZONE_B"]));
        }
        def["repeat"] = repeat;
    }
    def
}

fn conditions(random: &mut Random, id: usize) -> Value {
    let count = 1 + random.index(2);
    let list: Vec<Value> = (0..count)
        .map(|_| match random.index(14) {
            0 => json!({"condition": "FIRST_MOVE"}),
            1 if id > 0 => json!({"condition": "DEPENDS_ON", "move_id": random.index(id)}),
            2 => json!({"condition": "PIECE_FIRST_MOVE", "position": offset(random, 2)}),
            3 => json!({"condition": "ROOK_FIRST_MOVE", "position": offset(random, 2)}),
            4 | 11..=13 => json!({"condition": "CHECK_STATE", "state": *random.pick(&["HOT", "COLD"]), "position": offset(random, 1)}),
            5 => json!({"condition": "PATH_EMPTY"}),
            6 => json!({"condition": "NOT_ATTACKED"}),
            7 => json!({"condition": "PATH_NOT_ATTACKED"}),
            8 => json!({"condition": "EMPTY_AT", "positions": [offset(random, 2)]}),
            9 => json!({"condition": "ZONE_B"}),
            _ => json!({"condition": "ZONE_A"}),
        })
        .collect();
    json!(list)
}

fn effects(random: &mut Random, pieces: usize) -> Value {
    let list: Vec<Value> = (0..1 + random.index(2))
        .map(|_| match random.index(6) {
            0 => json!({"action": "CAPTURE", "target": offset(random, 2)}),
            1 => {
                let mut effect =
                    json!({"action": "MOVE", "from": offset(random, 2), "to": offset(random, 2)});
                if random.once_in(2) {
                    effect["piece"] = json!(*random.pick(&PIECES[..pieces]));
                }
                effect
            }
            2 => json!({"action": "SET_STATE", "state": *random.pick(&["HOT", "COLD"])}),
            _ => {
                let state = *random.pick(&["HOT", "COLD"]);
                json!({"action": "SET_STATE", "state": state, "duration": 1 + random.index(3)})
            }
        })
        .collect();
    json!(list)
}
