//! The imports of a source, by its tokens alone: enough to find roots without reading programs.

use tempo_assembler::dialect::Preprocessor;
use tempo_assembler::{SourceToken, TokenKind};

/// The names of the sources that a text imports, conditions of the preprocessor not looked at.
///
/// ```
/// let text = "#import \"a.asm\"\n#importif DEBUG \"b.asm\"\n.import source \"c.asm\"\n.import binary \"d.bin\"\n";
/// assert_eq!(tempo_editor::imports(text), ["a.asm", "b.asm", "c.asm"]);
/// ```
pub fn imports(text: &str) -> Vec<String> {
    if !text.contains("import") {
        return Vec::new();
    }
    let tokens = tempo_assembler::tokens(text);
    let spelled = |token: &SourceToken| &text[token.start as usize..token.end as usize];
    let mut names = Vec::new();
    for line in tokens.split(|token| token.kind == TokenKind::LineEnd) {
        let words: Vec<&SourceToken> = line.iter().filter(|token| token.kind != TokenKind::Comment).collect();
        for (index, token) in words.iter().enumerate() {
            let next = |ahead: usize| words.get(index + ahead).map_or("", |token| spelled(token));
            let is_import = match spelled(token) {
                "#" => Preprocessor::find(next(1)).is_some_and(|found| found.item().takes.has_file()),
                ".import" => next(1) == "source",
                _ => false,
            };
            let name = words[index..].iter().find(|token| token.kind == TokenKind::String);
            if let Some(name) = name.filter(|_| is_import) {
                names.push(spelled(name).trim_matches(['"', '@']).to_owned());
            }
        }
    }
    names
}
