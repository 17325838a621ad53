//! The language as one table: every word is one item with its arguments, an example, a sentence, and what else there is
//! to know about it.
//!
//! All lists of words are made from it: the parser and the lexer match on [`Directive`] and [`Preprocessor`], the library
//! calls what a [`Function`] has, and suggestions, `-asminfo`, docs/dialect.md, editors, the grammar of the VS Code
//! extension and the dictionary of the fuzzer take what is here. A word that is added here is known to all of them.

mod constants;
mod directives;
mod functions;
mod methods;
mod options;
pub(crate) mod parameters;
pub(crate) mod plugins;
mod preprocessor;

pub use constants::{COLOURS, CONSTANTS, Constant, Known};
pub use directives::{DIRECTIVES, Declares, Directive, Emits, Item as DirectiveItem, Snippet, Takes};
pub use functions::{FUNCTIONS, Function, Purity, Type};
pub use methods::{ANY_VALUE, FIELDS, Field, METHODS};
pub use options::{CommandOption, OPTIONS};
pub use parameters::{PARAMETERS, Parameter, Place};
pub use plugins::{
    BASIC_UPSTART, MODIFIER_PARAMETERS, MODIFIERS, Modifier, ModifierItem, PLUGINS, Plugin, Reach,
    SegmentModifier, plugin, segment_modifiers,
};
pub use preprocessor::{Item as PreprocessorItem, PREPROCESSOR, Preprocessor, Takes as PreprocessorTakes};

/// Whose word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Kick Assembler has it, too.
    Kick,
    /// Our addition.
    Ours,
}

/// A word of which there is no more to say than a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain {
    /// As written.
    pub name: &'static str,
    /// A description.
    pub about: &'static str,
}

const fn plain(name: &'static str, about: &'static str) -> Plain {
    Plain { name, about }
}

/// Words that are values.
pub const VALUES: &[Plain] = &[
    plain("true", "The condition holds."),
    plain("false", "The condition does not hold."),
    plain("null", "No value."),
];

/// Kinds of `.import`, in the order in which Kick Assembler lists them.
pub const IMPORTS: &[Plain] = &[
    plain("binary", "bytes as they are"),
    plain("c64", "a program without its load address"),
    plain("source", "another source"),
    plain("text", "characters in the current encoding"),
];

/// Words that follow `// tempo:` in a comment.
pub const REMARKS: &[Plain] = &[
    plain("cycles", "Ends a run of code and says how many cycles it takes."),
    plain("count", "Begins such a run."),
    plain("allow", "Turns warnings off for a line."),
    plain("no-page-cross", "Says that the branch or table of a line must not cross a page."),
];

/// Macros that every program has.
pub static MACROS: &[Function] = &[
    Function::new(
        "System",
        "BasicUpstart",
        &["address"],
        "A BASIC line that starts the program at an address.",
        crate::library::Does::Macro,
    ),
    Function::new(
        "System",
        "BasicUpstart2",
        &["address"],
        "The same in its own memory block at $0801.",
        crate::library::Does::Macro,
    ),
];

/// The function of a name.
pub fn function(name: &str) -> Option<&'static Function> {
    crate::library::find(name).map(|index| &FUNCTIONS[usize::from(index)])
}

/// The methods of a name, for all types or for one.
pub fn methods<'a>(name: &'a str, group: Option<&'a str>) -> impl Iterator<Item = &'static Function> + 'a {
    let is_of =
        move |method: &Function| method.group == ANY_VALUE || group.is_none_or(|group| method.group == group);
    METHODS.iter().filter(move |method| method.name == name && is_of(method))
}

/// The constant of a name; those of opcodes are not in the table.
pub fn constant(name: &str) -> Option<&'static Constant> {
    crate::library::constants::index(name).map(|index| &CONSTANTS[index])
}

/// The constants for the opcodes of a mnemonic, such as `LDA_IMM`.
pub fn opcode_constants(mnemonic: &str) -> Vec<String> {
    crate::library::constants::opcodes(mnemonic)
}

/// Texts that use every word, for programs that make up sources.
pub fn samples() -> Vec<String> {
    let calls = |functions: &'static [Function], dot: &'static str| {
        functions.iter().flat_map(move |function| {
            function.forms.iter().map(move |form| {
                let arguments: Vec<&str> = Function::arguments(form).map(|_| "1").collect();
                format!("{dot}{}({})", function.name, arguments.join(","))
            })
        })
    };
    let mut all: Vec<String> = Vec::new();
    for item in DIRECTIVES {
        all.extend([item.name.to_owned(), item.example.to_owned()]);
    }
    all.extend(PLUGINS.iter().map(|plugin| format!(".plugin \"{}\"", plugin.class)));
    all.extend(MODIFIERS.iter().map(|item| format!(".modify {}()", item.name)));
    all.extend(MODIFIER_PARAMETERS.iter().map(|parameter| parameter.name.to_owned()));
    for item in PREPROCESSOR {
        all.extend([format!("\n{}", item.name), format!("\n{}\n", item.example)]);
    }
    all.extend(calls(FUNCTIONS, ""));
    all.extend(calls(MACROS, ""));
    all.extend(calls(METHODS, "."));
    all.extend(FIELDS.iter().map(|field| format!(".{}", field.name)));
    all.extend(CONSTANTS.iter().map(|constant| constant.name.to_owned()));
    all.extend(PARAMETERS.iter().map(|parameter| format!("{}=", parameter.name)));
    all.extend(VALUES.iter().map(|word| word.name.to_owned()));
    all.extend(IMPORTS.iter().map(|kind| format!(".import {} ", kind.name)));
    all.extend(REMARKS.iter().map(|remark| format!("// tempo: {}", remark.name)));
    all.extend(tempo_isa::Cpu::assembled().map(|cpu| format!(".cpu {}\n", cpu.kick_name())));
    all.extend(tempo_formats::encoding::Encoding::ALL.map(|encoding| format!("\"{}\"", encoding.name())));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_once() {
        fn once<T: PartialEq + std::fmt::Debug>(items: impl Iterator<Item = T>) {
            let items: Vec<T> = items.collect();
            for (index, item) in items.iter().enumerate() {
                assert!(!items[..index].contains(item), "{item:?}");
            }
        }
        once(DIRECTIVES.iter().map(|item| item.name));
        once(PREPROCESSOR.iter().map(|item| item.name));
        once(FUNCTIONS.iter().map(|function| function.name));
        once(METHODS.iter().map(|method| (method.group, method.name)));
        once(FIELDS.iter().map(|field| (field.group, field.name)));
        once(CONSTANTS.iter().map(|constant| constant.name));
        once(PARAMETERS.iter().map(|parameter| (parameter.place.name(), parameter.name)));
        once(OPTIONS.iter().map(|option| option.name));
        once(MODIFIERS.iter().map(|item| item.name));
        once(MODIFIER_PARAMETERS.iter().map(|parameter| parameter.name));
        once(PLUGINS.iter().map(|plugin| plugin.class));
    }

    #[test]
    fn sentences_end_and_examples_show_the_name() {
        let shown = DIRECTIVES.iter().map(|item| (item.name, item.example));
        for (name, example) in shown.chain(PREPROCESSOR.iter().map(|item| (item.name, item.example))) {
            assert!(example.starts_with(name), "{name}");
        }
        let sentences = DIRECTIVES
            .iter()
            .map(|item| (item.name, item.about))
            .chain(PREPROCESSOR.iter().map(|item| (item.name, item.about)))
            .chain(FUNCTIONS.iter().chain(METHODS).chain(MACROS).map(|item| (item.name, item.about)))
            .chain(FIELDS.iter().map(|item| (item.name, item.about)))
            .chain(CONSTANTS.iter().map(|item| (item.name, item.about)))
            .chain(PARAMETERS.iter().map(|item| (item.name, item.about)))
            .chain(OPTIONS.iter().map(|item| (item.name, item.about)))
            .chain(REMARKS.iter().map(|item| (item.name, item.about)));
        for (name, about) in sentences {
            assert!(about.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn parameters_of_modifiers_are_in_the_table() {
        for item in segment_modifiers() {
            for name in item.parameters {
                assert!(MODIFIER_PARAMETERS.iter().any(|parameter| parameter.name == *name), "{name}");
            }
        }
        for parameter in MODIFIER_PARAMETERS {
            assert!(
                segment_modifiers().any(|item| item.parameters.contains(&parameter.name)),
                "{parameter:?}"
            );
        }
    }

    #[test]
    fn items_are_found_by_their_names() {
        for item in DIRECTIVES {
            assert_eq!(item.id.item().name, item.name);
            assert_eq!(Directive::find(item.name), Some(item.id));
        }
        for item in PREPROCESSOR {
            assert_eq!(item.id.item().name, item.name);
            assert_eq!(Preprocessor::find(item.word()), Some(item.id));
        }
        for item in FUNCTIONS {
            assert_eq!(function(item.name).map(|found| found.name), Some(item.name));
        }
        for item in CONSTANTS {
            assert_eq!(constant(item.name).map(|found| found.name), Some(item.name));
        }
        assert!(
            function("sinus").is_none() && constant("MAUVE").is_none() && Directive::find("byte").is_none()
        );
    }

    #[test]
    fn forms_say_how_many_arguments_there_are() {
        let takes = |function: &Function| (0..9).filter(|&count| function.takes(count)).collect::<Vec<_>>();
        let method = |group, name| methods(name, Some(group)).next().expect("a method");
        assert_eq!(function("Vector").map(takes), Some(vec![0, 3]));
        assert_eq!(function("toHexString").map(takes), Some(vec![1, 2]));
        assert_eq!(takes(method("List", "add")), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(takes(method("Hashtable", "put")), [2, 3, 4, 5, 6, 7, 8]);
    }
}
