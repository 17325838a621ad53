"""The tree-sitter grammar: every source of the tests that Kick Assembler accepts is parsed without an error node, a few
trees are as expected, and the queries fit. Needs a C compiler and the package `tree_sitter`."""

import ctypes
import json
import random
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from tree_sitter import Language, Parser, Query

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "tools/editors/tree-sitter"

# Text that a condition leaves out need not be of the language, and which conditions hold is not known here.
# The last one needs an option.
KNOWN = {
    "preprocessor/untaken_may_be_nonsense.asm",
    "preprocessor_odd/untaken_apostrophe.asm",
    "preprocessor_odd/untaken_open_brace.asm",
    "pseudocommands/semicolon_arguments_option.asm",
}

# Sources and their trees.
TREES = [
    (
        "start: lda.abs #<x  // c\n",
        "(source_file (label name: (identifier)) (instruction mnemonic: (mnemonic) extension: (extension) "
        "(operand (immediate (unary operand: (identifier))))) (comment))",
    ),
    (
        ".if (x) nop\nelse { mov #1:y }",
        "(source_file (if (directive_word) condition: (identifier) then: (instruction mnemonic: (mnemonic)) (keyword) "
        "else: (block (call_statement name: (identifier) (operand (immediate (number))) (operand (identifier))))))",
    ),
    # A brace ends a statement.
    (
        ".if (x) { nop } dex\n",
        "(source_file (if (directive_word) condition: (identifier) then: (block (instruction mnemonic: (mnemonic)))) "
        "(instruction mnemonic: (mnemonic)))",
    ),
    # A line end ends a statement, but not within parentheses.
    (
        "asl\nM(1,\n2)\n",
        "(source_file (instruction mnemonic: (mnemonic)) (call_statement name: (identifier) (number) (number)))",
    ),
    # A mnemonic of another CPU names a label, a macro and a value.
    (
        "map: map(map)\n",
        "(source_file (label name: (identifier)) (call_statement name: (identifier) (identifier)))",
    ),
    (
        "#if A && !B\n* = $1000 \"x\"\n#endif\n",
        "(source_file (preprocessor name: (preprocessor_word) (identifier) (identifier)) "
        "(program_counter address: (number) (string)) (preprocessor name: (preprocessor_word)))",
    ),
    (
        ".const a = b.c(1)[2] + 3 * 4",
        "(source_file (declaration (directive_word) name: (identifier) value: (binary left: (subscript (call function: "
        "(member object: (identifier) name: (identifier)) (arguments (number))) (number)) right: (binary left: (number) "
        "right: (number)))))",
    ),
]


# The lists of words.json, and the rules with these words in the grammar of the extension for VS Code, which a test of the
# assembler holds to its tables.
WORDS = {
    "preprocessor": ["preprocessor"],
    "directives": ["directives"],
    "imports": ["kinds of imports"],
    "mnemonics": ["mnemonics", "undocumented mnemonics"],
}


def wrong_words():
    """What the words of the grammar and of its scanner lack or have too much."""
    rules = (ROOT / "tools/editors/vscode/syntaxes/kickassembler.tmLanguage.json").read_text()
    words = json.loads((GRAMMAR / "words.json").read_text())
    header = (GRAMMAR / "src/words.h").read_text()
    faults = []
    for name, wanted in WORDS.items():
        known = set()
        for rule in wanted:
            match = re.search(rf'"comment": "words: {rule}".*?"(?:match|begin)": "(.*?)",?\n', rules, re.DOTALL)
            known |= set(re.search(r"\(\?:([a-z0-9_|]+)\)", match[1], re.IGNORECASE)[1].split("|"))
        if known != set(words[name]):
            faults.append(f"words.json, {name}: {sorted(known ^ set(words[name]))}")
    for name in ("preprocessor", "mnemonics"):
        listed = re.search(rf"{name.upper()}\[\] = {{(.*?)}}", header, re.DOTALL)[1]
        if set(re.findall(r'"(\w+)"', listed)) != set(words[name]):
            faults.append(f"src/words.h has other {name} than words.json")
    longest = max(len(word) for name in ("preprocessor", "mnemonics") for word in words[name])
    if f"MOST_LETTERS {longest}\n" not in header:
        faults.append(f"src/words.h: the longest word has {longest} letters")
    # The parser was written with these words.
    grammar = (GRAMMAR / "src/grammar.json").read_text()
    faults += [f"src/grammar.json lacks .{word}" for word in words["directives"] if word not in grammar]
    return faults


def language() -> Language:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "grammar.so"
        sources = [GRAMMAR / "src" / name for name in ("parser.c", "scanner.c")]
        subprocess.check_call(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-I", GRAMMAR / "src", "-o", library, *sources])
        function = ctypes.cdll.LoadLibrary(str(library)).tree_sitter_kickassembler
    function.restype = ctypes.c_void_p
    warnings.simplefilter("ignore")
    return Language(function())


def first_error(node):
    """The first place of an error, row and column from 1."""
    if node.is_error or node.is_missing:
        return (node.start_point[0] + 1, node.start_point[1] + 1)
    return next((place for child in node.children if child.has_error and (place := first_error(child))), None)


def main() -> int:
    grammar = language()
    parser = Parser(grammar)
    faults = wrong_words()
    for source, expected in TREES:
        tree = str(parser.parse(source.encode()).root_node)
        if tree != expected:
            faults.append(f"{source!r}\n  {tree}\n  expected {expected}")
    for query in sorted((GRAMMAR / "queries").glob("*.scm")):
        Query(grammar, query.read_text())
        print(f"ok {query.name}")
    corpus = ROOT / "tests/conformance"
    accepted = [source for source in sorted(corpus.glob("*/*.asm")) if not source.with_suffix(".err").exists()]
    folders = ["asm", "tests/asm/ok", "tests/kernal", "tools/editors/vscode/sample", "tools/cli/templates"]
    accepted += [source for folder in folders for source in sorted((ROOT / folder).rglob("*.asm"))]
    unused = set(KNOWN)
    for source in accepted:
        name = str(source.relative_to(corpus)) if source.is_relative_to(corpus) else ""
        place = first_error(parser.parse(source.read_bytes()).root_node)
        if name in KNOWN:
            unused.discard(name)
            if place is None:
                faults.append(f"{name} has no error any more: take it off the list")
        elif place is not None:
            faults.append(f"{source.relative_to(ROOT)}:{place[0]}:{place[1]}: an error node")
    faults += [f"there is no {name}" for name in unused]
    print(f"ok {len(accepted)} sources")
    # Broken texts have a tree, too.
    noise = random.Random(1)
    texts = [source.read_bytes() for source in accepted]
    for _ in range(2000):
        text = bytearray(noise.choice(texts)[:400] or b" ")
        for _ in range(noise.randint(1, 10)):
            text[noise.randrange(len(text))] = noise.choice(b"(){}[];:#.!*\n\"'/el0\xff\x00")
        parser.parse(bytes(text))
    print("ok 2000 broken texts")
    for fault in faults:
        print(f"FAILED {fault}")
    return 1 if faults else 0


sys.exit(main())
