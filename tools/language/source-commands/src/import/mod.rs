//! `tempo import`: files of graphics editors, and pictures, as parts that a program imports.

pub mod project;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, FromArgMatches, ValueEnum};
use serde_json::{Map, json};
use tempo_emu::c64::PALETTE;
use tempo_formats::assets::{self, Asset, Conversion, PARTS, Target};
use tempo_formats::picture;
use tempo_host::files::{self, Outputs};
use tempo_host::{Exit, Format, output};

/// Larger than any project of these editors, and than any picture that becomes C64 graphics.
const FILE_LIMIT: u64 = 32 << 20;

/// Show what a file of a graphics editor has, and write its parts
///
/// Reads CharPad (.ctm, versions 5, 7, 8, 82 and 9), SpritePad (.spd), Spritemate (.spm), Koala Painter, Art Studio and
/// Advanced Art Studio. A PNG, GIF or JPEG becomes characters without repeats and a screen of their numbers, or sprites: a
/// pixel has the nearest of the sixteen colours. Sources read the same parts with LoadCharPad and LoadSpritePad, and
/// the assets of tempo.toml are written with every build.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  tempo import level.ctm                                  shows version, sizes and parts
  tempo import level.ctm --charset level.chr --map-low level.map
  tempo import hero.spd --data hero.bin
  tempo import font.png --charset font.chr --screen font.scr
  tempo import hero.png --as sprites --multicolour --shared 0,11,1 --data hero.bin

Exit codes: 0 shown or written; 1 the file is damaged or cannot be converted, and nothing was written; 2 unreadable or \
unwritable file.")]
pub struct Args {
    /// The file
    file: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// The form that a picture is turned into
    #[arg(long = "as", value_enum, default_value_t, value_name = "KIND", help_heading = "Pictures")]
    target: Kind,

    /// Two pixels of a picture make one, in four colours
    #[arg(long, help_heading = "Pictures")]
    multicolour: bool,

    /// Background and the two colours of multicolour, as in 0,11,12 [default: the most frequent ones]
    #[arg(long, value_delimiter = ',', value_name = "COLOURS", help_heading = "Pictures")]
    shared: Vec<u8>,

    #[command(flatten)]
    parts: Parts,
}

/// The form that a picture is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Kind {
    /// Characters and a screen of their numbers
    #[default]
    Characters,
    /// Sprites, in reading order
    Sprites,
}

/// The files of the parts, by the names of the parts.
#[derive(Debug, Default)]
struct Parts(Vec<(&'static str, PathBuf)>);

impl FromArgMatches for Parts {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Parts, clap::Error> {
        let mut parts = Parts::default();
        parts.update_from_arg_matches(matches)?;
        Ok(parts)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = PARTS.iter().filter_map(|part| {
            let path = matches.get_one::<PathBuf>(part.option)?;
            Some((part.name, path.clone()))
        });
        self.0 = given.collect();
        Ok(())
    }
}

impl clap::Args for Parts {
    fn augment_args(command: clap::Command) -> clap::Command {
        let option = |part: &assets::PartName| {
            Arg::new(part.option)
                .long(part.option)
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .help(part.about)
                .help_heading("Parts to write")
        };
        command.args(PARTS.iter().map(option))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Parts::augment_args(command)
    }
}

/// How pictures are converted.
#[derive(Debug, Clone, Default)]
pub struct How {
    pub kind: Kind,
    pub multicolour: bool,
    pub shared: Vec<u8>,
}

pub fn run(args: Args) -> Exit {
    let shown = args.file.display().to_string();
    let bytes = match files::read_limited(&args.file, FILE_LIMIT) {
        Ok(bytes) => bytes,
        Err(err) => return output::complain(format_args!("cannot read {shown}: {err}")),
    };
    let how = How { kind: args.target, multicolour: args.multicolour, shared: args.shared };
    let asset = match read(&args.file, &bytes, &how) {
        Ok(asset) => asset,
        Err(problem) => {
            output::complain(format_args!("{shown}: {problem}"));
            return Exit::Failed;
        }
    };
    if let Some(problem) = asset.warning() {
        output::warn(&output::visible(&format!("warning: {shown}: {problem}\n")));
    }
    if args.parts.0.is_empty() {
        return show(&shown, &asset, args.format);
    }
    let mut outputs = Outputs::default();
    for (name, path) in &args.parts.0 {
        match part(&asset, name) {
            Ok(bytes) => outputs.add(path, bytes),
            Err(problem) => {
                output::complain(format_args!("{shown}: {problem}"));
                return Exit::Failed;
            }
        }
    }
    match outputs.write() {
        Ok(()) => Exit::Fine,
        Err(err) => output::complain(err),
    }
}

/// Reads a file, or converts a picture.
pub fn read(path: &Path, bytes: &[u8], how: &How) -> Result<Asset, String> {
    if is_picture(bytes) {
        let picture = picture::decode(bytes).map_err(|err| err.to_string())?;
        let target = if how.kind == Kind::Sprites { Target::Sprites } else { Target::Characters };
        let conversion = Conversion {
            target,
            is_multicolour: how.multicolour,
            colours: how.shared.clone(),
            palette: &PALETTE,
        };
        return assets::convert(&picture, &conversion).map_err(|err| err.to_string());
    }
    assets::read(&path.to_string_lossy(), bytes).map_err(|err| err.to_string())
}

/// PNG, GIF and JPEG begin with their names or marks.
fn is_picture(bytes: &[u8]) -> bool {
    [&b"\x89PNG"[..], b"GIF8", b"\xff\xd8\xff"].iter().any(|mark| bytes.starts_with(mark))
}

/// The bytes of a part; one that the file does not have is an error.
pub fn part<'a>(asset: &'a Asset, name: &str) -> Result<&'a [u8], String> {
    match asset.part(name).filter(|part| !part.is_empty()) {
        Some(part) => Ok(&part.bytes),
        None => {
            let option =
                |name: &str| PARTS.iter().find(|part| part.name == name).map_or("", |part| part.option);
            let there = asset.parts.iter().filter(|part| !part.is_empty());
            let there: Vec<&str> = there.map(|part| option(part.name)).collect();
            Err(format!("it has no {}; it has {}", option(name), there.join(", ")))
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

fn show(name: &str, asset: &Asset, format: Format) -> Exit {
    let parts = || asset.parts.iter().filter(|part| !part.is_empty());
    output::print(|out| {
        if format == Format::Json {
            let mut answer = Map::new();
            answer.insert("format".into(), asset.format.name().into());
            for (name, number) in &asset.numbers {
                answer.insert((*name).into(), (*number).into());
            }
            answer.insert("colours".into(), json!(asset.colours));
            if !asset.names.is_empty() {
                answer.insert("names".into(), json!(asset.names));
            }
            let of_part = |part: &assets::Part| {
                let first = &part.bytes[..part.bytes.len().min(16)];
                json!({
                    "entries": part.len(), "size": part.bytes.len(), "first": hex(first), "bytes": part.bytes,
                })
            };
            let parts: Map<String, serde_json::Value> =
                parts().map(|part| (part.name.to_owned(), of_part(part))).collect();
            answer.insert("parts".into(), parts.into());
            answer.insert("leftOver".into(), asset.left_over.into());
            writeln!(out, "{}", serde_json::Value::from(answer))?;
            return Ok(Exit::Fine);
        }
        writeln!(out, "{}: {}", output::visible(name), asset.format.name())?;
        for (name, number) in &asset.numbers {
            writeln!(out, "  {name:20} {number}")?;
        }
        let colours: Vec<String> = asset.colours.iter().map(u8::to_string).collect();
        if !colours.is_empty() {
            writeln!(out, "  {:20} {}", "colours", colours.join(" "))?;
        }
        writeln!(out, "part                  entries  bytes  begins with")?;
        for part in parts() {
            let first = &part.bytes[..part.bytes.len().min(8)];
            writeln!(out, "{:20} {:>8} {:>6}  {}", part.name, part.len(), part.bytes.len(), hex(first))?;
        }
        Ok(Exit::Fine)
    })
}
