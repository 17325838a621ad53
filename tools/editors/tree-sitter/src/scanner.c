// Ends of statements in Kick Assembler's language, its mnemonics, and lines of the preprocessor within a statement.

#include "tree_sitter/parser.h"
#include "words.h"

enum Token {
  NEWLINE,
  SEMICOLON,
  PREPROCESSOR_LINE,
  MNEMONIC,
  // Never found: it is valid where an `else` may follow, and only there a line end is worth a look at what comes after it.
  ELSE_IS_POSSIBLE,
};

// There is no state.
void *tree_sitter_kickassembler_external_scanner_create(void) { return 0; }
void tree_sitter_kickassembler_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_kickassembler_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_kickassembler_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_line_end(TSLexer *lexer) { return lexer->lookahead == '\n' || lexer->lookahead == '\r'; }

static bool is_blank(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  return c == ' ' || c == '\t' || c == 0x0b || c == 0x0c;
}

static bool is_word(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Reads a word, in small letters if the case does not count. False if it is longer than any that is known.
static bool read_word(TSLexer *lexer, char *word, unsigned size, bool any_case) {
  unsigned length = 0;
  while (is_word(lexer->lookahead)) {
    char letter = (char)lexer->lookahead;
    if (length == size - 1) return false;
    word[length++] = any_case && letter >= 'A' && letter <= 'Z' ? (char)(letter | 0x20) : letter;
    lexer->advance(lexer, false);
  }
  word[length] = 0;
  return true;
}

static bool is_one_of(const char *word, const char *const *list, unsigned count) {
  for (unsigned index = 0; index < count; index++) {
    const char *known = list[index];
    unsigned at = 0;
    while (known[at] && known[at] == word[at]) at++;
    if (known[at] == word[at]) return true;
  }
  return false;
}

// Passes a comment; false if there is none, or a slash that divides.
static bool pass_comment(TSLexer *lexer) {
  lexer->advance(lexer, false);
  if (lexer->lookahead == '/') {
    while (!is_line_end(lexer) && !lexer->eof(lexer)) lexer->advance(lexer, false);
    return true;
  }
  if (lexer->lookahead != '*') return false;
  lexer->advance(lexer, false);
  while (!lexer->eof(lexer)) {
    if (lexer->lookahead != '*') {
      lexer->advance(lexer, false);
      continue;
    }
    lexer->advance(lexer, false);
    if (lexer->lookahead == '/') {
      lexer->advance(lexer, false);
      return true;
    }
  }
  return false;
}

// Whether the next word is `else`, after any blanks, line ends and comments.
static bool is_else_next(TSLexer *lexer) {
  for (;;) {
    if (is_blank(lexer) || is_line_end(lexer)) {
      lexer->advance(lexer, false);
    } else if (lexer->lookahead == '/') {
      if (!pass_comment(lexer)) return false;
    } else {
      break;
    }
  }
  for (const char *letter = "else"; *letter; letter++) {
    if (lexer->lookahead != *letter) return false;
    lexer->advance(lexer, false);
  }
  return !is_word(lexer->lookahead) && lexer->lookahead != ':';
}

bool tree_sitter_kickassembler_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  bool has_passed = false;
  for (;;) {
    if (is_blank(lexer)) {
      lexer->advance(lexer, true);
    } else if (is_line_end(lexer) && !valid[NEWLINE]) {
      has_passed = true;
      lexer->advance(lexer, true);
    } else {
      break;
    }
  }
  bool is_newline = is_line_end(lexer);
  if (is_newline || (lexer->lookahead == ';' && valid[SEMICOLON])) {
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    // `else` goes on with the `.if` before.
    if (valid[ELSE_IS_POSSIBLE] && is_else_next(lexer)) return false;
    lexer->result_symbol = is_newline ? NEWLINE : SEMICOLON;
    return true;
  }
  char word[MOST_LETTERS + 1];
  if (valid[MNEMONIC] && is_word(lexer->lookahead)) {
    if (!read_word(lexer, word, sizeof word, true)) return false;
    lexer->mark_end(lexer);
    // With a colon it is a label, with a parenthesis a call.
    if (lexer->lookahead == ':' || lexer->lookahead == '(') return false;
    lexer->result_symbol = MNEMONIC;
    return is_one_of(word, MNEMONICS, sizeof MNEMONICS / sizeof *MNEMONICS);
  }
  if (!has_passed || lexer->lookahead != '#' || !valid[PREPROCESSOR_LINE]) return false;
  // `#if` and the others, but not an immediate operand.
  lexer->advance(lexer, false);
  if (!read_word(lexer, word, sizeof word, false)) return false;
  if (!is_one_of(word, PREPROCESSOR, sizeof PREPROCESSOR / sizeof *PREPROCESSOR)) return false;
  while (!is_line_end(lexer) && !lexer->eof(lexer)) lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  lexer->result_symbol = PREPROCESSOR_LINE;
  return true;
}
