//! What people look up about instructions. Data only; the words of the language are in `tempo_assembler::dialect`.

pub mod instructions;
