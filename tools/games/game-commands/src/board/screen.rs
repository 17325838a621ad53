//! Drawing: the board, the panel beside it, the lines below. Reads the table and the screen's state,
//! changes neither.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, List, ListItem, ListState, Paragraph, Wrap};
use tempo_boardgame::{BoardView, Cell, Game, Mark, PieceView, Seat, Square, column_letter};

use super::keys::{Screen, keys_line};
use super::prompt::owned_symbol;
use super::table::{Player, Table};

/// Colours of the seats, told apart on dark and on light squares.
const SEATS: [u8; 8] = [231, 214, 81, 120, 213, 227, 111, 203];
/// Seats named for a colour have that colour; black would not be seen and is silver.
const NAMED: [(&str, u8); 6] =
    [("blue", 75), ("red", 203), ("black", 250), ("yellow", 227), ("green", 120), ("white", 231)];

/// Colours of the squares. Every piece has a contrast of three to one or more on each of them.
struct Palette {
    light: u8,
    dark: u8,
    from: u8,
    target: u8,
    prey: u8,
    last: u8,
}

/// White and black pieces on wood.
const WOOD: Palette = Palette { light: 137, dark: 94, from: 64, target: 65, prey: 131, last: 100 };
/// Colourful pieces on slate.
const SLATE: Palette = Palette { light: 240, dark: 236, from: 58, target: 22, prey: 52, last: 60 };
/// The frame of the cursor.
const CURSOR: u8 = 226;
/// White and black pieces themselves.
const TWO_SEATS: [u8; 2] = [231, 16];

fn palette(view: &BoardView) -> &'static Palette {
    if view.seats.len() <= 2 { &WOOD } else { &SLATE }
}

const PANEL: u16 = 30;

/// Draws everything.
pub fn draw<G: Game>(frame: &mut Frame<'_>, table: &Table<G>, screen: &Screen<G::Move>) {
    let area = frame.area();
    let width = usize::from(area.width.max(1));
    let split = |below: &[Line<'_>]| {
        let height: usize = below.iter().map(|line| line.width().max(1).div_ceil(width)).sum();
        let height = (height as u16).min(area.height / 2);
        let [main, bottom] = Layout::vertical([Constraint::Min(1), Constraint::Length(height)]).areas(area);
        let panel = if main.width >= 58 { PANEL } else { main.width / 3 };
        let [board, side] = Layout::horizontal([Constraint::Min(1), Constraint::Length(panel)]).areas(main);
        (main, board, side, bottom)
    };
    let mut below = below_text(table, screen, None);
    let (mut main, mut board, mut side, mut bottom) = split(&below);
    let hidden = Grid::fit(board, table.view(), screen.cursor).hidden(table.view());
    if hidden.is_some() {
        below = below_text(table, screen, hidden);
        (main, board, side, bottom) = split(&below);
    }
    draw_board(frame, board, table, screen);
    draw_panel(frame, side, table, screen);
    frame.render_widget(Paragraph::new(below).wrap(Wrap { trim: false }), bottom);
    if let Some(popup) = &screen.popup {
        let items: Vec<ListItem<'_>> =
            popup.moves.iter().map(|(_, text)| ListItem::new(text.as_str())).collect();
        let wide = popup.moves.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0) as u16 + 6;
        let wide = wide.max(popup.title.len() as u16 + 4).min(main.width);
        let high = (popup.moves.len() as u16 + 2).min(main.height);
        let place = main.centered(Constraint::Length(wide), Constraint::Length(high));
        frame.render_widget(Clear, place);
        let list = List::new(items)
            .block(Block::bordered().title(popup.title.as_str()))
            .highlight_symbol("> ")
            .highlight_style(Modifier::REVERSED);
        let mut state = ListState::default().with_selected(Some(popup.chosen));
        frame.render_stateful_widget(list, place, &mut state);
    }
}

fn below_text<'a, G: Game>(
    table: &'a Table<G>,
    screen: &'a Screen<G::Move>,
    hidden: Option<String>,
) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    if let Some(input) = &screen.input {
        lines.push(Line::from(format!(":{input}█")));
    } else if screen.thinking {
        lines.push(Line::from(format!("{} is thinking… {}", table.seat_name(table.seat()), screen.found)));
    } else {
        lines.extend(screen.message.lines().take(16).map(Line::from));
    }
    if let Some(hidden) = hidden {
        lines.push(Line::styled(hidden, Modifier::BOLD));
    }
    lines.push(Line::styled(keys_line(table, screen), Style::new().add_modifier(Modifier::DIM)));
    lines
}

/// Width and height of a cell, and the squares that are in sight.
struct Grid {
    width: u16,
    height: u16,
    margin: u16,
    first: (u16, u16),
    count: (u16, u16),
}

impl Grid {
    /// The largest cells that show the whole board; where none do, a window around the cursor.
    fn fit(area: Rect, view: &BoardView, cursor: Square) -> Grid {
        let margin = view.rows.to_string().len() as u16 + 1;
        let (wide, high) = (area.width.saturating_sub(margin), area.height.saturating_sub(1));
        // Room for what is longest on a square, and for the frame of the cursor or the signs of a throne.
        let symbols = |cell: &Cell| {
            let lengths: usize = cell.pieces.iter().map(|piece| piece.symbol.chars().count() + 1).sum();
            lengths.saturating_sub(1) as u16
        };
        let least = view.cells.iter().map(symbols).max().unwrap_or(1).max(1) + 2;
        let sizes = [(11, 5), (7, 3), (5, 2), (3, 1)].map(|(width, height)| (least.max(width), height));
        let fits = |&(width, height): &(u16, u16)| {
            u32::from(view.columns) * u32::from(width) <= wide.into()
                && u32::from(view.rows) * u32::from(height) <= high.into()
        };
        let (width, height) = sizes.into_iter().find(fits).unwrap_or((least, 1));
        let window = |total: u16, room: u16, at: u16| {
            let count = room.clamp(1, total);
            let first = at.saturating_sub(count / 2).min(total - count);
            (first, count)
        };
        let (x, columns) = window(view.columns, wide / width, cursor.0 % view.columns);
        let (y, rows) = window(view.rows, high / height, cursor.0 / view.columns);
        Grid { width, height, margin, first: (x, y), count: (columns, rows) }
    }

    /// A sign for the person if part of the board is out of sight.
    fn hidden(&self, view: &BoardView) -> Option<String> {
        if self.count == (view.columns, view.rows) {
            return None;
        }
        let corner = |x: u16, y: u16| Square(y * view.columns + x).name(view.columns);
        let (x, y) = self.first;
        let (from, to) = (corner(x, y), corner(x + self.count.0 - 1, y + self.count.1 - 1));
        Some(format!(
            "the window is too small: only {from} to {to} of {} by {} squares; the cursor moves the view",
            view.columns, view.rows
        ))
    }
}

fn draw_board<G: Game>(frame: &mut Frame<'_>, area: Rect, table: &Table<G>, screen: &Screen<G::Move>) {
    let view = table.view();
    let grid = Grid::fit(area, view, screen.cursor);
    let targets: Vec<Square> = match screen.from {
        Some(from) => {
            table.moves_from(from).into_iter().filter_map(|mv| table.squares(mv)).map(|(_, to)| to).collect()
        }
        None => Vec::new(),
    };
    let last = table.made().last().and_then(|made| table.squares(made.mv));
    let buffer = frame.buffer_mut();
    for line in 0..grid.count.1 {
        // Line 0 is at the bottom, or at the top when the board is turned.
        let row = grid.first.1 + line;
        let shown = if screen.flipped { line } else { grid.count.1 - 1 - line };
        let top = area.y + shown * grid.height;
        let label = if view.columns <= 26 { row + 1 } else { row };
        let middle = top + grid.height / 2;
        if middle < area.bottom() {
            buffer.set_stringn(area.x, middle, label.to_string(), usize::from(area.width), Style::new());
        }
        for offset in 0..grid.count.0 {
            let column = grid.first.0 + offset;
            let shown = if screen.flipped { grid.count.0 - 1 - offset } else { offset };
            let square = Square(row * view.columns + column);
            let place = Rect {
                x: area.x + grid.margin + shown * grid.width,
                y: top,
                width: grid.width,
                height: grid.height,
            };
            let place = place.intersection(area);
            let look = Look {
                dark: (row + column).is_multiple_of(2),
                cursor: square == screen.cursor,
                from: screen.from == Some(square),
                target: targets.contains(&square),
                last: last.is_some_and(|(from, to)| square == from || square == to),
                colour: screen.colour,
                figurines: screen.figurines,
            };
            draw_cell(buffer, place, view.cell(square), view, look);
            if row == grid.first.1 {
                let y = area.y + grid.count.1 * grid.height;
                let label = column_letter(column, view.columns).map_or(column.to_string(), String::from);
                if y < area.bottom() {
                    let x = place.x + grid.width.saturating_sub(label.len() as u16) / 2;
                    buffer.set_stringn(x, y, label, usize::from(grid.width), Style::new());
                }
            }
        }
    }
}

/// Why a cell looks as it does.
#[derive(Clone, Copy)]
struct Look {
    dark: bool,
    cursor: bool,
    from: bool,
    target: bool,
    last: bool,
    colour: bool,
    figurines: bool,
}

fn draw_cell(buffer: &mut ratatui::buffer::Buffer, place: Rect, cell: &Cell, view: &BoardView, look: Look) {
    if place.is_empty() {
        return;
    }
    let hole = cell.mark == Some(Mark::Hole);
    let colours = palette(view);
    let background = match look {
        Look { from: true, .. } => Some(colours.from),
        Look { target: true, .. } if !cell.pieces.is_empty() => Some(colours.prey),
        Look { target: true, .. } => Some(colours.target),
        _ if hole => None,
        Look { last: true, .. } => Some(colours.last),
        Look { dark, .. } => Some(if dark { colours.dark } else { colours.light }),
    };
    let mut style = Style::new();
    if let Some(background) = background.filter(|_| look.colour) {
        style = style.bg(Color::Indexed(background));
    }
    buffer.set_style(place, style);
    let middle = place.y + place.height / 2;
    let spans = cell_spans(cell, view, look, usize::from(place.width.saturating_sub(2)));
    let width: usize = spans.iter().map(Span::width).sum();
    let x = place.x + (place.width.saturating_sub(width as u16)) / 2;
    buffer.set_line(x, middle, &Line::from(spans), place.width);
    if let Some(Mark::Zone(seat)) = cell.mark
        && place.width >= 5
    {
        let style = seat_style(seat, view, look.colour);
        buffer.set_string(place.x, middle, "[", style);
        buffer.set_string(place.right() - 1, middle, "]", style);
    }
    // Without colour the marks are letters.
    if !look.colour && (look.target || look.from) {
        buffer.set_string(place.x, middle, if look.from { ">" } else { "*" }, Style::new());
    }
    if look.cursor && look.colour {
        frame_cell(buffer, place);
    } else if look.cursor {
        buffer.set_style(place, Modifier::REVERSED);
    }
}

/// The cursor: corners around the cell, brackets where it is one line high.
fn frame_cell(buffer: &mut ratatui::buffer::Buffer, place: Rect) {
    let style = Style::new().fg(Color::Indexed(CURSOR)).add_modifier(Modifier::BOLD);
    let (left, right) = (place.x, place.right() - 1);
    let (top, bottom) = (place.y, place.bottom() - 1);
    if top == bottom {
        buffer.set_string(left, top, "[", style);
        buffer.set_string(right, top, "]", style);
        return;
    }
    for (x, y, corner) in [(left, top, "┏"), (right, top, "┓"), (left, bottom, "┗"), (right, bottom, "┛")]
    {
        buffer.set_string(x, y, corner, style);
    }
    if place.width >= 5 {
        for (x, y) in [(left + 1, top), (right - 1, top), (left + 1, bottom), (right - 1, bottom)] {
            buffer.set_string(x, y, "━", style);
        }
    }
}

fn cell_spans(cell: &Cell, view: &BoardView, look: Look, room: usize) -> Vec<Span<'static>> {
    if cell.pieces.is_empty() {
        let text = match look {
            Look { target: true, colour: true, .. } => "•",
            Look { colour: true, .. } => " ",
            _ if cell.mark.is_some() => " ",
            _ => ".",
        };
        return vec![Span::styled(text, Style::new().fg(Color::Indexed(231)))];
    }
    let each = (room.saturating_sub(cell.pieces.len() - 1) / cell.pieces.len()).max(1);
    let mut spans = Vec::new();
    for piece in &cell.pieces {
        if !spans.is_empty() {
            spans.push(Span::raw("/"));
        }
        let mut style = seat_style(piece.seat, view, look.colour);
        let mut text = sign(piece, view, look);
        if piece.dimmed {
            style = style.remove_modifier(Modifier::BOLD).add_modifier(Modifier::DIM | Modifier::ITALIC);
            if !look.colour {
                text = format!("({text})");
            }
        }
        spans.push(Span::styled(text.chars().take(each).collect::<String>(), style));
    }
    spans
}

/// A piece as the terminal can show it: a figurine, or letters. Without colour, White's figurines are outlines.
fn sign(piece: &PieceView, view: &BoardView, look: Look) -> String {
    match piece.figurine.filter(|_| look.figurines) {
        Some(figurine) if look.colour || (view.seats.len() == 2 && piece.seat.0 == 1) => figurine.to_string(),
        // The outlines are six places before the filled ones.
        Some(figurine) if view.seats.len() == 2 => {
            char::from_u32(u32::from(figurine) - 6).unwrap_or(figurine).to_string()
        }
        _ if look.colour && view.seats.len() > 2 => piece.symbol.clone(),
        _ => owned_symbol(&piece.symbol, piece.seat, view),
    }
}

fn seat_style(seat: Seat, view: &BoardView, colour: bool) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    if !colour {
        return style;
    }
    let named = |name: &String| {
        NAMED.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, index)| *index)
    };
    // By name only where every seat is named for a colour, so that no two seats can look alike.
    let names: Option<Vec<u8>> =
        if view.seats.len() > 2 { view.seats.iter().map(named).collect() } else { None };
    let index = names.and_then(|names| names.get(usize::from(seat.0)).copied());
    let seats: &[u8] = if view.seats.len() <= 2 { &TWO_SEATS } else { &SEATS };
    style.fg(Color::Indexed(index.unwrap_or(seats[usize::from(seat.0) % seats.len()])))
}

/// The colour of a seat's name and moves beside the board, on the terminal's own ground: black and white pieces would
/// vanish on one or the other.
fn name_style(seat: Seat, view: &BoardView, colour: bool) -> Style {
    if view.seats.len() <= 2 {
        Style::new().add_modifier(Modifier::BOLD)
    } else {
        seat_style(seat, view, colour)
    }
}

/// Cuts a text into lines of at most `width` characters, between words where there are any.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines
}

fn draw_panel<G: Game>(frame: &mut Frame<'_>, area: Rect, table: &Table<G>, screen: &Screen<G::Move>) {
    let area = area.inner(Margin { horizontal: 1, vertical: 0 });
    let view = table.view();
    let mut lines = vec![Line::styled(table.title.clone(), Modifier::BOLD), Line::default()];
    for (i, name) in view.seats.iter().enumerate().take(16) {
        let seat = Seat(i as u8);
        let turn = if seat == table.seat() && !table.is_over() { "> " } else { "  " };
        let mut spans =
            vec![Span::raw(turn), Span::styled(name.clone(), name_style(seat, view, screen.colour))];
        match (table.players.get(i), &table.brain) {
            (Some(Player::Computer { .. }), _) => spans.push(Span::raw(" (computer)")),
            (Some(Player::Brain), Some((name, _))) => spans.push(Span::raw(format!(" ({name})"))),
            _ => {}
        }
        if let Some(used) = table.clock(seat) {
            let used = used.as_secs();
            spans.push(Span::raw(format!("  {}:{:02}", used / 60, used % 60)));
        }
        lines.push(Line::from(spans));
    }
    lines.push(Line::default());
    let wrapped = view.notes.iter().flat_map(|note| wrap(note, usize::from(area.width)));
    lines.extend(wrapped.map(Line::from));
    let without = table.moves_without_squares().len();
    if without > 0 {
        let moves = tempo_diagnostics::plural(without, "move");
        lines.push(Line::from(format!("{moves} without squares: l")));
    }
    if let Some(result) = table.result() {
        lines.push(Line::styled(result, Modifier::BOLD));
    }
    lines.push(Line::default());
    let moves = move_lines(table, screen);
    let room = usize::from(area.height).saturating_sub(lines.len()).max(1);
    let first = moves.len().saturating_sub(room);
    lines.extend(moves.into_iter().skip(first));
    frame.render_widget(Paragraph::new(lines), area);
}

/// The moves so far: in pairs where two seats take turns, else one a line.
fn move_lines<'a, G: Game>(table: &'a Table<G>, screen: &Screen<G::Move>) -> Vec<Line<'a>> {
    let view = table.view();
    let made = table.made();
    let number = |count: usize| Span::styled(format!("{count:>3}. "), Modifier::DIM);
    let alternate = view.seats.len() == 2 && made.windows(2).all(|pair| pair[0].seat != pair[1].seat);
    if !alternate {
        let line = |(i, made): (usize, &'a super::table::Made<G>)| {
            let style = name_style(made.seat, view, screen.colour);
            Line::from(vec![number(i + 1), Span::styled(made.text.clone(), style)])
        };
        return made.iter().enumerate().map(line).collect();
    }
    // The second seat may have begun.
    let late = usize::from(made.first().is_some_and(|made| made.seat.0 == 1));
    let texts: Vec<&str> =
        std::iter::repeat_n("…", late).chain(made.iter().map(|made| made.text.as_str())).collect();
    let line = |(i, pair): (usize, &[&str])| {
        let [first, rest @ ..] = pair else { return Line::default() };
        Line::from(vec![
            number(i + 1),
            Span::raw(format!("{first:<9}")),
            Span::raw(rest.first().copied().unwrap_or_default().to_owned()),
        ])
    };
    texts.chunks(2).enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::command;
    use super::super::table::tests::small;
    use super::*;

    fn lines(
        width: u16,
        height: u16,
        table: &Table<tempo_gamespec::Position>,
        screen: &Screen<tempo_gamespec::Move>,
    ) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, table, screen)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        (0..height)
            .map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned())
            .collect()
    }

    #[test]
    fn the_screen_shows_board_turn_and_moves() {
        let mut table = small();
        command::run(&mut table, "c1c2");
        let mut screen = Screen::new(&table);
        (screen.colour, screen.figurines) = (false, false);
        screen.from = Some(Square(9));
        screen.message = "Mc1-c2".into();
        let expected = [
            "                               SMALL",
            "4 >  m      m      .",
            "                                 WHITE",
            "                               > BLACK",
            "3 *  .      .      .",
            "                               BLACK to move",
            "",
            "2    .             M             1. Mc1-c2",
            "",
            "",
            "1    M      .      .",
            "",
            "     a      b      c",
        ];
        assert_eq!(lines(60, 18, &table, &screen)[..13], expected);
    }

    #[test]
    fn chess_has_figurines_pairs_of_moves_and_a_sign_when_it_does_not_fit() {
        let header = tempo_boardgame::saved::Header { game: "chess".into(), setup: serde_json::json!({}) };
        let mut table = Table::new("Chess".into(), tempo_chess::Game::default(), header, "x.pgn".into());
        for text in ["e4", "e5", "Nf3"] {
            command::run(&mut table, text);
        }
        let mut screen = Screen::new(&table);
        let shown = |width, height, screen: &Screen<tempo_chess::Move>| {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(frame, &table, screen)).unwrap();
            let buffer = terminal.backend().buffer().clone();
            let line =
                |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
            (0..height).map(line).collect::<Vec<String>>()
        };
        (screen.colour, screen.figurines) = (false, true);
        screen.cursor = Square(0);
        let lines = shown(80, 24, &screen);
        assert_eq!(lines[1], "8   ♜    ♞    ♝    ♛    ♚    ♝    ♞    ♜");
        assert!(lines[15].starts_with("1   ♖    ♘    ♗    ♕    ♔    ♗    .    ♖"), "{lines:#?}");
        assert!(lines.iter().any(|line| line.ends_with("  1. e4       e5")), "{lines:#?}");
        assert!(lines.iter().any(|line| line.ends_with("  2. Nf3")), "{lines:#?}");
        assert!(!lines.join("").contains("too small"));
        screen.figurines = false;
        assert_eq!(shown(80, 24, &screen)[1], "8   r    n    b    q    k    b    n    r");
        let small = shown(24, 10, &screen).join(" ");
        assert!(small.contains("the window is too small"), "{small}");
    }

    #[test]
    fn small_windows_scroll_and_never_panic() {
        let table = small();
        let mut screen = Screen::new(&table);
        for flipped in [false, true] {
            screen.flipped = flipped;
            for width in (1..70).step_by(3) {
                for height in 1..16 {
                    lines(width, height, &table, &screen);
                }
            }
        }
    }

    #[test]
    fn a_list_of_moves_covers_the_board() {
        let table = small();
        let mut screen = Screen::new(&table);
        screen.popup = Some(super::super::keys::Popup {
            title: "2 moves".into(),
            moves: table.legal().iter().map(|&mv| (mv, table.text(mv))).collect(),
            chosen: 1,
        });
        let shown = lines(70, 20, &table, &screen).join("\n");
        assert!(shown.contains("> Mc1-c2"), "{shown}");
    }
}
