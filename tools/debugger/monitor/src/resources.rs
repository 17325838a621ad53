//! Resources: VICE's settings, as far as they mean something here.

use crate::core::AtJam;

/// The value of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A text.
    Text(String),
}

/// The resources that are known, by name.
#[derive(Debug, Clone)]
pub struct Resources(Vec<(&'static str, Value)>);

impl Default for Resources {
    fn default() -> Resources {
        let number = |name, value| (name, Value::Number(value));
        let text = |name, value: &str| (name, Value::Text(value.to_string()));
        Resources(vec![
            number("MonitorServer", 1),
            number("BinaryMonitorServer", 1),
            text("MonitorServerAddress", "ip4://127.0.0.1:6510"),
            text("BinaryMonitorServerAddress", "ip4://127.0.0.1:6502"),
            number("VICIIBorderMode", 0),
            number("JAMAction", 1),
            number("MachineVideoStandard", 1),
            number("Speed", 100),
            text("VICIIPaletteFile", "pepto-pal"),
        ])
    }
}

impl Resources {
    /// The value of one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Sets one that is known. A text sets a number, too, if it is one. `false` if it cannot be set.
    pub fn set(&mut self, name: &str, value: Value) -> bool {
        let Some((known, place)) = self.0.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name))
        else {
            return false;
        };
        let value = match (&*place, value) {
            (Value::Number(_), Value::Text(text)) => match text.trim().parse() {
                Ok(number) => Value::Number(number),
                Err(_) => return false,
            },
            (Value::Text(_), Value::Number(number)) => Value::Text(number.to_string()),
            (_, value) => value,
        };
        let most = match *known {
            "VICIIBorderMode" => 3,
            "MachineVideoStandard" => 2,
            _ => i32::MAX,
        };
        if matches!(value, Value::Number(number) if number < 0 || number > most) {
            return false;
        }
        *place = value;
        true
    }

    /// The effect of a jam opcode.
    pub fn at_jam(&self) -> AtJam {
        match self.get("JAMAction") {
            Some(Value::Number(0)) => AtJam::Stop,
            _ => AtJam::GoOn,
        }
    }
}
