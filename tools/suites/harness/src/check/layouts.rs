//! Layouts: what a `layout` line defines, and which one a board uses.

use std::sync::Arc;

use tempo_diagnostics::nearest;

use super::Checker;
use crate::ast::{self, LayoutItem, Name};
use crate::diag::{Code, Diagnostic};
use crate::eval::fold;
use crate::layout::{Field, Layout, PIECE_LABELS};
use crate::plan::{Board, Expr, Form};
use tempo_expressions::Kind;

const KEYS: &[&str] = &[
    "rows",
    "columns",
    "stride",
    "fill",
    "order",
    "cells",
    "squares",
    "side",
    "castling",
    "enpassant",
    "halfmove",
    "fullmove",
];

impl Checker<'_> {
    pub(super) fn check_layout(&mut self, written: &ast::Layout) {
        let mut layout = Layout::chess(&written.name.value, 16);
        let mut strode = false;
        for item in &written.items {
            strode |= item.key.value == "stride";
            self.check_item(&mut layout, item);
        }
        if !strode {
            layout.stride = layout.columns as i64;
        }
        if layout.cells.is_empty() {
            layout.cells = Layout::labelled_pieces(&self.names).unwrap_or_default();
        }
        if layout.cells.is_empty() {
            self.report(
                Diagnostic::error(Code::Meaning, written.name.span, "the layout has no cells").help(
                    "cells = (\".\" = 0, \"P\" = [WHITE_PAWN], …), or labels named WHITE_PAWN and so on",
                ),
            );
        } else if !layout.cells.iter().any(|(letter, _)| *letter == '.') {
            self.report(
                Diagnostic::error(
                    Code::Meaning,
                    written.name.span,
                    "the layout does not say what an empty cell is",
                )
                .help("add \".\" = … to its cells"),
            );
        }
        let name = written.name.value.clone();
        Arc::make_mut(&mut self.layouts).insert(name.clone(), Arc::new(layout));
        self.default_layout = Some(name);
    }

    fn check_item(&mut self, layout: &mut Layout, item: &LayoutItem) {
        let value = item.value.as_ref().and_then(|value| self.resolve(value));
        let number = value.as_ref().and_then(fold);
        let key = item.key.value.as_str();
        match key {
            "rows" | "columns" | "stride" | "fill" => {
                let limit = if key == "fill" { 0x10000 } else { 256 };
                match number {
                    Some(number) if (0..=limit).contains(&number) && (number > 0 || key == "fill") => {
                        match key {
                            "rows" => layout.rows = number as usize,
                            "columns" => layout.columns = number as usize,
                            "stride" => layout.stride = number,
                            _ => layout.fill = number as usize,
                        }
                    }
                    _ => self.report(Diagnostic::error(
                        Code::Meaning,
                        item.span,
                        format!("`{key}` is a constant from 1 to {limit}"),
                    )),
                }
            }
            "order" => match item.word.as_ref().map(|word| word.value.as_str()) {
                Some("down") => layout.bottom_up = false,
                Some("up") => layout.bottom_up = true,
                _ => self.report(
                    Diagnostic::error(Code::Meaning, item.span, "`order` is `down` or `up`")
                        .help("down: the first row of the text lies at the lowest address"),
                ),
            },
            "cells" => layout.cells = self.letter_bytes(item),
            "squares" => {
                for (letter, value) in &item.letters {
                    let Some(value) = self.resolve(value) else { continue };
                    if let Some(address) = self.constant_address(&value, "the address") {
                        layout.squares.push((letter.value.chars().next().unwrap_or('?'), address));
                    }
                }
            }
            "side" | "castling" => {
                let letters = self.letter_bytes(item);
                let Some(address) = value.and_then(|value| self.constant_address(&value, "the address"))
                else {
                    return;
                };
                let letters = match (letters.is_empty(), key) {
                    (false, _) => letters,
                    (true, "side") => vec![('w', 0x80), ('b', 0)],
                    (true, _) => vec![('K', 1), ('Q', 2), ('k', 4), ('q', 8)],
                };
                let field = Some(Field { address, letters });
                if key == "side" { layout.side = field } else { layout.castling = field }
            }
            "enpassant" => {
                let none = self.letter_bytes(item).first().map_or(0xff, |&(_, byte)| byte);
                let address = value.and_then(|value| self.constant_address(&value, "the address"));
                layout.en_passant = address.map(|address| (address, none));
            }
            "halfmove" => {
                layout.halfmove = value.and_then(|value| self.constant_address(&value, "the address"))
            }
            "fullmove" => {
                layout.fullmove = value.and_then(|value| self.constant_address(&value, "the address"))
            }
            _ => {
                let help = match nearest(key, KEYS.iter().copied()) {
                    Some(word) => format!("did you mean `{word}`?"),
                    None => format!("known: {}", KEYS.join(", ")),
                };
                self.report(
                    Diagnostic::error(Code::Meaning, item.key.span, format!("a layout has no `{key}`"))
                        .help(help),
                );
            }
        }
    }

    fn letter_bytes(&mut self, item: &LayoutItem) -> Vec<(char, u8)> {
        let mut all = Vec::new();
        for (letter, value) in &item.letters {
            let Some(value) = self.resolve(value) else { continue };
            match fold(&value).and_then(|number| u8::try_from(number).ok()) {
                Some(byte) => all.push((letter.value.chars().next().unwrap_or('?'), byte)),
                None => {
                    self.report(Diagnostic::error(Code::Meaning, value.span, "a cell is one constant byte"))
                }
            }
        }
        all
    }

    /// The layout of a board, by name; the built-in ones are made when first used.
    pub(super) fn check_board_layout(&mut self, board: &ast::Board, has_pieces: bool) -> Option<Arc<Layout>> {
        let name = match &board.layout {
            Some(name) => name.clone(),
            None => {
                let value = self.default_layout.clone().unwrap_or_else(|| "x88".to_string());
                Name { value, span: board.base.span }
            }
        };
        if let Some(layout) = self.layouts.get(&name.value) {
            return Some(layout.clone());
        }
        let Some(layout) = Layout::built_in(&name.value, &self.names) else {
            if self.is_incomplete {
                return None;
            }
            let known = self.layouts.keys().map(String::as_str).chain(["x88", "linear"]);
            let help = nearest(&name.value, known).map(|word| format!("did you mean `{word}`?"));
            self.report(
                Diagnostic::error(Code::Meaning, name.span, format!("unknown layout `{}`", name.value))
                    .help(help),
            );
            return None;
        };
        let may_be_labelled = self.is_incomplete || self.lacks_labels;
        if !has_pieces && !may_be_labelled && Layout::labelled_pieces(&self.names).is_none() {
            let missing = PIECE_LABELS.iter().find(|(_, label)| self.names.get(label).is_none());
            let label = missing.map_or("EMPTY_PIECE", |(_, label)| label);
            self.report(
                Diagnostic::error(Code::Meaning, name.span, format!("the layout `{}` needs the label `{label}`", name.value)).help(
                    "label the piece codes EMPTY_PIECE, WHITE_PAWN … BLACK_KING, say `pieces = [table]`, or define a `layout`",
                ),
            );
            return None;
        }
        Some(Arc::new(layout))
    }

    /// A constant board text that the layout cannot read.
    pub(super) fn check_board_text(&mut self, board: &Board, text: &Expr) {
        let written = match &text.kind {
            Kind::Form(Form::Text(written)) => written.constant(),
            Kind::Variable(_) => None,
            _ => {
                self.report(
                    Diagnostic::error(Code::Meaning, text.span, "a board is compared with a text")
                        .help("\"8/8/8/8/8/8/8/8\""),
                );
                None
            }
        };
        if let Some(Err(message)) = written.map(|written| board.layout.parse(written)) {
            self.report(Diagnostic::error(Code::Meaning, text.span, message));
        }
    }
}
