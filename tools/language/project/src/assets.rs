//! `[[asset]]`: files of graphics editors and pictures, and the parts of them that a build writes.

use std::path::PathBuf;

use tempo_diagnostics::{Columns, Span, escaped, nearest};
use tempo_formats::assets::PARTS;
use toml::Spanned;
use toml::de::DeValue;

use crate::Value;
use crate::keys::Kind;
use crate::read::{Reader, check, in_order, kind_of};

/// The name of the tables.
pub const ASSET: &str = "asset";

/// The keys that are not parts, with what they hold.
pub const KEYS: &[(&str, &str)] = &[
    ("file", "The file: CharPad, SpritePad, Spritemate, Koala, Art Studio, PNG, GIF or JPEG"),
    ("as", "What a picture becomes: characters or sprites"),
    ("multicolour", "Whether two pixels of a picture make one, in four colours"),
    ("shared", "Background and the two colours of multicolour; the most frequent ones if they are not given"),
];

/// The words for `as`.
pub const TARGETS: &[&str] = &["characters", "sprites"];

/// One `[[asset]]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asset {
    /// The line of its `file`.
    pub line: u32,
    /// Relative to the project.
    pub file: PathBuf,
    /// A picture becomes sprites.
    pub is_sprites: bool,
    pub multicolour: bool,
    pub shared: Vec<u8>,
    /// Names of parts with their files, relative to the project.
    pub parts: Vec<(&'static str, PathBuf)>,
}

impl Reader<'_> {
    /// The list of all assets.
    pub(crate) fn assets(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(list) = value.get_ref().as_array() else {
            let message = format!("`{ASSET}` is a list of tables, not {}", kind_of(value.get_ref()));
            return self.fault(value.span(), message, Some(format!("write [[{ASSET}]] and its keys below")));
        };
        for value in list.iter() {
            self.asset(value);
        }
    }

    fn asset(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(table) = value.get_ref().as_table() else {
            let message = format!("`{ASSET}` holds tables, not {}", kind_of(value.get_ref()));
            return self.fault(value.span(), message, None);
        };
        let mut asset = Asset::default();
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            let found = value.get_ref();
            let wrong = |reader: &mut Self, wanted: &str| {
                reader.fault(
                    value.span(),
                    format!("`{word}` must be {wanted}, not {}", kind_of(found)),
                    None,
                );
            };
            match (word, found) {
                ("file", DeValue::String(text)) => {
                    let start = Span::from(value.span()).start;
                    asset.line = self.source.position(start, Columns::Characters).line;
                    asset.file = self.path(word, text, value).unwrap_or_default();
                }
                ("as", DeValue::String(text)) if TARGETS.contains(&&**text) => {
                    asset.is_sprites = text == "sprites"
                }
                ("as", DeValue::String(text)) => {
                    let message = format!("`as` does not know '{}'", escaped(text));
                    self.fault(value.span(), message, Some(format!("there are {}", TARGETS.join(", "))));
                }
                ("file" | "as", _) => wrong(self, "a text in quotes"),
                ("multicolour", DeValue::Boolean(truth)) => asset.multicolour = *truth,
                ("multicolour", _) => wrong(self, "true or false"),
                ("shared", DeValue::Array(list)) => {
                    for value in list.iter() {
                        let number = match value.get_ref() {
                            DeValue::Integer(number) => {
                                u8::from_str_radix(number.as_str(), number.radix()).ok()
                            }
                            _ => None,
                        };
                        match number.filter(|&number| number < 16) {
                            Some(number) => asset.shared.push(number),
                            None => {
                                self.fault(value.span(), "a colour is a number from 0 to 15".into(), None)
                            }
                        }
                    }
                }
                ("shared", _) => wrong(self, "a list of colours, as in [0, 11, 12]"),
                _ => {
                    let Some(part) = PARTS.iter().find(|part| part.option == word) else {
                        let words =
                            PARTS.iter().map(|part| part.option).chain(KEYS.iter().map(|(key, _)| *key));
                        let help = match nearest(word, words) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => "`tempo import FILE` shows the parts of a file".to_owned(),
                        };
                        let message = format!("unknown key `{}` in [[{ASSET}]]", escaped(word));
                        self.fault(name.span(), message, Some(help));
                        continue;
                    };
                    match found {
                        DeValue::String(text) => {
                            asset.parts.extend(self.path(word, text, value).map(|path| (part.name, path)));
                        }
                        _ => wrong(self, "a path in quotes"),
                    }
                }
            }
        }
        if asset.file.as_os_str().is_empty() {
            self.fault(value.span(), format!("[[{ASSET}]] has no `file`"), None);
        } else if asset.parts.is_empty() {
            let help = "name a part and its file, as in charset = \"build/level.chr\"".to_owned();
            self.fault(value.span(), format!("[[{ASSET}]] asks for no part"), Some(help));
        }
        self.assets.push(asset);
    }

    fn path(&mut self, key: &str, text: &str, value: &Spanned<DeValue<'_>>) -> Option<PathBuf> {
        match check(Kind::Path, key, text) {
            Ok(Value::Path(path)) => Some(path),
            Ok(_) => None,
            Err((message, help)) => {
                self.fault(value.span(), message, help);
                None
            }
        }
    }
}
