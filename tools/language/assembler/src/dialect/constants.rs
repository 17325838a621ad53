//! The constants that every program has, one item each, in the order in which Kick Assembler lists them.
//! Those of opcodes (`LDA_IMM` and so on) follow from the instruction table.

use super::Whose;

/// A constant of the library.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constant {
    /// Its subject.
    pub group: &'static str,
    /// The library that Kick Assembler has it in; empty if it lists none.
    pub library: &'static str,
    /// As written.
    pub name: &'static str,
    /// Its value.
    pub value: Known,
    /// One sentence about it.
    pub about: &'static str,
    /// Where it comes from.
    pub whose: Whose,
}

/// The value of a constant of the library.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Known {
    /// A number.
    Number(f64),
    /// The parts of a file, as the second argument of `LoadBinary` names them.
    Template(&'static str),
    /// The hashtable of the `:name=value` words of the command line.
    CommandLine,
}

/// The group of the sixteen colours.
pub const COLOURS: &str = "Colors";

const fn constant(
    group: &'static str,
    library: &'static str,
    name: &'static str,
    value: Known,
    about: &'static str,
) -> Constant {
    Constant { group, library, name, value, about, whose: Whose::Kick }
}

const fn math(name: &'static str, value: f64, about: &'static str) -> Constant {
    constant("Math", "Math", name, Known::Number(value), about)
}

const fn argument(name: &'static str, value: i8, about: &'static str) -> Constant {
    constant("Arguments", "Constructors", name, Known::Number(value as f64), about)
}

const fn colour(name: &'static str, value: u8, about: &'static str) -> Constant {
    constant(COLOURS, "Misc", name, Known::Number(value as f64), about)
}

const fn template(name: &'static str, parts: &'static str, about: &'static str) -> Constant {
    constant("Files", "Misc", name, Known::Template(parts), about)
}

/// Every constant by name.
pub const CONSTANTS: &[Constant] = &[
    math("PI", std::f64::consts::PI, "The circumference of a circle by its diameter."),
    math("E", std::f64::consts::E, "The base of natural logarithms."),
    argument("AT_ABSOLUTE", -1, "The type of the argument $1000."),
    argument("AT_ZEROPAGE", 2, "The type of the argument $10, if it is known to be in the zero page."),
    argument("AT_ABSOLUTEX", -2, "The type of the argument $1000,x."),
    argument("AT_ABSOLUTEY", -3, "The type of the argument $1000,y."),
    argument("AT_IMMEDIATE", 1, "The type of the argument #10."),
    argument("AT_INDIRECT", -4, "The type of the argument ($1000)."),
    argument("AT_IZEROPAGEX", 5, "The type of the argument ($10,x)."),
    argument("AT_IZEROPAGEY", 6, "The type of the argument ($10),y."),
    argument("AT_NONE", 0, "The type of an argument that is left out."),
    colour("BLACK", 0, "Black."),
    colour("WHITE", 1, "White."),
    colour("RED", 2, "Red."),
    colour("CYAN", 3, "Cyan."),
    colour("PURPLE", 4, "Purple."),
    colour("GREEN", 5, "Green."),
    colour("BLUE", 6, "Blue."),
    colour("YELLOW", 7, "Yellow."),
    colour("ORANGE", 8, "Orange."),
    colour("BROWN", 9, "Brown."),
    colour("LIGHT_RED", 10, "Light red."),
    colour("DARK_GRAY", 11, "Dark grey."),
    colour("DARK_GREY", 11, "Dark grey."),
    colour("GRAY", 12, "Grey."),
    colour("GREY", 12, "Grey."),
    colour("LIGHT_GREEN", 13, "Light green."),
    colour("LIGHT_BLUE", 14, "Light blue."),
    colour("LIGHT_GRAY", 15, "Light grey."),
    colour("LIGHT_GREY", 15, "Light grey."),
    template("BF_C64FILE", "C64FILE", "A file with a load address, which is left out."),
    template(
        "BF_KOALA",
        "C64FILE, Bitmap=$0000, ScreenRam=$1f40, ColorRam=$2328, BackgroundColor = $2710",
        "A picture of Koala Paint.",
    ),
    template("BF_FLI", "C64FILE, ColorRam=$0000, ScreenRam=$0400, Bitmap=$2400", "A picture in FLI mode."),
    template(
        "BF_BITMAP_SINGLECOLOR",
        "C64FILE, Bitmap=$0000, ScreenRam=$2000",
        "A bitmap with one colour per cell beside the background.",
    ),
    template("BF_DOODLE", "C64FILE, ColorRam=$0000,Bitmap=$0400", "A picture of Doodle."),
    constant(
        "System",
        "",
        "cmdLineVars",
        Known::CommandLine,
        "A hashtable of the `:name=value` words of the command line.",
    ),
];
