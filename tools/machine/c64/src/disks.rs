//! Disks of the whole drive: the bits of a 1541 disk as `formats` reads and writes them, in the drive of `emu`.

use tempo_emu::c64::{Disk, HALF_TRACKS};
use tempo_formats::images::{ImageError, Tracks};

/// The disk that has these bits.
pub fn disk_of(tracks: &Tracks) -> Result<Disk, ImageError> {
    let mut disk = Disk::new();
    for (number, bits) in tracks.half_tracks.iter().enumerate().take(HALF_TRACKS) {
        if !disk.set_half_track(number, bits) {
            let (track, half) = (number / 2 + 1, if number % 2 == 0 { "" } else { ".5" });
            let message = format!("track {track}{half} has {} bytes, more than fit in a turn", bits.len());
            return Err(ImageError::Damaged(message));
        }
    }
    Ok(disk)
}

/// The bits of a disk.
pub fn tracks_of(disk: &Disk) -> Tracks {
    Tracks { half_tracks: (0..HALF_TRACKS).map(|number| disk.half_track(number).to_vec()).collect() }
}

/// Reads a `.g64` as it is, or the sectors of a `.d64`.
pub fn read_disk(image: &[u8]) -> Result<Disk, ImageError> {
    let tracks = if image.starts_with(b"GCR") { Tracks::from_g64(image) } else { Tracks::from_d64(image) };
    disk_of(&tracks?)
}
