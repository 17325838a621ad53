// Colours for sources and suites: words and numbers, no meaning. What a name is, the language server's answers say.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const MNEMONICS = new Set(("adc and asl bcc bcs beq bit bmi bne bpl brk bvc bvs clc cld cli clv cmp cpx cpy dec dex dey eor inc inx iny jmp jsr lda ldx ldy lsr nop ora pha " +
  "php pla plp rol ror rti rts sbc sec sed sei sta stx sty tax tay tsx txa txs tya slo rla sre rra sax lax dcp isc anc alr arr axs").split(" "));
const WORDS = new Set("suites suite test assemble load jsr assert setup expect each forall bench stub guard memory registers screen frames run if else for while return true false".split(" "));
const parser = (isSuite) => ({
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) { if (stream.skipTo("*/")) { stream.match("*/"); state.comment = false; } else stream.skipToEnd(); return "comment"; }
    if (stream.eatSpace()) return null;
    if (stream.match("//") || (isSuite && stream.match(";"))) { stream.skipToEnd(); return "comment"; }
    if (stream.match("/*")) { state.comment = true; return "comment"; }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^(?:\$[0-9a-f]+|%[01]+|\d+(?:\.\d+)?)/i)) return "number";
    if (stream.match(/^[.#][a-z_]\w*/i)) return "keyword";
    if (stream.match(/^!?[a-z_]\w*:/i)) return "labelName";
    const word = stream.match(/^!?[a-z_][\w.]*/i);
    if (word) return isSuite ? (WORDS.has(word[0]) ? "keyword" : null) : MNEMONICS.has(word[0].toLowerCase()) ? "operatorKeyword" : null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
});
export const languages = { asm: StreamLanguage.define(parser(false)), suite: StreamLanguage.define(parser(true)) };
export const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.comment, color: "#8b97a5" }, { tag: tags.string, color: "#a5d6a7" }, { tag: tags.number, color: "#f5c77e" },
  { tag: tags.keyword, color: "#d2a8ff" }, { tag: tags.operatorKeyword, color: "#79c0ff" }, { tag: tags.labelName, color: "#ffa198" },
]));
