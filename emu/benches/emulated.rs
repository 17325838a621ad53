//! Wall time, with the throughput shown as what it is here: emulated cycles, in a unit of the bench's choice.

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// Wall time whose throughputs are in `unit`.
pub struct Emulated {
    time: WallTime,
    /// Cycles a second that are one unit.
    cycles_a_second: f64,
    unit: &'static str,
}

impl Emulated {
    pub fn new(cycles_a_second: f64, unit: &'static str) -> Emulated {
        Emulated { time: WallTime, cycles_a_second, unit }
    }
}

impl Measurement for Emulated {
    type Intermediate = <WallTime as Measurement>::Intermediate;
    type Value = <WallTime as Measurement>::Value;

    fn start(&self) -> Self::Intermediate {
        self.time.start()
    }

    fn end(&self, start: Self::Intermediate) -> Self::Value {
        self.time.end(start)
    }

    fn add(&self, left: &Self::Value, right: &Self::Value) -> Self::Value {
        self.time.add(left, right)
    }

    fn zero(&self) -> Self::Value {
        self.time.zero()
    }

    fn to_f64(&self, value: &Self::Value) -> f64 {
        self.time.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Emulated {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        self.time.formatter().scale_values(typical, values)
    }

    /// Values are nanoseconds of an iteration; an element is an emulated cycle.
    fn scale_throughputs(&self, typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        match throughput {
            Throughput::Elements(cycles) => {
                for value in values {
                    *value = *cycles as f64 / *value * 1e9 / self.cycles_a_second;
                }
                self.unit
            }
            other => self.time.formatter().scale_throughputs(typical, other, values),
        }
    }

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        self.time.formatter().scale_for_machines(values)
    }
}
