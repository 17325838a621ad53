//! The memory map (`-showmem`): the blocks of every segment with first and last address.

use std::fmt::Write;

use crate::program::Program;

/// Writes the map. `Default` is left out when nothing is in it; hidden segments always are.
pub fn write(program: &Program) -> String {
    let mut text = String::from("Memory Map\n----------\n");
    for (index, segment) in program.segments.iter().enumerate() {
        if segment.hide || (index == 0 && segment.blocks.is_empty()) {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}-segment:", segment.name);
        let mut blocks: Vec<_> = segment.blocks.iter().collect();
        blocks.sort_by_key(|block| block.start);
        for block in blocks {
            let star = if block.is_virtual { "*" } else { "" };
            let _ = writeln!(text, "  {star}${:04x}-${:04x} {}", block.start, block.end() - 1, block.name);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Block, Segment};
    use pretty_assertions::assert_eq;

    #[test]
    fn blocks_are_sorted_and_empty_ones_end_before_they_start() {
        let block = |name: &str, start, bytes: &[u8], is_virtual| Block {
            name: name.into(),
            start,
            bytes: bytes.to_vec(),
            is_virtual,
            ..Block::default()
        };
        let segment = |name: &str, blocks| Segment { name: name.into(), blocks, ..Segment::default() };
        let program = Program {
            segments: vec![
                segment("Default", vec![]),
                segment("A", vec![block("b", 0x2000, &[1, 2], false), block("v", 0x400, &[0], true)]),
                segment("B", vec![block("e", 0x1000, &[], false)]),
            ],
            ..Program::default()
        };
        assert_eq!(
            write(&program),
            "Memory Map\n----------\nA-segment:\n  *$0400-$0400 v\n  $2000-$2001 b\n\nB-segment:\n  $1000-$0fff e\n\n"
        );
    }
}
