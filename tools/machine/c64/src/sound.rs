//! Sound as a WAV file: 16 bits, one channel or two.

/// Bytes before the samples.
const HEAD: usize = 44;

/// The bytes of a WAV with these samples, or `None` if they are more than its 32-bit sizes can count. Those of several channels
/// take turns.
pub fn wav(samples: &[i16], rate: u32, channels: u16) -> Option<Vec<u8>> {
    const SAMPLE: u16 = 2;
    let frame = SAMPLE.checked_mul(channels)?;
    let size = u32::try_from(samples.len() * usize::from(SAMPLE)).ok()?;
    let file_size = size.checked_add(HEAD as u32 - 8)?;
    let mut bytes = Vec::with_capacity(HEAD + size as usize);
    bytes.extend_from_slice(b"RIFF");
    bytes.extend_from_slice(&file_size.to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt ");
    bytes.extend_from_slice(&16u32.to_le_bytes());
    // Plain samples.
    bytes.extend_from_slice(&1u16.to_le_bytes());
    bytes.extend_from_slice(&channels.to_le_bytes());
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(&rate.checked_mul(u32::from(frame))?.to_le_bytes());
    bytes.extend_from_slice(&frame.to_le_bytes());
    bytes.extend_from_slice(&(8 * SAMPLE).to_le_bytes());
    bytes.extend_from_slice(b"data");
    bytes.extend_from_slice(&size.to_le_bytes());
    bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn the_head_counts_the_samples() {
        let bytes = wav(&[1, -2, 3], 44_100, 1).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((bytes.len(), word(4), word(24), word(28), word(40)), (50, 42, 44_100, 88_200, 6));
        assert_eq!(bytes[44..], [1, 0, 0xfe, 0xff, 3, 0]);
        let bytes = wav(&[1, -2, 3, 4], 44_100, 2).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((bytes[22], word(28), bytes[32], word(40)), (2, 176_400, 4, 8));
    }
}
