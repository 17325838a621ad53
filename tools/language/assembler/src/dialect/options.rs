//! The words of Kick Assembler's command line, one item each. What they mean is in `tempo-kickass`.

use super::Whose;

/// A word of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandOption {
    /// Without its dash. In lower case if any case is accepted.
    pub name: &'static str,
    /// Its operand.
    pub values: &'static [&'static str],
    /// One sentence about it.
    pub about: &'static str,
    /// Why it does not do here what its name says.
    pub note: Option<&'static str>,
    /// Where it comes from.
    pub whose: Whose,
}

const fn option(name: &'static str, values: &'static [&'static str], about: &'static str) -> CommandOption {
    CommandOption { name, values, about, note: None, whose: Whose::Kick }
}

impl CommandOption {
    const fn note(self, note: &'static str) -> CommandOption {
        CommandOption { note: Some(note), ..self }
    }

    /// Whether a word of the command line, without its dash, is this option.
    pub fn is(&self, word: &str) -> bool {
        let is_exact = self.name.bytes().any(|byte| byte.is_ascii_uppercase());
        self.name == word || !is_exact && self.name.eq_ignore_ascii_case(word)
    }

    const fn ours(self) -> CommandOption {
        CommandOption { whose: Whose::Ours, ..self }
    }
}

/// Every option.
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
    option("debug", &[], "Accepted; there are no stack traces to show.")
        .note("accepted; we have no stack traces"),
    option("debugdump", &[], "Writes the C64 debugger's file beside each program."),
    option("define", &["name"], "Sets a preprocessor symbol."),
    option("dtv", &[], "Begins with the instruction set of the C64DTV."),
    option("excludeillegal", &[], "Begins without the undocumented instructions."),
    option("execute", &["command"], "Runs a command with the program file as its last argument."),
    option("executelog", &["file"], "Keeps what that command prints."),
    option("fillbyte", &["number"], "Accepted without effect, as in Kick Assembler.")
        .note("accepted, without effect there too"),
    option("libdir", &["folder"], "Adds a folder to search for files."),
    option("log", &["file"], "Keeps a copy of the console."),
    option("maxaddr", &["number"], "Accepted without effect, as in Kick Assembler.")
        .note("accepted, without effect there too"),
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
    option("warningsoff", &[], "Accepted without effect, as in Kick Assembler.")
        .note("accepted, without effect there too"),
    option("A", &["codes"], "Turns warnings off, by codes with commas, `style` or `all`.").ours(),
    option("limit", &["name=n"], "Sets a limit on what a source may ask for.").ours(),
    option("W", &["codes"], "Turns warnings on, by codes with commas, `style` or `all`.").ours(),
];
