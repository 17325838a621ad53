// Kick Assembler's language for tree-sitter. The words of it are in words.json; this knows how statements
// are built.
//
// A line end ends a statement unless something must follow: after `(`, `[` or a comma it is a blank. The scanner sees to
// that, and to `else` after a line end.

const words = require("./words.json");

const oneOf = (list) => list.join("|");
const list = (item) => seq(item, repeat(seq(",", item)));
// A directive that has a rule below is not one of the others.
const special = [
  "if", "for", "while", "macro", "function", "pseudocommand", "enum", "struct", "namespace", "define", "var", "const",
  "label", "import", "assert", "asserterror", "disk", "cartridge", "segment", "segmentdef", "pseudopc", "zp", "modify", "filemodify",
  "watch", "eval",
];
const others = words.directives.filter((word) => !special.includes(word));
for (const word of special) {
  if (!words.directives.includes(word)) throw new Error(`.${word} is not a directive`);
}

const BINARY = [
  ["||", 1], ["&&", 2], ["|", 3], ["^", 4], ["&", 5], ["==", 6], ["!=", 6], ["<", 7], ["<=", 7], [">", 7], [">=", 7],
  ["<<", 8], [">>", 8], ["+", 9], ["-", 9], ["*", 10], ["/", 10],
];
// `<` and `>` take everything that binds at least as `|`.
const SELECTOR = 2.5;
const UNARY = 11;
const POSTFIX = 12;

module.exports = grammar({
  name: "kickassembler",

  externals: ($) => [$._newline, $._semicolon, $._preprocessor_line, $.mnemonic, $._else_is_possible],
  extras: ($) => [/[ \t\x0b\x0c\r\n]/, $.comment, $._preprocessor_line],

  inline: ($) => [$._content, $._else],
  supertypes: ($) => [$.statement, $.braced_statement, $.expression],

  rules: {
    source_file: ($) => optional($._statements),

    _statements: ($) => choice(repeat1($._line), seq(repeat($._line), $._content)),
    _line: ($) => choice($._end, seq($._content, $._end), $._braced_line),
    _end: ($) => choice($._newline, $._semicolon),
    _content: ($) => choice($._plain, $._braced),
    _plain: ($) => choice(repeat1($.label), seq(repeat($.label), $.statement)),
    _braced: ($) => seq(repeat($.label), $.braced_statement),
    _braced_line: ($) => prec(-1, $._braced),
    // The brace that ends one of these ends the statement, and another one may follow in its line.
    braced_statement: ($) =>
      choice(
        $.block,
        $.enum,
        $.struct,
        $.namespace,
        $.define,
        $.region,
        $.pseudocommand,
        alias($._braced_if, $.if),
        alias($._braced_for, $.for),
        alias($._braced_while, $.while),
        alias($._braced_macro, $.macro),
        alias($._braced_function, $.function),
      ),

    block: ($) => seq("{", optional($._statements), "}"),

    comment: () => token(choice(/\/\/[^\r\n]*/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//)),

    label: ($) =>
      seq(
        choice(
          seq(optional("@"), field("name", $.identifier)),
          seq("!", optional(field("name", alias($._glued_name, $.identifier)))),
        ),
        token.immediate(":"),
      ),
    _glued_name: () => token.immediate(/[A-Za-z_][A-Za-z0-9_]*/),

    statement: ($) =>
      choice(
        $.preprocessor,
        $.instruction,
        $.call_statement,
        $.program_counter,
        $.directive,
        alias($._plain_if, $.if),
        alias($._plain_for, $.for),
        alias($._plain_while, $.while),
        alias($._plain_macro, $.macro),
        alias($._plain_function, $.function),
        $.declaration,
        $.eval,
        $.import,
        $.assertion,
        $.disk,
        $.segment,
        $.modify,
        $.watch,
      ),

    preprocessor: ($) =>
      seq(
        field("name", alias(token(new RegExp(`#(${oneOf(words.preprocessor)})`)), $.preprocessor_word)),
        repeat(choice($.identifier, $.string, "!", "&&", "||", "==", "!=", "(", ")")),
      ),

    instruction: ($) =>
      seq(
        field("mnemonic", $.mnemonic),
        optional(field("extension", $.extension)),
        optional(choice($.argument_label, seq(optional($.argument_label), $._operands))),
      ),
    // The addressing mode that is wanted: `lda.abs`.
    extension: () => /\.[ \t]*[A-Za-z]+/,
    // After a mnemonic of another CPU, which names a pseudo command here, colons are between the operands.
    _operands: ($) => choice(seq($.operand, repeat(seq(":", optional($.operand)))), repeat1(seq(":", optional($.operand)))),
    argument_label: ($) => seq(optional("@"), field("name", $.identifier), token.immediate(":")),
    operand: ($) => list(choice($.immediate, $.expression, $.index)),
    // `(pointer,x)` and, on the 65816 and its like, `[pointer]`.
    index: ($) => prec(-1, seq("(", list($.expression), ")")),
    immediate: ($) => seq("#", $.expression),

    call_statement: ($) =>
      choice(
        seq(
          optional(choice("@", ":")),
          field("name", $.identifier),
          seq(token.immediate("("), optional(list($.expression)), ")"),
        ),
        seq(optional(choice("@", ":")), field("name", $.identifier), optional($._operands)),
      ),

    program_counter: ($) =>
      seq(
        choice(seq("*", "="), "*=", seq(alias(".pc", $.directive_word), "=")),
        field("address", $.expression),
        optional(choice($.string, seq(",", $.expression))),
        optional(alias("virtual", $.keyword)),
      ),

    directive: ($) =>
      prec.right(
        seq(
          field("name", alias(token(new RegExp(`\\.(${oneOf(others)})`)), $.directive_word)),
          optional(list($.expression)),
          optional(field("body", $.block)),
        ),
      ),

    _if_head: ($) => seq(alias(".if", $.directive_word), "(", field("condition", $.expression), ")"),
    _else: ($) => seq(optional(";"), alias("else", $.keyword)),
    _plain_if: ($) =>
      prec.right(
        seq(
          $._if_head,
          choice(
            seq(field("then", $._plain), optional($._else_is_possible)),
            seq(field("then", $._content), $._else, field("else", $._plain)),
          ),
        ),
      ),
    _braced_if: ($) =>
      prec.right(
        seq(
          $._if_head,
          choice(
            seq(field("then", $._braced), optional($._else_is_possible)),
            seq(field("then", $._content), $._else, field("else", $._braced)),
          ),
        ),
      ),
    _plain_for: ($) => seq($._for_head, field("body", $._plain)),
    _braced_for: ($) => seq($._for_head, field("body", $._braced)),
    _for_head: ($) =>
      seq(
        alias(".for", $.directive_word),
        "(",
        optional(list(choice($.loop_variable, $.expression))),
        ";",
        $.expression,
        ";",
        optional(list($.expression)),
        ")",
      ),
    loop_variable: ($) =>
      seq(
        alias(choice("var", "const"), $.keyword),
        optional("@"),
        field("name", $.identifier),
        optional(seq("=", field("value", $.expression))),
      ),
    _plain_while: ($) => seq($._while_head, field("body", $._plain)),
    _braced_while: ($) => seq($._while_head, field("body", $._braced)),
    _while_head: ($) => seq(alias(".while", $.directive_word), "(", $.expression, ")"),

    _plain_macro: ($) => seq($._macro_head, field("body", $._plain)),
    _braced_macro: ($) => seq($._macro_head, field("body", $._braced)),
    _macro_head: ($) =>
      seq(alias(".macro", $.directive_word), optional("@"), field("name", $.identifier), $.parameters),
    _plain_function: ($) => seq($._function_head, field("body", $._plain)),
    _braced_function: ($) => seq($._function_head, field("body", $._braced)),
    _function_head: ($) =>
      seq(alias(".function", $.directive_word), optional("@"), field("name", $.identifier), $.parameters),
    parameters: ($) => seq("(", optional(list($.identifier)), ")"),
    pseudocommand: ($) =>
      seq(
        alias(".pseudocommand", $.directive_word),
        optional("@"),
        field("name", $.identifier),
        optional(seq($.identifier, repeat(seq(choice(":", ";", token.immediate(":")), $.identifier)))),
        field("body", $.block),
      ),
    enum: ($) => seq(alias(".enum", $.directive_word), "{", optional(list($.enum_entry)), optional(","), "}"),
    enum_entry: ($) => seq(optional("@"), field("name", $.identifier), optional(seq("=", field("value", $.expression)))),
    struct: ($) =>
      seq(
        alias(".struct", $.directive_word),
        optional("@"),
        field("name", $.identifier),
        "{",
        optional(list(alias($.identifier, $.field))),
        "}",
      ),
    namespace: ($) => seq(alias(".namespace", $.directive_word), field("name", $.identifier), field("body", $.block)),
    define: ($) =>
      seq(
        alias(".define", $.directive_word),
        list(seq(optional("@"), field("name", $.identifier))),
        field("body", $.block),
      ),
    declaration: ($) =>
      prec.right(
        seq(
          alias(choice(".var", ".const", ".label"), $.directive_word),
          optional("@"),
          field("name", $.identifier),
          optional(seq("=", field("value", $.expression))),
          optional($.block),
        ),
      ),
    import: ($) =>
      seq(
        alias(".import", $.directive_word),
        field("kind", alias(choice(...words.imports), $.keyword)),
        list($.expression),
      ),
    eval: ($) => seq(alias(".eval", $.directive_word), choice($.loop_variable, $.expression)),
    assertion: ($) =>
      choice(
        seq(alias(".assert", $.directive_word), $.expression, ",", $._checked, ",", $._checked),
        seq(alias(".asserterror", $.directive_word), $.expression, ",", $._checked),
      ),
    _checked: ($) => choice($.expression, $.block),

    options: ($) => seq("[", optional(list($.option)), optional(","), "]"),
    option: ($) => seq(field("name", $.identifier), optional(seq("=", field("value", $.expression)))),
    disk: ($) =>
      seq(
        alias(choice(".disk", ".cartridge"), $.directive_word),
        optional($.identifier),
        optional($.options),
        "{",
        optional(list($.options)),
        optional(","),
        "}",
      ),
    segment: ($) =>
      seq(
        alias(choice(".segment", ".segmentdef"), $.directive_word),
        field("name", $.identifier),
        repeat(choice($.options, $.string, $.identifier)),
        optional($.block),
      ),
    region: ($) =>
      seq(
        choice(seq(alias(".pseudopc", $.directive_word), field("address", $.expression)), alias(".zp", $.directive_word)),
        field("body", $.block),
      ),
    modify: ($) =>
      choice(
        seq(alias(".modify", $.directive_word), $._modifier, field("body", $.block)),
        seq(alias(".filemodify", $.directive_word), $._modifier),
      ),
    _modifier: ($) => seq(field("name", $.identifier), "(", optional(list($.expression)), ")"),
    watch: ($) =>
      seq(
        alias(".watch", $.directive_word),
        $.expression,
        optional(seq(",", optional($.expression), optional(seq(",", optional(choice($.expression, alias("if", $.keyword))))))),
      ),

    expression: ($) =>
      choice(
        $.number,
        $.string,
        $.character,
        $.boolean,
        $.null,
        $.identifier,
        $.root_name,
        $.multi_reference,
        $.current_address,
        $.unary,
        $.binary,
        $.ternary,
        $.assignment,
        $.step,
        $.member,
        $.call,
        $.subscript,
        $.parenthesized,
        $.array,
      ),

    number: () => token(choice(/[0-9][0-9_]*(\.[0-9][0-9_]*)?/, /\$[0-9A-Fa-f][0-9A-Fa-f_]*/, /%[01][01_]*/)),
    string: () => token(choice(/"[^"\r\n]*"/, /@"([^"\\\r\n]|\\[^\r\n])*"/)),
    character: () => token(choice(/'[^\r\n]'/, /'\\[nrtbf\\']'/, /'\\\$[0-9A-Fa-f][0-9A-Fa-f]'/)),
    boolean: () => choice("true", "false"),
    null: () => "null",
    root_name: ($) => seq("@", $.identifier),
    // `!loop+` is longer than `!`, and `!-` a reference more often than a negation.
    multi_reference: () => token(/!([A-Za-z_][A-Za-z0-9_]*)?(\++|-+)/),
    current_address: () => "*",

    unary: ($) =>
      choice(
        prec(2 * UNARY, seq(field("operator", choice("-", "~", "!")), field("operand", $.expression))),
        prec(2 * SELECTOR, seq(field("operator", choice("<", ">")), field("operand", $.expression))),
      ),
    binary: ($) =>
      choice(
        ...BINARY.map(([operator, strength]) =>
          prec.left(
            2 * strength,
            seq(field("left", $.expression), field("operator", operator), field("right", $.expression)),
          ),
        ),
      ),
    ternary: ($) => prec.right(0, seq($.expression, "?", $.expression, ":", $.expression)),
    assignment: ($) =>
      prec.right(
        -1,
        seq(
          field("target", $.expression),
          field("operator", choice("=", "+=", "-=", "*=", "/=")),
          field("value", $.expression),
        ),
      ),
    step: ($) => prec(2 * POSTFIX, seq($.expression, choice("++", "--"))),
    member: ($) => prec.left(2 * POSTFIX, seq(field("object", $.expression), $._dot_name)),
    _dot_name: ($) => seq(".", field("name", alias($._name, $.identifier))),
    _name: () => /[A-Za-z_][A-Za-z0-9_]*/,
    call: ($) =>
      prec.left(2 * POSTFIX, seq(field("function", choice($.identifier, $.root_name, $.member)), $.arguments)),
    arguments: ($) => seq(choice("(", token.immediate("(")), optional(list($.expression)), ")"),
    subscript: ($) => prec.left(2 * POSTFIX, seq($.expression, "[", $.expression, "]")),
    parenthesized: ($) => seq("(", $.expression, ")"),
    array: ($) => seq("[", list($.expression), "]"),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
  },
});
