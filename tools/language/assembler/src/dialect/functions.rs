//! The functions of the library, one item each: its forms, what it gives, whether it is pure, and what it calls.
//! In the order in which Kick Assembler lists them.

use super::Whose;
use crate::library::{Call, Does, LibraryError, Numbers, files, math, strings, values};

/// A function, or a method by the type of its value.
#[derive(Debug)]
pub struct Function {
    /// The subject of a function; the type that a method belongs to.
    pub group: &'static str,
    /// The library that Kick Assembler has it in; empty for methods.
    pub library: &'static str,
    /// As written.
    pub name: &'static str,
    /// The forms of its arguments, the shortest first, each separated by commas; a last `…` stands for any number more.
    pub forms: &'static [&'static str],
    /// The numbers of arguments it takes, as bits; see [`Function::takes`].
    counts: u16,
    /// One sentence about it.
    pub about: &'static str,
    /// The type of its result, where it is the same for all arguments.
    pub gives: Type,
    /// The dependencies of its result, and its side effects.
    pub purity: Purity,
    /// Where it comes from.
    pub whose: Whose,
    /// Whether Kick Assembler lists how many arguments it takes.
    pub is_counted: bool,
    /// How it is computed.
    pub(crate) does: Does,
}

/// The dependencies of the result of a function or method, and its side effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purity {
    /// The result depends on the arguments alone, and nothing is changed. New lists, matrices and the like count as
    /// such: only the caller has them.
    Pure,
    /// The result depends on a file, which is the same in every pass, and nothing is changed.
    Reads,
    /// The result depends on more, or something is changed.
    Effects,
}

/// The type of a value, as far as the tables tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// It depends.
    Any,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// Text.
    String,
    /// A list.
    List,
    /// A hashtable.
    Hashtable,
    /// A vector.
    Vector,
    /// A matrix.
    Matrix,
    /// The argument of a pseudo command.
    Argument,
    /// A file of bytes.
    BinaryFile,
    /// A tune.
    SidFile,
    /// A project of CharPad.
    CharPadFile,
    /// Sprites.
    SpritePadFile,
    /// A picture.
    Picture,
    /// A text file to write to.
    OutputFile,
}

impl Type {
    /// The name that values of this type have; `None` if it depends.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Type::Any => return None,
            Type::Number => "number",
            Type::Boolean => "boolean",
            Type::String => "String",
            Type::List => "List",
            Type::Hashtable => "Hashtable",
            Type::Vector => "Vector",
            Type::Matrix => "Matrix",
            Type::Argument => "65xxArgumentValue",
            Type::BinaryFile => "BinaryFile",
            Type::SidFile => "SidFile",
            Type::CharPadFile => "CharPadFile",
            Type::SpritePadFile => "SpritePadFile",
            Type::Picture => "Picture",
            Type::OutputFile => "OutputFile",
        })
    }
}

/// The bit of [`Function::counts`] for any number more than the highest of the others.
const MANY: u16 = 1 << 15;

/// The numbers of arguments that some forms have.
const fn counts(forms: &[&str]) -> u16 {
    let mut bits = 0;
    let mut index = 0;
    while index < forms.len() {
        let form = forms[index].as_bytes();
        let mut commas = 0;
        let mut at = 0;
        while at < form.len() {
            commas += (form[at] == b',') as u16;
            at += 1;
        }
        // The `…` is the only character outside of ASCII.
        let has_more = !form.is_empty() && form[form.len() - 1] >= 0x80;
        let count = if form.is_empty() { 0 } else { commas + 1 - has_more as u16 };
        bits |= 1 << count;
        if has_more {
            bits |= MANY;
        }
        index += 1;
    }
    bits
}

impl Function {
    pub(super) const fn new(
        group: &'static str,
        name: &'static str,
        forms: &'static [&'static str],
        about: &'static str,
        does: Does,
    ) -> Function {
        let (gives, purity) = (Type::Any, Purity::Effects);
        let (whose, is_counted) = (Whose::Kick, true);
        let counts = counts(forms);
        Function { group, library: "", name, forms, counts, about, gives, purity, whose, is_counted, does }
    }

    pub(super) const fn gives(mut self, gives: Type) -> Function {
        self.gives = gives;
        self
    }

    const fn of(mut self, library: &'static str) -> Function {
        self.library = library;
        self
    }

    pub(super) const fn pure(mut self) -> Function {
        self.purity = Purity::Pure;
        self
    }

    const fn reads(mut self) -> Function {
        self.purity = Purity::Reads;
        self
    }

    pub(super) const fn ours(mut self) -> Function {
        self.whose = Whose::Ours;
        self
    }

    const fn uncounted(mut self) -> Function {
        self.is_counted = false;
        self
    }

    /// Whether it can be called with this many arguments.
    pub fn takes(&self, arguments: u16) -> bool {
        let exact = self.counts & !MANY;
        let is_more = self.counts & MANY != 0 && u32::from(arguments) >= exact.trailing_zeros();
        is_more || arguments < 15 && exact & 1 << arguments != 0
    }

    /// The numbers of arguments it takes, ascending; any number more if `…` is among the forms.
    pub fn argument_counts(&self) -> impl Iterator<Item = u16> {
        let exact = self.counts & !MANY;
        (0..15).filter(move |count| exact & 1 << count != 0)
    }

    /// The names of the arguments of a form.
    pub fn arguments(form: &'static str) -> impl Iterator<Item = &'static str> {
        form.split(", ").filter(|argument| !argument.is_empty())
    }
}

/// A function of numbers.
const fn one(
    name: &'static str,
    form: &'static [&'static str],
    about: &'static str,
    does: fn(f64) -> f64,
) -> Function {
    number(name, form, about, Does::Calculate(Numbers::One(does)))
}

/// A function of two numbers.
const fn two(
    name: &'static str,
    form: &'static [&'static str],
    about: &'static str,
    does: fn(f64, f64) -> f64,
) -> Function {
    number(name, form, about, Does::Calculate(Numbers::Two(does)))
}

const fn number(
    name: &'static str,
    forms: &'static [&'static str],
    about: &'static str,
    does: Does,
) -> Function {
    Function::new("Math", name, forms, about, does).of("Math").gives(Type::Number).pure()
}

/// A number in digits.
const fn digits(name: &'static str, about: &'static str, call: Call) -> Function {
    let forms = &["value", "value, minSize"];
    Function::new("Text", name, forms, about, Does::Call(call)).of("Print").gives(Type::String).pure()
}

const fn call(
    group: &'static str,
    name: &'static str,
    forms: &'static [&'static str],
    about: &'static str,
    call: Call,
) -> Function {
    Function::new(group, name, forms, about, Does::Call(call))
}

const fn matrix(
    name: &'static str,
    form: &'static [&'static str],
    about: &'static str,
    does: Call,
) -> Function {
    call("Values", name, form, about, does).of("Vector").gives(Type::Matrix).pure()
}

/// Every function of the library.
pub static FUNCTIONS: &[Function] = &[
    one("abs", &["x"], "The absolute value.", math::abs),
    one("acos", &["x"], "The arc cosine, in radians.", math::acos),
    one("asin", &["x"], "The arc sine, in radians.", math::asin),
    one("atan", &["x"], "The arc tangent, in radians.", math::atan),
    two("atan2", &["y, x"], "The angle of a point, in radians.", math::atan2),
    one("cbrt", &["x"], "The cube root.", math::cbrt),
    one("ceil", &["x"], "The next whole number up.", math::ceil),
    one("cos", &["radians"], "The cosine.", math::cos),
    one("cosh", &["x"], "The hyperbolic cosine.", math::cosh),
    one("exp", &["x"], "E to the power of x.", math::exp),
    one("expm1", &["x"], "E to the power of x, minus one.", math::expm1),
    one("floor", &["x"], "The next whole number down.", math::floor),
    two("hypot", &["x, y"], "The length of the hypotenuse.", math::hypot),
    two("IEEEremainder", &["x, y"], "The remainder of the nearest whole quotient.", math::ieee_remainder),
    one("log", &["x"], "The natural logarithm.", math::log),
    one("log10", &["x"], "The logarithm to base 10.", math::log10),
    one("log1p", &["x"], "The natural logarithm of x plus one.", math::log1p),
    two("max", &["x, y"], "The larger of two numbers.", math::max),
    two("min", &["x, y"], "The smaller of two numbers.", math::min),
    two("pow", &["x, y"], "x to the power of y.", math::pow),
    call("Math", "random", &[""], "A random number from 0 up to 1.", math::random)
        .of("Math")
        .gives(Type::Number),
    one("round", &["x"], "The nearest whole number.", math::round),
    one("signum", &["x"], "-1, 0 or 1, by the sign.", math::signum),
    one("sin", &["radians"], "The sine.", math::sin),
    one("sinh", &["x"], "The hyperbolic sine.", math::sinh),
    one("sqrt", &["x"], "The square root.", math::sqrt),
    one("tan", &["radians"], "The tangent.", math::tan),
    one("tanh", &["x"], "The hyperbolic tangent.", math::tanh),
    one("toDegrees", &["radians"], "Radians in degrees.", math::to_degrees),
    one("toRadians", &["degrees"], "Degrees in radians.", math::to_radians),
    number(
        "mod",
        &["a, b"],
        "The remainder of a divided by b.",
        Does::Calculate(Numbers::Partial(math::modulo, LibraryError::ModuloZero)),
    ),
    call("Math", "setSeed", &["seed"], "Begins the sequence of random numbers at a seed.", math::set_seed)
        .of("Math"),
    digits("toIntString", "The whole number in decimal digits, with blanks up to a length.", strings::int),
    digits("toHexString", "The number in hexadecimal digits, with zeros up to a length.", strings::hex),
    digits("toBinaryString", "The number in binary digits, with zeros up to a length.", strings::binary),
    digits("toOctalString", "The number in octal digits, with zeros up to a length.", strings::octal),
    call("Values", "Vector", &["", "x, y, z"], "A vector of three numbers.", values::vector)
        .of("Vector")
        .gives(Type::Vector)
        .pure(),
    matrix("Matrix", &[""], "The identity matrix.", values::matrix),
    matrix(
        "RotationMatrix",
        &["angleX, angleY, angleZ"],
        "A matrix that rotates, in radians.",
        values::rotation_matrix,
    ),
    matrix("ScaleMatrix", &["scaleX, scaleY, scaleZ"], "A matrix that scales.", values::scale_matrix),
    matrix("MoveMatrix", &["dx, dy, dz"], "A matrix that moves.", values::move_matrix),
    matrix("PerspectiveMatrix", &["zProj"], "A matrix that projects.", values::perspective_matrix),
    call("Files", "createFile", &["filename"], "A text file to write to.", files::create_file)
        .of("Constructors")
        .gives(Type::OutputFile),
    call("Values", "List", &["", "size"], "A new list, empty or of a number of nulls.", values::list)
        .of("Constructors")
        .gives(Type::List)
        .pure(),
    call("Values", "Hashtable", &[""], "A new hashtable.", values::hashtable)
        .of("Constructors")
        .gives(Type::Hashtable)
        .pure(),
    Function::new(
        "Values",
        "CmdArgument",
        &["type, value"],
        "An argument for a pseudo command, of a type AT_….",
        Does::CallUnknown(values::cmd_argument),
    )
    .of("Constructors")
    .gives(Type::Argument),
    call("System", "getFilename", &[""], "The name of the source.", files::filename)
        .of("Misc")
        .gives(Type::String),
    call("System", "getPath", &[""], "The path of the source.", files::path).of("Misc").gives(Type::String),
    Function::new("System", "getNamespace", &[""], "The path of the current namespace.", Does::Bind)
        .of("Misc")
        .gives(Type::String),
    call("Files", "LoadSid", &["filename"], "A SID tune with its header.", files::load_sid)
        .of("Misc")
        .gives(Type::SidFile)
        .reads(),
    call(
        "Files",
        "LoadPicture",
        &["filename", "filename, colours"],
        "A picture: PNG, GIF or JPEG; colours lists those of its bit pairs.",
        files::load_picture,
    )
    .of("Misc")
    .gives(Type::Picture)
    .reads()
    .uncounted(),
    call(
        "Files",
        "LoadBinary",
        &["filename", "filename, template"],
        "A binary file; a template names its parts.",
        files::load_binary,
    )
    .of("Misc")
    .gives(Type::BinaryFile)
    .reads()
    .uncounted(),
    call(
        "Files",
        "LoadCharPad",
        &["filename"],
        "A project of CharPad: its numbers as fields, its parts by getters.",
        files::load_charpad,
    )
    .of("Misc")
    .gives(Type::CharPadFile)
    .reads()
    .uncounted()
    .ours(),
    call(
        "Files",
        "LoadSpritePad",
        &["filename"],
        "Sprites of SpritePad (.spd) or Spritemate (.spm): numbers as fields, parts by getters.",
        files::load_spritepad,
    )
    .of("Misc")
    .gives(Type::SpritePadFile)
    .reads()
    .uncounted()
    .ours(),
    call(
        "System",
        "asmCommandSize",
        &["opcode"],
        "The bytes of an instruction, by a constant such as LDA_IMM.",
        values::command_size,
    )
    .of("65xxMnemonics")
    .gives(Type::Number)
    .pure(),
];
