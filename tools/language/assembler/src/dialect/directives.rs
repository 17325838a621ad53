//! The directives, one item each. The parser has an arm for every one of them.

use super::{Place, Whose};

/// A directive, its operands, and its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Which it is.
    pub id: Directive,
    /// As written, with its dot.
    pub name: &'static str,
    /// A statement that uses it.
    pub example: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Whether functions and `.define` may have it, too.
    pub is_script: bool,
    /// The bytes it emits by itself.
    pub emits: Emits,
    /// The kind of declaration of the name after it.
    pub declares: Option<Declares>,
    /// The kind of word or text after it, if it is not an expression.
    pub takes: Takes,
    /// The snippet for editors that fill in.
    pub snippets: &'static [Snippet],
    /// Why it does not do here what its name says.
    pub note: Option<&'static str>,
    /// Where it comes from.
    pub whose: Whose,
    /// Whether Kick Assembler's own list in `-asminfo` has it.
    pub is_listed: bool,
}

/// The bytes that a directive emits by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emits {
    /// Nothing, or what its body emits.
    Nothing,
    /// The values that it lists.
    Values,
    /// The number of values that it says.
    Count,
}

/// The kind of declaration of a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declares {
    /// A constant.
    Constant,
    /// A variable.
    Variable,
    /// A label.
    Label,
    /// Constants in braces, without their own name.
    Enum,
    /// A structure.
    Struct,
    /// A macro.
    Macro,
    /// A pseudo command.
    PseudoCommand,
    /// A function.
    Function,
    /// A namespace.
    Namespace,
    /// A segment.
    Segment,
}

impl Declares {
    /// Whether parameters and a body follow the name.
    pub const fn is_callable(self) -> bool {
        matches!(self, Declares::Macro | Declares::PseudoCommand | Declares::Function)
    }
}

/// The operand of a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// An expression, a list of them, a body, or nothing.
    Expression,
    /// A condition or a loop's head in round brackets, and a body.
    Condition,
    /// The name of an instruction set.
    Cpu,
    /// The name of an encoding, in quotes.
    Encoding,
    /// A kind of import, and the name of a file in quotes.
    Import,
    /// The name of a segment, and parameters in square brackets.
    Segment,
    /// Parameters in square brackets, some of which name segments.
    Parameters(Place),
    /// The name of a modifier, and its arguments in round brackets.
    Modifier,
    /// The class of a plugin, in quotes.
    Plugin,
}

/// A statement with places to fill in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snippet {
    /// The text that is shown.
    pub label: &'static str,
    /// A description.
    pub about: &'static str,
    /// The snippet, in the form that editors take.
    pub text: &'static str,
}

const fn item(id: Directive, name: &'static str, example: &'static str, about: &'static str) -> Item {
    Item {
        id,
        name,
        example,
        about,
        is_script: false,
        emits: Emits::Nothing,
        declares: None,
        takes: Takes::Expression,
        snippets: &[],
        note: None,
        whose: Whose::Kick,
        is_listed: true,
    }
}

impl Item {
    /// The name without its dot; empty for `*=`.
    pub const fn word(&self) -> &'static str {
        match self.name.as_bytes() {
            [b'.', ..] => self.name.split_at(1).1,
            _ => "",
        }
    }

    const fn script(self) -> Item {
        Item { is_script: true, ..self }
    }

    const fn emits(self, emits: Emits) -> Item {
        Item { emits, ..self }
    }

    const fn declares(self, declares: Declares) -> Item {
        Item { declares: Some(declares), ..self }
    }

    const fn takes(self, takes: Takes) -> Item {
        Item { takes, ..self }
    }

    const fn snippets(self, snippets: &'static [Snippet]) -> Item {
        Item { snippets, ..self }
    }

    const fn note(self, note: &'static str) -> Item {
        Item { note: Some(note), ..self }
    }

    const fn unlisted(self) -> Item {
        Item { is_listed: false, ..self }
    }

    /// A directive that Kick Assembler does not have: its command line does not know it either.
    const fn ours(self) -> Item {
        Item { whose: Whose::Ours, is_listed: false, ..self }
    }
}

const fn snippet(label: &'static str, about: &'static str, text: &'static str) -> Snippet {
    Snippet { label, about, text }
}

impl Directive {
    /// All there is to know about it.
    pub const fn item(self) -> &'static Item {
        &DIRECTIVES[self as usize]
    }

    /// The directive of a name with its dot, as it is written at the beginning of a statement.
    pub fn find(name: &str) -> Option<Directive> {
        DIRECTIVES.iter().find(|item| item.name == name).map(|item| item.id)
    }
}

macro_rules! directives {
    ($($id:ident $name:literal $example:literal $about:literal $(. $attribute:ident ($($value:expr)?))* ;)*) => {
        /// A directive.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the items of the table say what each is")]
        pub enum Directive { $($id),* }

        /// Every directive of the language.
        pub const DIRECTIVES: &[Item] =
            &[$(item(Directive::$id, $name, $example, $about)$(.$attribute($($value)?))*),*];
    };
}

directives! {
    Origin "*=" "*=$1000 \"Program\""
        "Starts a memory block at an address.";
    Align ".align" ".align $100"
        "Fills up to the next multiple of a number.";
    Assert ".assert" ".assert \"Sum\", 1+1, 2"
        "Compares two values, or the bytes of two pieces of code."
        .script();
    AssertError ".asserterror" ".asserterror \"Type\", 1+true"
        "Expects an error of an expression or of code.";
    Break ".break" ".break \"if a==5\""
        "Sets a break point for the debugger at the current address.";
    By ".by" ".by 1, 2, 3"
        "Short for .byte."
        .emits(Emits::Values);
    Byte ".byte" ".byte $01, $02, $03"
        "Emits bytes."
        .emits(Emits::Values);
    Cartridge ".cartridge" ".cartridge [filename=\"game.crt\", type=\"8k\"] { [bank=0, lo=\"Code\"] }"
        "Writes a cartridge image."
        .takes(Takes::Parameters(Place::Cartridge))
        .ours();
    Const ".const" ".const WIDTH = 40"
        "Declares a constant."
        .script()
        .declares(Declares::Constant);
    Cpu ".cpu" ".cpu _65c02"
        "Chooses the instruction set for what follows in the file."
        .takes(Takes::Cpu);
    Define ".define" ".define table { .var table = List() }"
        "Runs script code and keeps its results as constants.";
    Disk ".disk" ".disk [filename=\"game.d64\"] { [name=\"GAME\", segments=\"Code\"] }"
        "Writes a disk image."
        .takes(Takes::Parameters(Place::Disk));
    Dw ".dw" ".dw $12345678"
        "Short for .dword."
        .emits(Emits::Values);
    Dword ".dword" ".dword $12345678"
        "Emits 32-bit values, low byte first."
        .emits(Emits::Values);
    Encoding ".encoding" ".encoding \"petscii_upper\""
        "Chooses how text becomes bytes."
        .takes(Takes::Encoding);
    Enum ".enum" ".enum {idle, running, done=10}"
        "Declares constants that count up."
        .declares(Declares::Enum)
        .snippets(&[snippet(".enum { }", "constants that count up", ".enum {${1:first}, ${2:second}}$0")]);
    Error ".error" ".error \"not supported\""
        "Ends the assembly with a message."
        .script();
    ErrorIf ".errorif" ".errorif end>$2000, \"too long\""
        "Ends the assembly with a message if a condition holds."
        .script();
    Eval ".eval" ".eval x = x+1"
        "Evaluates an expression for its effect."
        .script();
    File ".file" ".file [name=\"data.prg\", segments=\"Data\"]"
        "Writes segments to a file."
        .takes(Takes::Parameters(Place::File));
    FileModify ".filemodify" ".filemodify B2()"
        "Passes what follows it through a modifier; its arguments are not handed over."
        .takes(Takes::Modifier)
        .note("the packers of the built-in plugins; others need Java");
    FileNamespace ".filenamespace" ".filenamespace sound"
        "Puts the rest of the file into a namespace."
        .declares(Declares::Namespace);
    Fill ".fill" ".fill 256, i"
        "Emits a number of bytes, each computed from its index i."
        .emits(Emits::Count);
    FillWord ".fillword" ".fillword 16, i*40"
        "Emits a number of words, each computed from its index i."
        .emits(Emits::Count);
    For ".for" ".for (var i=0; i<10; i++) { nop }"
        "Repeats with a counter."
        .script()
        .takes(Takes::Condition)
        .snippets(&[snippet(
            ".for (…) { }",
            "a loop that counts",
            ".for (var ${1:i} = 0; $1 < ${2:8}; $1++) {\n\t$0\n}",
        )]);
    Function ".function" ".function area(w, h) { .return w*h }"
        "Defines a function."
        .declares(Declares::Function)
        .snippets(&[snippet(
            ".function … { }",
            "a function",
            ".function ${1:name}(${2:argument}) {\n\t.return $0\n}",
        )]);
    If ".if" ".if (DEBUG) { inc $D020 }"
        "Assembles a body only if a condition holds; else gives the other."
        .script()
        .takes(Takes::Condition)
        .snippets(&[
            snippet(".if (…) { }", "code under a condition", ".if (${1:condition}) {\n\t$0\n}"),
            snippet(
                ".if (…) { } else { }",
                "one of two pieces of code",
                ".if (${1:condition}) {\n\t$2\n} else {\n\t$0\n}",
            ),
        ]);
    Import ".import" ".import binary \"music.bin\""
        "Brings in a file: binary, c64, text or source."
        .takes(Takes::Import);
    ImportOnce ".importonce" ".importonce"
        "Marks a file that is imported at most once.";
    Label ".label" ".label border = $D020"
        "Declares a label with a value."
        .declares(Declares::Label);
    LoHiFill ".lohifill" ".lohifill 25, i*40"
        "Emits low bytes, then high bytes, with members lo and hi."
        .emits(Emits::Count);
    Macro ".macro" ".macro Border(c) { lda #c; sta $D020 }"
        "Defines a macro."
        .declares(Declares::Macro)
        .snippets(&[snippet(".macro … { }", "a macro", ".macro ${1:Name}(${2:argument}) {\n\t$0\n}")]);
    MemBlock ".memblock" ".memblock \"Tables\""
        "Starts a memory block at the current address.";
    Modify ".modify" ".modify B2() { .byte 1 }"
        "Passes emitted bytes through a modifier."
        .takes(Takes::Modifier)
        .note("the packers of the built-in plugins; others need Java");
    Namespace ".namespace" ".namespace sound { play: rts }"
        "Opens a namespace."
        .declares(Declares::Namespace)
        .snippets(&[snippet(".namespace … { }", "a namespace", ".namespace ${1:name} {\n\t$0\n}")]);
    Pc ".pc" ".pc = $1000 \"Program\""
        "Starts a memory block at an address, as *= does.";
    Plugin ".plugin" ".plugin \"se.triad.kickass.CruncherPlugins\""
        "Loads the modifiers of a plugin: the known packers are built in."
        .takes(Takes::Plugin)
        .note("other Java plugins cannot be run; the error lists those that are built in");
    Print ".print" ".print \"end: $\" + toHexString(end)"
        "Prints when the output is made."
        .script();
    PrintNow ".printnow" ".printnow \"pass\""
        "Prints in every pass."
        .script();
    PseudoCommand ".pseudocommand" ".pseudocommand mov a:b { lda a; sta b }"
        "Defines a command with operands as arguments."
        .declares(Declares::PseudoCommand)
        .snippets(&[snippet(
            ".pseudocommand … { }",
            "a pseudocommand",
            ".pseudocommand ${1:name} ${2:argument} {\n\t$0\n}",
        )]);
    PseudoPc ".pseudopc" ".pseudopc $0400 { loop: jmp loop }"
        "Assembles code for another place than where it lies."
        .snippets(&[snippet(
            ".pseudopc … { }",
            "code for another address",
            ".pseudopc ${1:\\$1000} {\n\t$0\n}",
        )]);
    Return ".return" ".return x*2"
        "Ends a function with a value."
        .script();
    Segment ".segment" ".segment Data"
        "Switches to a segment."
        .takes(Takes::Segment);
    SegmentDef ".segmentdef" ".segmentdef Data [start=$4000]"
        "Defines a segment."
        .declares(Declares::Segment)
        .takes(Takes::Parameters(Place::Segment));
    SegmentOut ".segmentout" ".segmentout [segments=\"Drive\"]"
        "Emits the bytes of other segments here."
        .takes(Takes::Parameters(Place::Content));
    Struct ".struct" ".struct Point {x, y}"
        "Defines a structure and its constructor."
        .declares(Declares::Struct)
        .snippets(&[snippet(
            ".struct … { }",
            "a structure",
            ".struct ${1:Name} {${2:first}, ${3:second}}$0",
        )]);
    Te ".te" ".te \"hello\""
        "Short for .text."
        .emits(Emits::Values);
    Text ".text" ".text \"hello\""
        "Emits text in the current encoding."
        .emits(Emits::Values);
    Var ".var" ".var x = 27"
        "Declares a variable."
        .script()
        .declares(Declares::Variable);
    Watch ".watch" ".watch $D020"
        "Sets a watch point for the debugger."
        .unlisted();
    While ".while" ".while (i<10) { .eval i++ }"
        "Repeats while a condition holds."
        .script()
        .takes(Takes::Condition)
        .snippets(&[snippet(
            ".while (…) { }",
            "a loop with a condition",
            ".while (${1:condition}) {\n\t$0\n}",
        )]);
    Wo ".wo" ".wo $1000, $2000"
        "Short for .word."
        .emits(Emits::Values);
    Word ".word" ".word $1000, $2000"
        "Emits 16-bit values, low byte first."
        .emits(Emits::Values);
    Zp ".zp" ".zp { tmp: .byte 0 }"
        "Marks labels as lying in the zero page before they are known.";
}
