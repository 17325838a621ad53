//! The instruction set of the 6502 family as one table.
#![no_std]
