//! Where rules and positions come from: files, standard input, the built-in rulebook; and how their
//! faults are shown.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use tempo_diagnostics::{Colour, Renderer, Source};
use tempo_enochian::{ArraySpec, Fault, Position, Rulebook, Turning};
use tempo_host::{Exit, files, input, output, term};

/// Larger than any rules file or position.
const LIMIT: u64 = 1 << 20;

/// More faults than a person reads at once.
const MOST_FAULTS: usize = 50;

/// Which rules are played.
#[derive(Debug, Clone, Args)]
pub struct RulesArgs {
    /// A rules file in YAML instead of the built-in one; sections it leaves out stay as built in
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
}

/// Where to start.
#[derive(Debug, Clone, Args)]
pub struct StartArgs {
    #[command(flatten)]
    pub rules: RulesArgs,

    /// The starting array, see `tempo enochian arrays` [default: fire_of_fire]
    #[arg(long, value_name = "NAME", conflicts_with = "position")]
    pub array: Option<String>,

    /// Play the array the other way round
    #[arg(long, conflicts_with = "position")]
    pub widdershins: bool,

    /// A position in JSON or text form, - for standard input
    #[arg(long, value_name = "FILE")]
    pub position: Option<PathBuf>,
}

/// A position and what it was made from.
pub struct Start {
    pub book: Rulebook,
    pub position: Position,
    /// The array it comes from, if it does.
    pub array: Option<ArraySpec>,
}

impl RulesArgs {
    /// The rulebook; what is wrong has been said if there is none.
    pub fn load(&self) -> Result<Rulebook, Exit> {
        let Some(path) = &self.rules else { return Ok(Rulebook::embedded().clone()) };
        let bytes = read(path)?;
        Rulebook::from_yaml(&bytes).map_err(|faults| show_faults(&shown_name(path), &bytes, &faults))
    }
}

impl StartArgs {
    pub fn load(&self) -> Result<Start, Exit> {
        let book = self.rules.load()?;
        if let Some(path) = &self.position {
            let position = load_position(path, &book)?;
            return Ok(Start { book, position, array: None });
        }
        let array = match &self.array {
            None => book.recommended_array(),
            Some(name) => match book.find(name) {
                Ok(array) => array,
                Err(err) => {
                    let help = "`tempo enochian arrays` lists them";
                    return Err(output::complain(format_args!("{err}\n   = help: {help}")));
                }
            },
        };
        let turning = if self.widdershins { Turning::Widdershins } else { Turning::Listed };
        let Some(order) = array.order(turning) else {
            let id = &array.id;
            return Err(output::complain(format_args!("the array {id} has no widdershins turn order")));
        };
        let (position, array) = (array.position_in(order), array.clone());
        Ok(Start { book, position, array: Some(array) })
    }
}

/// Reads a position in either form. What is odd about it is said on standard error.
pub fn load_position(path: &Path, book: &Rulebook) -> Result<Position, Exit> {
    let bytes = read(path)?;
    let name = shown_name(path);
    // The text form starts with a letter, which no JSON of ours does.
    let is_text = bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(u8::is_ascii_alphabetic);
    let position = match std::str::from_utf8(&bytes) {
        Ok(text) if is_text => Position::from_text(text, &book.base),
        _ => Position::from_json(&bytes, &book.base),
    };
    let position = position.map_err(|faults| show_faults(&name, &bytes, &faults))?;
    for oddity in position.oddities() {
        let _ = writeln!(std::io::stderr(), "{}", output::visible(&format!("warning: {name}: {oddity}")));
    }
    Ok(position)
}

fn shown_name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

fn read(path: &Path) -> Result<Vec<u8>, Exit> {
    let name = shown_name(path);
    if path == Path::new("-") {
        return match input::read_stdin(LIMIT as usize) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => {
                Err(output::complain(format_args!("{name} is larger than the limit of {LIMIT} bytes")))
            }
            Err(err) => Err(output::complain(format_args!("cannot read {name}: {err}"))),
        };
    }
    files::read_limited(path, LIMIT)
        .map_err(|err| output::complain(format_args!("cannot read {name}: {err}")))
}

/// Shows faults with their lines; the exit code of a source that failed.
fn show_faults(name: &str, bytes: &[u8], faults: &[Fault]) -> Exit {
    let source = Source::from_bytes(name, bytes);
    let renderer = Renderer::new(&source).colour(Colour::when(term::stderr_colour()));
    let mut message: String = faults.iter().take(MOST_FAULTS).map(|fault| renderer.human(fault)).collect();
    if faults.len() > MOST_FAULTS {
        message += &format!("… and {} more\n", faults.len() - MOST_FAULTS);
    }
    message += &format!(
        "{}: {}\n",
        tempo_diagnostics::escaped(name),
        tempo_diagnostics::plural(faults.len(), "fault")
    );
    // Nothing can be done for a user whose standard error is closed.
    let _ = std::io::stderr().write_all(message.as_bytes());
    Exit::Failed
}
