//! Pictures in the C64's own formats, with a load address before the bitmap.

use super::{Asset, AssetError, Format, Reader};

/// Layouts by the length of the file, with the extensions under which they are known.
const LAYOUTS: &[(usize, Format, &[&str])] = &[
    (10_003, Format::Koala, &["kla", "koa", "koala", "gg"]),
    (9_002, Format::ArtStudio, &["art", "ocp"]),
    (9_009, Format::ArtStudio, &["art", "ocp"]),
    (10_018, Format::AdvancedArtStudio, &["ocp", "art"]),
    (8_002, Format::Hires, &["hpi", "hbm"]),
];

pub(super) fn read(extension: &str, file: &[u8]) -> Result<Asset, AssetError> {
    let named = || LAYOUTS.iter().filter(|(.., extensions)| extensions.contains(&extension));
    let exact = LAYOUTS.iter().find(|(size, ..)| *size == file.len());
    let format =
        match exact.or_else(|| named().rfind(|(size, ..)| *size < file.len())).or_else(|| named().next()) {
            Some(&(_, format, _)) => format,
            None => return Err(AssetError::Unknown(file.len())),
        };
    let mut asset = Asset::new(format);
    let mut reader = Reader::new(file);
    asset.set("load", reader.word()?.into());
    asset.put("Bitmap", 1, reader.take(8000)?);
    match format {
        Format::Koala => {
            asset.put("Screen", 1, reader.take(1000)?);
            asset.put("Colours", 1, reader.take(1000)?);
            asset.set("background", reader.byte()?.into());
        }
        Format::ArtStudio => {
            asset.put("Screen", 1, reader.take(1000)?);
            if reader.left() > 0 {
                asset.set("border", reader.byte()?.into());
                reader.take(6.min(reader.left() as u64))?;
            }
        }
        Format::AdvancedArtStudio => {
            asset.put("Screen", 1, reader.take(1000)?);
            asset.set("border", reader.byte()?.into());
            asset.set("background", reader.byte()?.into());
            reader.take(14)?;
            asset.put("Colours", 1, reader.take(1000)?);
        }
        _ => {}
    }
    asset.left_over = reader.left();
    Ok(asset)
}
