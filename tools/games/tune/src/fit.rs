//! Least squares on the logistic scale by Gauss-Newton: the values that explain results and teacher best, held near
//! the present ones where few positions say anything.

use tempo_chess::search::{Features, PARAMETERS, Values};

use crate::data::Sample;

/// Centipawns that multiply the odds by e.
const SCALE: f64 = 160.0;
/// How much of a label is the game's result.
const RESULT: f64 = 0.15;
const STEPS: usize = 5;
const SIZE: usize = 2 * PARAMETERS;

/// A position as the fit sees it.
struct Row {
    features: Features,
    label: f64,
}

/// The result of a fit.
pub struct Fit {
    /// The new values.
    pub values: Values,
    /// Mean squared errors of the positions kept out: before and after.
    pub errors: [f64; 2],
    /// Positions fitted, and kept out.
    pub counts: [usize; 2],
}

fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value / SCALE).exp())
}

impl Row {
    fn of(sample: &Sample) -> Option<Row> {
        let label = (1.0 - RESULT) * logistic(sample.centipawns) + RESULT * sample.result;
        Some(Row { features: Features::of(&sample.board)?, label })
    }

    /// The columns of this row with their factors.
    fn columns(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let middle = self.features.middle;
        self.features
            .counts
            .iter()
            .flat_map(move |&(at, count)| [(at, count * middle), (PARAMETERS + at, count * (1.0 - middle))])
    }

    fn value(&self, parameters: &[f64]) -> f64 {
        self.columns().map(|(at, factor)| parameters[at] * factor).sum()
    }
}

/// Fits all values; `hold` is the weight of the present ones, in positions.
pub fn fit(samples: &[Sample], start: &Values, hold: f64) -> Fit {
    let rows: Vec<Row> = samples.iter().filter_map(Row::of).collect();
    let kept_out = |index: usize| index % 10 == 9;
    let present: Vec<f64> = start.parameters().concat();
    let mut parameters = present.clone();
    for _ in 0..STEPS {
        let mut matrix = vec![0.0; SIZE * SIZE];
        let mut right = vec![0.0; SIZE];
        for (_, row) in rows.iter().enumerate().filter(|&(index, _)| !kept_out(index)) {
            let guess = logistic(row.value(&parameters));
            let slope = guess * (1.0 - guess) / SCALE;
            let columns: Vec<(usize, f64)> = row.columns().filter(|&(_, factor)| factor != 0.0).collect();
            for &(at, factor) in &columns {
                right[at] += slope * factor * (row.label - guess);
                for &(other, with) in &columns {
                    matrix[at * SIZE + other] += slope * slope * factor * with;
                }
            }
        }
        // A position in the middle of the scale has this slope: so much does the present value weigh.
        let weight = hold * (0.25 / SCALE).powi(2);
        for at in 0..SIZE {
            matrix[at * SIZE + at] += weight;
            right[at] += weight * (present[at] - parameters[at]);
        }
        for (parameter, change) in parameters.iter_mut().zip(solve(matrix, right)) {
            *parameter += change;
        }
    }
    let values =
        Values::from_parameters(&[parameters[..PARAMETERS].to_vec(), parameters[PARAMETERS..].to_vec()]);
    let rounded: Vec<f64> = values.parameters().concat();
    let error = |parameters: &[f64]| {
        let held: Vec<&Row> =
            rows.iter().enumerate().filter(|&(index, _)| kept_out(index)).map(|(_, row)| row).collect();
        held.iter().map(|row| (logistic(row.value(parameters)) - row.label).powi(2)).sum::<f64>()
            / held.len().max(1) as f64
    };
    let held = (0..rows.len()).filter(|&index| kept_out(index)).count();
    Fit { values, errors: [error(&present), error(&rounded)], counts: [rows.len() - held, held] }
}

/// Solves a symmetric, positive definite system by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        for row in column..size {
            let (above, here) = (&matrix[column * size..column * size + column], row * size);
            let sum: f64 = above.iter().zip(&matrix[here..here + column]).map(|(a, b)| a * b).sum();
            let value = matrix[here + column] - sum;
            matrix[here + column] =
                if row == column { value.max(1e-12).sqrt() } else { value / matrix[column * size + column] };
        }
    }
    for row in 0..size {
        let sum: f64 = (0..row).map(|column| matrix[row * size + column] * right[column]).sum();
        right[row] = (right[row] - sum) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let sum: f64 = (row + 1..size).map(|below| matrix[below * size + row] * right[below]).sum();
        right[row] = (right[row] - sum) / matrix[row * size + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        let found = solve(vec![4.0, 2.0, 2.0, 3.0], vec![10.0, 9.0]);
        assert!((found[0] - 1.5).abs() < 1e-9 && (found[1] - 2.0).abs() < 1e-9, "{found:?}");
    }

    /// From values with the wrong price of a knight, labels of the right ones lead back.
    #[test]
    fn a_wrong_value_is_found() {
        let right = Values::default();
        let samples: Vec<Sample> = (0..300)
            .flat_map(|number| crate::data::game_samples(5, number, 60))
            .map(|mut sample| {
                let value = tempo_chess::search::static_value(&sample.board, &right).unwrap_or(0);
                sample.centipawns = f64::from(value);
                sample.result = logistic(f64::from(value));
                sample
            })
            .collect();
        assert!(samples.len() > 50, "{}", samples.len());
        let mut wrong = right.clone();
        wrong.base[4].middle -= 200;
        wrong.base[4].end -= 200;
        let fit = fit(&samples, &wrong, 10.0);
        assert!(fit.errors[1] < fit.errors[0] / 2.0, "{:?}", fit.errors);
    }
}
