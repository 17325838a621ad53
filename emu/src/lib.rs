//! A bus-cycle-exact 6502, 6510 and 65C02.
#![no_std]
