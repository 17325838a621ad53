//! An Ultimate 64, Ultimate II+ or Commodore 64 Ultimate on the network: its calls by name. Only those are here that
//! programs and tests need: no settings, no files on the device, no power.

use std::path::Path;

use serde_json::Value;
use tempo_diagnostics::escaped;

use super::http::{Failure, Request, ask};

/// Where a device is, and its password.
#[derive(Debug, Clone)]
pub struct Device {
    host: String,
    port: u16,
    password: Option<String>,
}

/// Why something was not done.
#[derive(Debug, PartialEq, Eq)]
pub enum Problem {
    /// The device cannot be talked to.
    Unreachable(String),
    /// The device said no.
    Refused(String),
}

impl Device {
    /// `HOST`, `HOST:PORT`, `[IPV6]:PORT`, with `http://`, `u64://` or `ultimate:` in front.
    pub fn parse(text: &str, password: Option<String>) -> Result<Device, String> {
        let wrong = || format!("`{}` is not an address: write HOST or HOST:PORT", escaped(text));
        let place = ["http://", "u64://", "ultimate:"].into_iter().find_map(|it| text.strip_prefix(it));
        let place = place.unwrap_or(text).trim_end_matches('/');
        let (host, port) = match place.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or_else(wrong)?;
                (host, port.strip_prefix(':'))
            }
            None => match place.split_once(':') {
                Some((_, rest)) if rest.contains(':') => (place, None),
                Some((host, port)) => (host, Some(port)),
                None => (place, None),
            },
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%');
        if host.is_empty() || !host.chars().all(is_name) {
            return Err(wrong());
        }
        let port = port.map_or(Some(80), |port| port.parse().ok()).ok_or_else(wrong)?;
        Ok(Device { host: host.to_owned(), port, password })
    }

    /// The address, as messages name it.
    pub fn shown(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// Whether it is there, lets us in and knows the calls: its name.
    pub fn greet(&self) -> Result<String, Problem> {
        let answer = self.call("GET", "/v1/info", &[])?;
        let value: Option<Value> = serde_json::from_slice(&answer).ok();
        let Some(value) = value.filter(|value| value["product"].is_string()) else {
            return Err(Problem::Refused(format!("{} does not answer as an Ultimate does", self.shown())));
        };
        let text = |name: &str| escaped(value[name].as_str().unwrap_or("?")).into_owned();
        Ok(format!("{} (firmware {})", text("product"), text("firmware_version")))
    }

    /// Starts a program.
    pub fn run_prg(&self, bytes: &[u8]) -> Result<(), Problem> {
        self.call("POST", "/v1/runners:run_prg", bytes).map(drop)
    }

    /// Loads a program without starting it.
    pub fn load_prg(&self, bytes: &[u8]) -> Result<(), Problem> {
        self.call("POST", "/v1/runners:load_prg", bytes).map(drop)
    }

    /// Starts from a cartridge.
    pub fn run_crt(&self, bytes: &[u8]) -> Result<(), Problem> {
        self.call("POST", "/v1/runners:run_crt", bytes).map(drop)
    }

    /// Plays a tune.
    pub fn play_sid(&self, bytes: &[u8]) -> Result<(), Problem> {
        self.call("POST", "/v1/runners:sidplay", bytes).map(drop)
    }

    /// Puts a disk into a drive.
    pub fn mount(&self, drive: &str, kind: &str, bytes: &[u8]) -> Result<(), Problem> {
        self.call("POST", &format!("/v1/drives/{drive}:mount?type={kind}"), bytes).map(drop)
    }

    /// Resets the computer.
    pub fn reset(&self) -> Result<(), Problem> {
        self.call("PUT", "/v1/machine:reset", &[]).map(drop)
    }

    /// Reads memory as the CPU sees it.
    pub fn read(&self, address: u16, length: usize) -> Result<Vec<u8>, Problem> {
        let bytes =
            self.call("GET", &format!("/v1/machine:readmem?address={address:04x}&length={length}"), &[])?;
        match bytes.len() == length {
            true => Ok(bytes),
            false => Err(Problem::Refused(format!("it sent {} bytes of {length}", bytes.len()))),
        }
    }

    /// Writes memory: a few bytes in the request, more as a file.
    pub fn write(&self, address: u16, bytes: &[u8]) -> Result<(), Problem> {
        if bytes.len() <= 128 {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let path = format!("/v1/machine:writemem?address={address:04x}&data={hex}");
            return self.call("PUT", &path, &[]).map(drop);
        }
        self.call("POST", &format!("/v1/machine:writemem?address={address:04x}"), bytes).map(drop)
    }

    fn call(&self, method: &str, path: &str, body: &[u8]) -> Result<Vec<u8>, Problem> {
        let headers: Vec<(&str, &str)> =
            self.password.iter().map(|password| ("X-Password", password.as_str())).collect();
        let request = Request { method, path, headers: &headers, body };
        let place = self.shown();
        let response = ask(&self.host, self.port, &request).map_err(|failure| match failure {
            Failure::Unreachable(why) => Problem::Unreachable(format!(
                "cannot reach {place}: {why}; is it switched on, in this network, and are its web services on?"
            )),
            Failure::Broken(why) => Problem::Unreachable(format!("{place}: {}", escaped(&why))),
        })?;
        if response.status == 200 {
            return match errors(&response.body) {
                Some(errors) => Err(Problem::Refused(format!("{place} says: {errors}"))),
                None => Ok(response.body),
            };
        }
        let said = errors(&response.body);
        Err(Problem::Refused(match (response.status, said) {
            (403, _) if self.password.is_some() => format!("{place} does not accept the password"),
            (403, _) => format!(
                "{place} wants a password: --password-file FILE, or TEMPO_ULTIMATE_PASSWORD in the environment"
            ),
            (_, Some(errors)) => format!("{place} says: {errors}"),
            (404, None) => {
                format!("{place} does not know {}: firmware 3.11 or later is needed", call_name(path))
            }
            (status, None) => format!("{place} answers {status} to {}", call_name(path)),
        }))
    }
}

fn call_name(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

/// The sentences in an answer's `errors`, if there are any.
fn errors(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let errors: Vec<&str> = value.get("errors")?.as_array()?.iter().filter_map(Value::as_str).collect();
    (!errors.is_empty()).then(|| escaped(&errors.join("; ")).into_owned())
}

/// The password in a file or in the environment, without the line's end.
pub fn password(file: Option<&Path>) -> Result<Option<String>, String> {
    let text = match file {
        Some(path) => {
            let bytes = tempo_host::files::read_limited(path, 4096);
            let bytes = bytes.map_err(|err| format!("--password-file {}: {err}", path.display()))?;
            Some(String::from_utf8(bytes).map_err(|_| format!("{} is not a text file", path.display()))?)
        }
        None => std::env::var("TEMPO_ULTIMATE_PASSWORD").ok(),
    };
    let text =
        text.map(|text| text.trim_end_matches(['\r', '\n']).to_owned()).filter(|text| !text.is_empty());
    match text {
        Some(text) if text.chars().any(char::is_control) => {
            Err("the password has control characters".to_owned())
        }
        text => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn addresses_have_many_forms() {
        for (text, shown) in [
            ("u64", "u64:80"),
            ("192.168.1.64:8080", "192.168.1.64:8080"),
            ("u64://c64.local", "c64.local:80"),
            ("http://c64/", "c64:80"),
            ("ultimate:c64", "c64:80"),
            ("[fe80::1]:81", "fe80::1:81"),
        ] {
            assert_eq!(Device::parse(text, None).map(|it| it.shown()), Ok(shown.to_owned()));
        }
        for text in ["", ":80", "a b", "host:port", "a\r\nX-Evil: 1", "host/path", "u64:99999"] {
            assert!(Device::parse(text, None).is_err(), "{text:?}");
        }
    }
}
