//! Values of pieces, guessed from how they move on an empty board: the format says nothing
//! about it, and the search needs something to count.

use super::model::{Occupancy, Spec};
use super::tables::Tables;

/// Fills in `value` and `advances` of every kind.
pub(super) fn appraise(tables: &mut Tables) {
    let squares = (tables.squares - tables.spec.holes.len()).max(1) as i64;
    for kind in 1..tables.kinds.len() {
        let mut landings = 0i64;
        for square in 0..tables.squares {
            for ray in tables.rays_of(kind, square) {
                // A slide is worth less than its length: pieces are in its way.
                let length = i64::from(ray.length);
                let open = 100 * length.min(3) + 60 * (length - 3).max(0);
                let ways =
                    i64::from(ray.mask.has(Occupancy::Empty)) + i64::from(ray.mask.has(Occupancy::Enemy));
                landings += open * ways / 2;
            }
        }
        let entry = &tables.kinds[kind];
        let advances = only_advances(&tables.spec, usize::from(entry.piece));
        let entry = &mut tables.kinds[kind];
        entry.value = 20 + (landings * 6 / 10 / squares) as i32;
        entry.advances = advances;
    }
}

/// A piece that can never come back hurries forward: pawns of any kind.
fn only_advances(spec: &Spec, piece: usize) -> bool {
    let moves = &spec.pieces[piece].moves;
    !moves.is_empty() && moves.iter().all(|def| def.step.dy > 0)
}
