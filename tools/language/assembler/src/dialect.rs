//! The language as a list: every directive, function, method, constant and macro with one sentence about it.
//! Data for `-asminfo`, for editors and for docs/dialect.md; the assembler itself does not look here.

/// A directive of the language or of the preprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive {
    /// As written, with its dot or hash.
    pub name: &'static str,
    /// A statement that uses it.
    pub example: &'static str,
    /// One sentence about it.
    pub about: &'static str,
}

/// A function or a method, with the numbers of arguments it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    /// The library of a function, the type of a method.
    pub group: &'static str,
    /// As written.
    pub name: &'static str,
    /// Ascending; `MANY` as the last one stands for any number from the one before it on.
    pub arguments: &'static [u8],
}

/// In [`Function::arguments`]: any number more.
pub const MANY: u8 = u8::MAX;

/// A constant that every program has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// The library it belongs to.
    pub group: &'static str,
    /// As written.
    pub name: &'static str,
}

const fn directive(name: &'static str, example: &'static str, about: &'static str) -> Directive {
    Directive { name, example, about }
}

const fn function(group: &'static str, name: &'static str, arguments: &'static [u8]) -> Function {
    Function { group, name, arguments }
}

const fn constant(group: &'static str, name: &'static str) -> Constant {
    Constant { group, name }
}

/// Every directive of the language.
pub const DIRECTIVES: &[Directive] = &[
    directive("*=", "*=$1000 \"Program\"", "Starts a memory block at an address."),
    directive(".align", ".align $100", "Fills up to the next multiple of a number."),
    directive(
        ".assert",
        ".assert \"Sum\", 1+1, 2",
        "Compares two values, or the bytes of two pieces of code.",
    ),
    directive(
        ".asserterror",
        ".asserterror \"Type\", 1+true",
        "Expects an error of an expression or of code.",
    ),
    directive(".break", ".break \"if a==5\"", "Sets a break point for the debugger at the current address."),
    directive(".by", ".by 1, 2, 3", "Short for .byte."),
    directive(".byte", ".byte $01, $02, $03", "Emits bytes."),
    directive(".const", ".const WIDTH = 40", "Declares a constant."),
    directive(".cpu", ".cpu _65c02", "Chooses the instruction set for what follows in the file."),
    directive(
        ".define",
        ".define table { .var table = List() }",
        "Runs script code and keeps its results as constants.",
    ),
    directive(
        ".disk",
        ".disk [filename=\"game.d64\"] { [name=\"GAME\", segments=\"Code\"] }",
        "Writes a disk image.",
    ),
    directive(".dw", ".dw $12345678", "Short for .dword."),
    directive(".dword", ".dword $12345678", "Emits 32-bit values, low byte first."),
    directive(".encoding", ".encoding \"petscii_upper\"", "Chooses how text becomes bytes."),
    directive(".enum", ".enum {idle, running, done=10}", "Declares constants that count up."),
    directive(".error", ".error \"not supported\"", "Ends the assembly with a message."),
    directive(
        ".errorif",
        ".errorif end>$2000, \"too long\"",
        "Ends the assembly with a message if a condition holds.",
    ),
    directive(".eval", ".eval x = x+1", "Evaluates an expression for its effect."),
    directive(".file", ".file [name=\"data.prg\", segments=\"Data\"]", "Writes segments to a file."),
    directive(".filemodify", ".filemodify Crunch()", "Passes the main file through a modifier."),
    directive(".filenamespace", ".filenamespace sound", "Puts the rest of the file into a namespace."),
    directive(".fill", ".fill 256, i", "Emits a number of bytes, each computed from its index i."),
    directive(".fillword", ".fillword 16, i*40", "Emits a number of words, each computed from its index i."),
    directive(".for", ".for (var i=0; i<10; i++) { nop }", "Repeats with a counter."),
    directive(".function", ".function area(w, h) { .return w*h }", "Defines a function."),
    directive(
        ".if",
        ".if (DEBUG) { inc $d020 }",
        "Assembles a body only if a condition holds; else gives the other.",
    ),
    directive(".import", ".import binary \"music.bin\"", "Brings in a file: binary, c64, text or source."),
    directive(".importonce", ".importonce", "Marks a file that is imported at most once."),
    directive(".label", ".label border = $d020", "Declares a label with a value."),
    directive(".lohifill", ".lohifill 25, i*40", "Emits low bytes, then high bytes, with members lo and hi."),
    directive(".macro", ".macro Border(c) { lda #c; sta $d020 }", "Defines a macro."),
    directive(".memblock", ".memblock \"Tables\"", "Starts a memory block at the current address."),
    directive(".modify", ".modify Crunch() { .byte 1 }", "Passes emitted bytes through a modifier."),
    directive(".namespace", ".namespace sound { play: rts }", "Opens a namespace."),
    directive(".pc", ".pc = $1000 \"Program\"", "Starts a memory block at an address, as *= does."),
    directive(".plugin", ".plugin \"com.example.Plugin\"", "Loads a Java plugin; these cannot be run here."),
    directive(".print", ".print \"end: $\" + toHexString(end)", "Prints when the output is made."),
    directive(".printnow", ".printnow \"pass\"", "Prints in every pass."),
    directive(
        ".pseudocommand",
        ".pseudocommand mov a:b { lda a; sta b }",
        "Defines a command with operands as arguments.",
    ),
    directive(
        ".pseudopc",
        ".pseudopc $0400 { loop: jmp loop }",
        "Assembles code for another place than where it lies.",
    ),
    directive(".return", ".return x*2", "Ends a function with a value."),
    directive(".segment", ".segment Data", "Switches to a segment."),
    directive(".segmentdef", ".segmentdef Data [start=$4000]", "Defines a segment."),
    directive(".segmentout", ".segmentout [segments=\"Drive\"]", "Emits the bytes of other segments here."),
    directive(".struct", ".struct Point {x, y}", "Defines a structure and its constructor."),
    directive(".te", ".te \"hello\"", "Short for .text."),
    directive(".text", ".text \"hello\"", "Emits text in the current encoding."),
    directive(".var", ".var x = 27", "Declares a variable."),
    directive(".watch", ".watch $d020", "Sets a watch point for the debugger."),
    directive(".while", ".while (i<10) { .eval i++ }", "Repeats while a condition holds."),
    directive(".wo", ".wo $1000, $2000", "Short for .word."),
    directive(".word", ".word $1000, $2000", "Emits 16-bit values, low byte first."),
    directive(".zp", ".zp { tmp: .byte 0 }", "Marks labels as lying in the zero page before they are known."),
];

/// Every directive of the preprocessor.
pub const PREPROCESSOR: &[Directive] = &[
    directive("#define", "#define DEBUG", "Sets a preprocessor symbol."),
    directive("#elif", "#elif RELEASE", "Another condition of an #if."),
    directive("#else", "#else", "The other part of an #if."),
    directive("#endif", "#endif", "Ends an #if."),
    directive("#if", "#if DEBUG", "Keeps the lines that follow only if a condition holds."),
    directive("#import", "#import \"lib.asm\"", "Brings in another source."),
    directive("#importif", "#importif DEBUG \"trace.asm\"", "Brings in another source if a condition holds."),
    directive("#importonce", "#importonce", "Marks a file that is imported at most once."),
    directive("#undef", "#undef DEBUG", "Clears a preprocessor symbol."),
];

/// Every built-in function.
pub const FUNCTIONS: &[Function] = &[
    function("Math", "abs", &[1]),
    function("Math", "acos", &[1]),
    function("Math", "asin", &[1]),
    function("Math", "atan", &[1]),
    function("Math", "atan2", &[2]),
    function("Math", "cbrt", &[1]),
    function("Math", "ceil", &[1]),
    function("Math", "cos", &[1]),
    function("Math", "cosh", &[1]),
    function("Math", "exp", &[1]),
    function("Math", "expm1", &[1]),
    function("Math", "floor", &[1]),
    function("Math", "hypot", &[2]),
    function("Math", "IEEEremainder", &[2]),
    function("Math", "log", &[1]),
    function("Math", "log10", &[1]),
    function("Math", "log1p", &[1]),
    function("Math", "max", &[2]),
    function("Math", "min", &[2]),
    function("Math", "mod", &[2]),
    function("Math", "pow", &[2]),
    function("Math", "random", &[0]),
    function("Math", "round", &[1]),
    function("Math", "setSeed", &[1]),
    function("Math", "signum", &[1]),
    function("Math", "sin", &[1]),
    function("Math", "sinh", &[1]),
    function("Math", "sqrt", &[1]),
    function("Math", "tan", &[1]),
    function("Math", "tanh", &[1]),
    function("Math", "toDegrees", &[1]),
    function("Math", "toRadians", &[1]),
    function("Text", "toBinaryString", &[1, 2]),
    function("Text", "toHexString", &[1, 2]),
    function("Text", "toIntString", &[1, 2]),
    function("Text", "toOctalString", &[1, 2]),
    function("Values", "CmdArgument", &[2]),
    function("Values", "Hashtable", &[0]),
    function("Values", "List", &[0, 1]),
    function("Values", "Matrix", &[0]),
    function("Values", "MoveMatrix", &[3]),
    function("Values", "PerspectiveMatrix", &[1]),
    function("Values", "RotationMatrix", &[3]),
    function("Values", "ScaleMatrix", &[3]),
    function("Values", "Vector", &[0, 3]),
    function("Files", "createFile", &[1]),
    function("Files", "LoadBinary", &[1, 2]),
    function("Files", "LoadPicture", &[1, 2]),
    function("Files", "LoadSid", &[1]),
    function("System", "asmCommandSize", &[1]),
    function("System", "getFilename", &[0]),
    function("System", "getNamespace", &[0]),
    function("System", "getPath", &[0]),
];

/// Every method, by the type of its value.
pub const METHODS: &[Function] = &[
    function("any value", "lock", &[0]),
    function("any value", "number", &[0]),
    function("any value", "string", &[0]),
    function("String", "asBoolean", &[0]),
    function("String", "asNumber", &[0, 1]),
    function("String", "charAt", &[1]),
    function("String", "size", &[0]),
    function("String", "substring", &[2]),
    function("String", "toLowerCase", &[0]),
    function("String", "toUpperCase", &[0]),
    function("List", "add", &[1, MANY]),
    function("List", "addAll", &[1]),
    function("List", "get", &[1]),
    function("List", "remove", &[1]),
    function("List", "reverse", &[0]),
    function("List", "set", &[2]),
    function("List", "shuffle", &[0]),
    function("List", "size", &[0]),
    function("List", "sort", &[0]),
    function("Hashtable", "containsKey", &[1]),
    function("Hashtable", "get", &[1]),
    function("Hashtable", "keys", &[0]),
    function("Hashtable", "put", &[2, MANY]),
    function("Hashtable", "remove", &[1]),
    function("struct", "get", &[1]),
    function("struct", "getFieldNames", &[0]),
    function("struct", "getNoOfFields", &[0]),
    function("struct", "getStructName", &[0]),
    function("struct", "set", &[2]),
    function("Vector", "get", &[1]),
    function("Vector", "getX", &[0]),
    function("Vector", "getY", &[0]),
    function("Vector", "getZ", &[0]),
    function("Vector", "X", &[1]),
    function("Matrix", "get", &[2]),
    function("Matrix", "set", &[3]),
    function("65xxArgumentValue", "getType", &[0]),
    function("65xxArgumentValue", "getValue", &[0]),
    function("BinaryFile", "get", &[1]),
    function("BinaryFile", "getSize", &[0]),
    function("BinaryFile", "uget", &[1]),
    function("SidFile", "getData", &[1]),
    function("Picture", "getMulticolorByte", &[2]),
    function("Picture", "getPixel", &[2]),
    function("Picture", "getSinglecolorByte", &[2]),
    function("OutputFile", "writeln", &[1]),
];

/// Fields that are read without a call: the type they belong to, and the name.
pub const FIELDS: &[Constant] = &[
    constant("SidFile", "header"),
    constant("SidFile", "version"),
    constant("SidFile", "location"),
    constant("SidFile", "init"),
    constant("SidFile", "play"),
    constant("SidFile", "songs"),
    constant("SidFile", "startSong"),
    constant("SidFile", "name"),
    constant("SidFile", "author"),
    constant("SidFile", "copyright"),
    constant("SidFile", "speed"),
    constant("SidFile", "flags"),
    constant("SidFile", "startpage"),
    constant("SidFile", "pagelength"),
    constant("SidFile", "size"),
    constant("Picture", "width"),
    constant("Picture", "height"),
];

/// Constants by name. The opcode constants (`LDA_IMM` and so on) follow from the instruction table.
pub const CONSTANTS: &[Constant] = &[
    constant("Math", "PI"),
    constant("Math", "E"),
    constant("Colors", "BLACK"),
    constant("Colors", "WHITE"),
    constant("Colors", "RED"),
    constant("Colors", "CYAN"),
    constant("Colors", "PURPLE"),
    constant("Colors", "GREEN"),
    constant("Colors", "BLUE"),
    constant("Colors", "YELLOW"),
    constant("Colors", "ORANGE"),
    constant("Colors", "BROWN"),
    constant("Colors", "LIGHT_RED"),
    constant("Colors", "DARK_GRAY"),
    constant("Colors", "DARK_GREY"),
    constant("Colors", "GRAY"),
    constant("Colors", "GREY"),
    constant("Colors", "LIGHT_GREEN"),
    constant("Colors", "LIGHT_BLUE"),
    constant("Colors", "LIGHT_GRAY"),
    constant("Colors", "LIGHT_GREY"),
    constant("Arguments", "AT_NONE"),
    constant("Arguments", "AT_IMMEDIATE"),
    constant("Arguments", "AT_ZEROPAGE"),
    constant("Arguments", "AT_ABSOLUTE"),
    constant("Arguments", "AT_ABSOLUTEX"),
    constant("Arguments", "AT_ABSOLUTEY"),
    constant("Arguments", "AT_INDIRECT"),
    constant("Arguments", "AT_IZEROPAGEX"),
    constant("Arguments", "AT_IZEROPAGEY"),
    constant("Files", "BF_C64FILE"),
    constant("Files", "BF_KOALA"),
    constant("Files", "BF_FLI"),
    constant("Files", "BF_BITMAP_SINGLECOLOR"),
    constant("Files", "BF_DOODLE"),
    constant("System", "cmdLineVars"),
];

/// Macros that every program has.
pub const MACROS: &[Function] =
    &[function("System", "BasicUpstart", &[1]), function("System", "BasicUpstart2", &[1])];

/// Parameters of segments, files and disks: where they may stand, and the name.
pub const PARAMETERS: &[Constant] = &[
    constant(".segmentdef", "start"),
    constant(".segmentdef", "startAfter"),
    constant(".segmentdef", "align"),
    constant(".segmentdef", "virtual"),
    constant(".segmentdef", "dest"),
    constant(".segmentdef", "outPrg"),
    constant(".segmentdef", "outBin"),
    constant("any segment", "min"),
    constant("any segment", "max"),
    constant("any segment", "fill"),
    constant("any segment", "fillByte"),
    constant("any segment", "segments"),
    constant("any segment", "prgFiles"),
    constant("any segment", "sidFiles"),
    constant("any segment", "allowOverlap"),
    constant("any segment", "modify"),
    constant("any segment", "hide"),
    constant(".file", "name"),
    constant(".file", "type"),
    constant(".file", "mbfiles"),
    constant(".disk", "filename"),
    constant(".disk", "name"),
    constant(".disk", "id"),
    constant(".disk", "format"),
    constant(".disk", "interleave"),
    constant(".disk", "dontSplitFilesOverDir"),
    constant(".disk", "storeFilesInDir"),
    constant(".disk", "showInfo"),
    constant(".disk file", "name"),
    constant(".disk file", "type"),
    constant(".disk file", "hide"),
    constant(".disk file", "interleave"),
    constant(".disk file", "noStartAddr"),
];

/// A word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandOption {
    /// Without its dash, lower case; any case is accepted.
    pub name: &'static str,
    /// What follows it.
    pub values: &'static [&'static str],
    /// One sentence about it.
    pub about: &'static str,
}

const fn option(name: &'static str, values: &'static [&'static str], about: &'static str) -> CommandOption {
    CommandOption { name, values, about }
}

/// Kick Assembler's options.
pub const OPTIONS: &[CommandOption] = &[
    option("afo", &[], "Lets the source write files outside of the output directory."),
    option("aom", &[], "Lets memory blocks overlap."),
    option("asminfo", &["sections"], "Writes what editors want to know."),
    option("asminfofile", &["file"], "Names the file for that."),
    option("asminfotofile", &["file"], "The same, in an older spelling."),
    option("binfile", &[], "Writes the program without its load address."),
    option("bytedump", &[], "Writes every statement with its bytes to ByteDump.txt."),
    option("bytedumpfile", &["file"], "The same, to a named file."),
    option("cfgfile", &["file"], "Reads further options from a file."),
    option("debug", &[], "Accepted; there are no stack traces to show."),
    option("debugdump", &[], "Writes the C64 debugger's file beside each program."),
    option("define", &["name"], "Sets a preprocessor symbol."),
    option("dtv", &[], "Begins with the instruction set of the C64DTV."),
    option("excludeillegal", &[], "Begins without the undocumented instructions."),
    option("execute", &["command"], "Runs a command with the program file as its last argument."),
    option("executelog", &["file"], "Keeps what that command prints."),
    option("fillbyte", &["number"], "Accepted without effect, as in Kick Assembler."),
    option("libdir", &["folder"], "Adds a folder to search for files."),
    option("log", &["file"], "Keeps a copy of the console."),
    option("maxaddr", &["number"], "Accepted without effect, as in Kick Assembler."),
    option("mbfiles", &[], "Writes one file per memory block."),
    option("noeval", &[], "Stops after parsing."),
    option("nooutput", &[], "Writes no files."),
    option("o", &["file"], "Names the program file, relative to the working directory."),
    option("odir", &["folder"], "Names the output directory, relative to the source."),
    option("pseudoc3x", &[], "Separates arguments of pseudo commands with semicolons."),
    option("replacefile", &["file", "replacement"], "Reads another file in place of one."),
    option("showmem", &[], "Prints the memory map."),
    option("symbolfile", &[], "Writes the symbols into the output directory."),
    option("symbolfiledir", &["folder"], "Names the folder for that, relative to the output directory."),
    option("time", &[], "Prints how long it took."),
    option("vicesymbols", &[], "Writes labels for VICE beside the program."),
    option("warningsoff", &[], "Accepted without effect, as in Kick Assembler."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_once() {
        fn once<T: PartialEq + std::fmt::Debug>(items: &[T]) {
            for (index, item) in items.iter().enumerate() {
                assert!(!items[..index].contains(item), "{item:?}");
            }
        }
        let key = |function: &Function| (function.group, function.name);
        once(&DIRECTIVES.iter().map(|directive| directive.name).collect::<Vec<_>>());
        once(&FUNCTIONS.iter().map(key).collect::<Vec<_>>());
        once(&METHODS.iter().map(key).collect::<Vec<_>>());
        once(CONSTANTS);
        once(PARAMETERS);
        once(&OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>());
    }

    #[test]
    fn sentences_end_and_examples_show_the_name() {
        for directive in DIRECTIVES.iter().chain(PREPROCESSOR) {
            assert!(directive.about.ends_with('.'), "{}", directive.name);
            assert!(directive.example.starts_with(directive.name), "{}", directive.name);
        }
    }
}
