//! Parameters and meaning of the functions and methods of the library. Which there are is in `tempo_assembler::dialect`.

/// A function, or a method by the type of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The type for a method; empty for a function.
    pub group: &'static str,
    /// The name.
    pub name: &'static str,
    /// The forms of its arguments, the shortest first, each separated by commas.
    pub forms: &'static [&'static str],
    /// What it is.
    pub text: &'static str,
}

const fn f(name: &'static str, forms: &'static [&'static str], text: &'static str) -> About {
    About { group: "", name, forms, text }
}

const fn m(
    group: &'static str,
    name: &'static str,
    forms: &'static [&'static str],
    text: &'static str,
) -> About {
    About { group, name, forms, text }
}

/// What is known about a function.
pub fn function(name: &str) -> Option<&'static About> {
    FUNCTIONS.iter().find(|about| about.group.is_empty() && about.name == name)
}

/// What is known about the methods of a name, for all types or for one.
pub fn methods<'a>(name: &'a str, group: Option<&'a str>) -> impl Iterator<Item = &'static About> + 'a {
    let fits = move |about: &&About| {
        let is_of = about.group == "any value" || group.is_none_or(|group| about.group == group);
        !about.group.is_empty() && about.name == name && is_of
    };
    FUNCTIONS.iter().filter(fits)
}

/// All functions and methods.
pub const FUNCTIONS: &[About] = &[
    f("abs", &["x"], "The absolute value."),
    f("acos", &["x"], "The arc cosine, in radians."),
    f("asin", &["x"], "The arc sine, in radians."),
    f("atan", &["x"], "The arc tangent, in radians."),
    f("atan2", &["y, x"], "The angle of a point, in radians."),
    f("cbrt", &["x"], "The cube root."),
    f("ceil", &["x"], "The next whole number up."),
    f("cos", &["radians"], "The cosine."),
    f("cosh", &["x"], "The hyperbolic cosine."),
    f("exp", &["x"], "E to the power of x."),
    f("expm1", &["x"], "E to the power of x, minus one."),
    f("floor", &["x"], "The next whole number down."),
    f("hypot", &["x, y"], "The length of the hypotenuse."),
    f("IEEEremainder", &["x, y"], "The remainder of the nearest whole quotient."),
    f("log", &["x"], "The natural logarithm."),
    f("log10", &["x"], "The logarithm to base 10."),
    f("log1p", &["x"], "The natural logarithm of x plus one."),
    f("max", &["x, y"], "The larger of two numbers."),
    f("min", &["x, y"], "The smaller of two numbers."),
    f("mod", &["a, b"], "The remainder of a divided by b."),
    f("pow", &["x, y"], "x to the power of y."),
    f("random", &[""], "A random number from 0 up to 1."),
    f("round", &["x"], "The nearest whole number."),
    f("setSeed", &["seed"], "Begins the sequence of random numbers at a seed."),
    f("signum", &["x"], "-1, 0 or 1, by the sign."),
    f("sin", &["radians"], "The sine."),
    f("sinh", &["x"], "The hyperbolic sine."),
    f("sqrt", &["x"], "The square root."),
    f("tan", &["radians"], "The tangent."),
    f("tanh", &["x"], "The hyperbolic tangent."),
    f("toDegrees", &["radians"], "Radians in degrees."),
    f("toRadians", &["degrees"], "Degrees in radians."),
    f(
        "toBinaryString",
        &["value", "value, minSize"],
        "The number in binary digits, with zeros up to a length.",
    ),
    f(
        "toHexString",
        &["value", "value, minSize"],
        "The number in hexadecimal digits, with zeros up to a length.",
    ),
    f(
        "toIntString",
        &["value", "value, minSize"],
        "The whole number in decimal digits, with blanks up to a length.",
    ),
    f(
        "toOctalString",
        &["value", "value, minSize"],
        "The number in octal digits, with zeros up to a length.",
    ),
    f("CmdArgument", &["type, value"], "An argument for a pseudo command, of a type AT_…."),
    f("Hashtable", &[""], "A new hashtable."),
    f("List", &["", "size"], "A new list, empty or of a number of nulls."),
    f("Matrix", &[""], "The identity matrix."),
    f("MoveMatrix", &["dx, dy, dz"], "A matrix that moves."),
    f("PerspectiveMatrix", &["zProj"], "A matrix that projects."),
    f("RotationMatrix", &["angleX, angleY, angleZ"], "A matrix that rotates, in radians."),
    f("ScaleMatrix", &["scaleX, scaleY, scaleZ"], "A matrix that scales."),
    f("Vector", &["", "x, y, z"], "A vector of three numbers."),
    f("createFile", &["filename"], "A text file to write to."),
    f("LoadBinary", &["filename", "filename, template"], "A binary file; a template names its parts."),
    f(
        "LoadPicture",
        &["filename", "filename, colours"],
        "A picture: PNG, GIF or JPEG; colours lists those of its bit pairs.",
    ),
    f("LoadSid", &["filename"], "A SID tune with its header."),
    f("asmCommandSize", &["opcode"], "The bytes of an instruction, by a constant such as LDA_IMM."),
    f("getFilename", &[""], "The name of the source."),
    f("getNamespace", &[""], "The path of the current namespace."),
    f("getPath", &[""], "The path of the source."),
    m("any value", "lock", &[""], "Makes the value unchangeable and returns it."),
    m("any value", "number", &[""], "The number that the value is."),
    m("any value", "string", &[""], "The value as `.print` shows it."),
    m("String", "asBoolean", &[""], "Whether the text is `true`."),
    m("String", "asNumber", &["", "radix"], "The number that the text is."),
    m("String", "charAt", &["index"], "A character."),
    m("String", "size", &[""], "How many characters there are."),
    m("String", "substring", &["begin, end"], "The characters from `begin` up to, not including, `end`."),
    m("String", "toLowerCase", &[""], "The text in lower case."),
    m("String", "toUpperCase", &[""], "The text in upper case."),
    m("List", "add", &["value, …"], "Adds values at the end."),
    m("List", "addAll", &["list"], "Adds all elements of another list."),
    m("List", "get", &["index"], "An element."),
    m("List", "remove", &["index"], "Removes an element."),
    m("List", "reverse", &[""], "Reverses the order."),
    m("List", "set", &["index, value"], "Replaces an element."),
    m("List", "shuffle", &[""], "Puts the elements into a random order."),
    m("List", "size", &[""], "How many elements there are."),
    m("List", "sort", &[""], "Sorts the elements."),
    m("Hashtable", "containsKey", &["key"], "Whether there is a value for a key."),
    m("Hashtable", "get", &["key"], "The value of a key."),
    m("Hashtable", "keys", &[""], "A list of the keys."),
    m("Hashtable", "put", &["key, value, …"], "Sets the values of keys."),
    m("Hashtable", "remove", &["key"], "Removes a key."),
    m("struct", "get", &["field"], "The value of a field, by name or number."),
    m("struct", "getFieldNames", &[""], "A list of the fields."),
    m("struct", "getNoOfFields", &[""], "How many fields there are."),
    m("struct", "getStructName", &[""], "The name of the struct."),
    m("struct", "set", &["field, value"], "Sets a field, by name or number."),
    m("Vector", "get", &["index"], "A coordinate, by number."),
    m("Vector", "getX", &[""], "The first coordinate."),
    m("Vector", "getY", &[""], "The second coordinate."),
    m("Vector", "getZ", &[""], "The third coordinate."),
    m("Vector", "X", &["vector"], "The cross product."),
    m("Matrix", "get", &["row, column"], "An entry."),
    m("Matrix", "set", &["row, column, value"], "Sets an entry."),
    m("65xxArgumentValue", "getType", &[""], "How the argument is written: one of AT_…."),
    m("65xxArgumentValue", "getValue", &[""], "The value of the argument."),
    m("BinaryFile", "get", &["index"], "A byte, as a signed number."),
    m("BinaryFile", "getSize", &[""], "How many bytes there are."),
    m("BinaryFile", "uget", &["index"], "A byte, as an unsigned number."),
    m("SidFile", "getData", &["index"], "A byte of the tune."),
    m("Picture", "getMulticolorByte", &["x, y"], "Four pixels as bit pairs; x counts bytes."),
    m("Picture", "getPixel", &["x, y"], "The colour of a pixel, as $rrggbb."),
    m("Picture", "getSinglecolorByte", &["x, y"], "Eight pixels as bits; x counts bytes."),
    m("OutputFile", "writeln", &["text"], "Writes a line."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_assembler::dialect;

    #[test]
    fn the_library_is_described_and_nothing_else() {
        for known in dialect::FUNCTIONS {
            let about = function(known.name).unwrap_or_else(|| panic!("{} is not described", known.name));
            assert!(about.text.ends_with('.') && !about.forms.is_empty(), "{}", known.name);
        }
        for known in dialect::METHODS {
            let mut found = methods(known.name, Some(known.group));
            assert!(found.next().is_some(), "{}.{} is not described", known.group, known.name);
        }
        for about in FUNCTIONS {
            let list = if about.group.is_empty() { dialect::FUNCTIONS } else { dialect::METHODS };
            let is_known = |known: &dialect::Function| {
                known.name == about.name && (about.group.is_empty() || known.group == about.group)
            };
            assert!(list.iter().any(is_known), "{}.{} does not exist", about.group, about.name);
        }
    }
}
