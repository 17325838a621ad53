//! `.g64`: the bits of a 1541 disk as a container of files. Half tracks and protections are passed over.

use super::gcr::Tracks;
use super::{Container, Image, ImageError};
use crate::d64;

pub(super) const SIGNATURE: &[u8] = b"GCR-1541";

/// Reads the disk.
pub(super) fn read(bytes: &[u8]) -> Result<Image, ImageError> {
    let (geometry, image, bad) = Tracks::from_g64(bytes)?.sectors();
    if bad.iter().all(|&is_bad| is_bad) {
        return Err(ImageError::Damaged("no sector can be read".into()));
    }
    Ok(Image::from_disk(Container::G64, d64::read_sectors(&image, geometry, &bad)?))
}
