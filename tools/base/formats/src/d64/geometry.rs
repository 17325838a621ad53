//! Tracks and sectors of the drives, and where each keeps its header, block map and directory.

use super::{Place, SECTOR, SIZE_35, SIZE_40, sectors};

/// The layout of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Geometry {
    /// A side of a 1541 with this many tracks: 35 or 40.
    Single(u8),
    /// Both sides of a 1571: tracks 36 to 70 are the second.
    Double,
    /// The 80 tracks of 40 sectors of a 1581.
    Inch3,
}

impl From<u8> for Geometry {
    fn from(tracks: u8) -> Geometry {
        Geometry::Single(tracks)
    }
}

impl Geometry {
    /// The geometry of an image with this many bytes, with or without an error byte for each sector.
    pub fn of_size(len: usize) -> Option<Geometry> {
        let all = [Geometry::Single(35), Geometry::Single(40), Geometry::Double, Geometry::Inch3];
        all.into_iter().find(|geometry| {
            let size = geometry.size();
            len == size || len == size + size / SECTOR
        })
    }

    /// Bytes of an image without error bytes.
    pub fn size(self) -> usize {
        match self {
            Geometry::Single(40) => SIZE_40,
            Geometry::Single(_) => SIZE_35,
            Geometry::Double => 2 * SIZE_35,
            Geometry::Inch3 => 80 * 40 * SECTOR,
        }
    }

    /// The number of tracks.
    pub fn tracks(self) -> u8 {
        match self {
            Geometry::Single(tracks) => tracks,
            Geometry::Double => 70,
            Geometry::Inch3 => 80,
        }
    }

    /// The number of sectors of a track.
    pub fn sectors(self, track: u8) -> u8 {
        match self {
            _ if track == 0 || track > self.tracks() => 0,
            Geometry::Single(_) => sectors(track),
            Geometry::Double if track > 35 => sectors(track - 35),
            Geometry::Double => sectors(track),
            Geometry::Inch3 => 40,
        }
    }

    /// The index of a place's first byte in an image.
    pub fn offset(self, place: Place) -> Option<usize> {
        if place.sector >= self.sectors(place.track) {
            return None;
        }
        let before: usize = (1..place.track).map(|track| usize::from(self.sectors(track))).sum();
        Some((before + usize::from(place.sector)) * SECTOR)
    }

    /// The track that the drive keeps for header, block map and directory.
    pub fn directory_track(self) -> u8 {
        match self {
            Geometry::Single(_) | Geometry::Double => 18,
            Geometry::Inch3 => 40,
        }
    }

    /// The sector with the name and the id, and where these are in it.
    pub(super) fn header(self) -> (Place, usize, usize) {
        let place = Place { track: self.directory_track(), sector: 0 };
        match self {
            Geometry::Single(_) | Geometry::Double => (place, 0x90, 0xa2),
            Geometry::Inch3 => (place, 0x04, 0x16),
        }
    }

    /// The first sector of the directory.
    pub(super) fn directory(self) -> Place {
        let sector = if self == Geometry::Inch3 { 3 } else { 1 };
        Place { track: self.directory_track(), sector }
    }

    /// The sectors of header and block map.
    pub(super) fn map_sectors(self) -> &'static [Place] {
        match self {
            Geometry::Single(_) => &[Place { track: 18, sector: 0 }],
            Geometry::Double => &[Place { track: 18, sector: 0 }, Place { track: 53, sector: 0 }],
            Geometry::Inch3 => &[
                Place { track: 40, sector: 0 },
                Place { track: 40, sector: 1 },
                Place { track: 40, sector: 2 },
            ],
        }
    }

    /// The last track in the drive's own block map: formats differ on where those beyond 35 of one side are.
    pub(super) fn mapped_tracks(self) -> u8 {
        if let Geometry::Single(_) = self { 35 } else { self.tracks() }
    }

    /// The block map's entry of a track: where the count of free sectors is, and where the bits are and how many bytes.
    pub(crate) fn map_entry(self, track: u8) -> ((Place, usize), (Place, usize, usize)) {
        let at = usize::from(track);
        let map = Place { track: 18, sector: 0 };
        match self {
            Geometry::Double if track > 35 => {
                let second = Place { track: 53, sector: 0 };
                ((map, 0xdd + at - 36), (second, (at - 36) * 3, 3))
            }
            Geometry::Single(_) | Geometry::Double => ((map, at * 4), (map, at * 4 + 1, 3)),
            Geometry::Inch3 => {
                let map = Place { track: 40, sector: if track <= 40 { 1 } else { 2 } };
                let entry = 0x10 + (at - 1) % 40 * 6;
                ((map, entry), (map, entry + 1, 5))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_images() {
        for (size, geometry) in [
            (174_848, Geometry::Single(35)),
            (175_531, Geometry::Single(35)),
            (196_608, Geometry::Single(40)),
            (349_696, Geometry::Double),
            (351_062, Geometry::Double),
            (819_200, Geometry::Inch3),
            (822_400, Geometry::Inch3),
        ] {
            assert_eq!(Geometry::of_size(size), Some(geometry));
        }
        assert_eq!(Geometry::of_size(174_849), None);
    }

    #[test]
    fn the_last_sector_ends_the_image() {
        for geometry in [Geometry::Single(35), Geometry::Single(40), Geometry::Double, Geometry::Inch3] {
            let track = geometry.tracks();
            let place = Place { track, sector: geometry.sectors(track) - 1 };
            assert_eq!(geometry.offset(place), Some(geometry.size() - SECTOR));
            assert_eq!(geometry.offset(Place { track: track + 1, sector: 0 }), None);
        }
    }
}
