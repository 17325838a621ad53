//! Two measurements side by side.

use serde::Serialize;

use super::Measurement;

/// A figure before and now.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// In the earlier measurement; `None` if it has no such row.
    pub before: Option<f64>,
    /// In this one.
    pub now: Option<f64>,
}

impl Change {
    /// By how many percent it grew; `None` if one of the two is missing.
    pub fn percent(&self) -> Option<f64> {
        let (before, now) = (self.before?, self.now?);
        Some(if before == now { 0.0 } else { (now - before) * 100.0 / before.max(1.0) })
    }
}

/// A row or routine of either measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The row's or routine's name.
    pub name: String,
    /// The cheapest call; rows only.
    pub min: Option<Change>,
    /// The mean of a row, the own cycles of a routine.
    pub cycles: Change,
    /// The dearest call; rows only.
    pub max: Option<Change>,
}

impl Difference {
    /// By how many percent the mean or the maximum grew, whichever grew more. `None`: it is only in one of the two.
    pub fn percent(&self) -> Option<f64> {
        let mean = self.cycles.percent()?;
        Some(self.max.and_then(|max| max.percent()).map_or(mean, |max| max.max(mean)))
    }

    /// Whether it was there before and is not now.
    pub fn is_gone(&self) -> bool {
        self.cycles.now.is_none()
    }
}

/// The rows of both, then the routines whose own cycles differ.
pub fn differences(before: &Measurement, now: &Measurement) -> (Vec<Difference>, Vec<Difference>) {
    let all = |now: Vec<&str>, before: Vec<&str>| -> Vec<String> {
        let mut names: Vec<String> = now.into_iter().map(str::to_string).collect();
        for name in before {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_string());
            }
        }
        names
    };
    let row_names = |measured: &'_ Measurement| -> Vec<String> {
        measured.rows.iter().map(|row| row.name.clone()).collect()
    };
    let (now_rows, before_rows) = (row_names(now), row_names(before));
    let rows =
        all(now_rows.iter().map(String::as_str).collect(), before_rows.iter().map(String::as_str).collect())
            .into_iter()
            .map(|name| {
                let of = |measured: &Measurement| measured.rows.iter().find(|row| row.name == name).cloned();
                let (was, is) = (of(before), of(now));
                let change = |figure: fn(&super::Row) -> f64| Change {
                    before: was.as_ref().map(figure),
                    now: is.as_ref().map(figure),
                };
                Difference {
                    min: Some(change(|row| row.min as f64)),
                    cycles: change(|row| row.mean),
                    max: Some(change(|row| row.max as f64)),
                    name,
                }
            })
            .collect();
    let own = |measured: &Measurement, name: &str| {
        let mut sum = None;
        for routine in measured.routines.iter().filter(|routine| routine.name == name) {
            *sum.get_or_insert(0.0) += routine.own as f64;
        }
        sum
    };
    let routines = all(
        now.routines.iter().map(|routine| routine.name.as_str()).collect(),
        before.routines.iter().map(|routine| routine.name.as_str()).collect(),
    )
    .into_iter()
    .map(|name| {
        let cycles = Change { before: own(before, &name), now: own(now, &name) };
        Difference { name, min: None, cycles, max: None }
    })
    .filter(|difference| difference.cycles.before != difference.cycles.now)
    .collect();
    (rows, routines)
}
