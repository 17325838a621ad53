//! Wall time, with the throughput shown as what it is here: the factor to a PAL machine.

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

pub struct Factor(pub WallTime);

impl Measurement for Factor {
    type Intermediate = <WallTime as Measurement>::Intermediate;
    type Value = <WallTime as Measurement>::Value;

    fn start(&self) -> Self::Intermediate {
        self.0.start()
    }

    fn end(&self, start: Self::Intermediate) -> Self::Value {
        self.0.end(start)
    }

    fn add(&self, left: &Self::Value, right: &Self::Value) -> Self::Value {
        self.0.add(left, right)
    }

    fn zero(&self) -> Self::Value {
        self.0.zero()
    }

    fn to_f64(&self, value: &Self::Value) -> f64 {
        self.0.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Factor {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        self.0.formatter().scale_values(typical, values)
    }

    /// Values are nanoseconds of an iteration; an element is an emulated cycle.
    fn scale_throughputs(&self, typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        match throughput {
            Throughput::Elements(cycles) => {
                for value in values {
                    *value = *cycles as f64 / *value * 1e9 / 985_248.0;
                }
                "x real time"
            }
            other => self.0.formatter().scale_throughputs(typical, other, values),
        }
    }

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        self.0.formatter().scale_for_machines(values)
    }
}
