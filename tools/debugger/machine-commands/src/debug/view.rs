//! Drawing: reads the app, changes nothing. Made for 80×24; larger terminals show more.

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use tempo_console::{summary, words};
use tempo_debug::Watch;
use tempo_diagnostics::hex_bytes;
use tempo_emu::Registers;

use super::app::{App, KEYS, Screen};
use super::paint::{self, bar, bold, changed, clean, dim, here};
use crate::run::blocks;

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    let log = if area.height > 30 { 6 } else { 4 };
    let [title, main, below, said, line] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(4),
        Constraint::Length((area.height / 4).clamp(3, 16)),
        Constraint::Length(log),
        Constraint::Length(1),
    ])
    .areas(area);
    let side = (area.width * 2 / 5).clamp(20, 50);
    let [source, right] = Layout::horizontal([Constraint::Min(20), Constraint::Length(side)]).areas(main);
    let [listing, memory] = Layout::horizontal([Constraint::Min(20), Constraint::Length(side)]).areas(below);
    draw_title(frame, title, app);
    draw_source(frame, source, app);
    draw_state(frame, right, app);
    draw_listing(frame, listing, app);
    draw_memory(frame, memory, app);
    draw_log(frame, said, app);
    let text = match &app.input {
        Some(input) => Line::from(format!(":{}█", clean(input))),
        None if app.session.is_running => Line::styled("running; any key pauses", bold()),
        None => keys(),
    };
    frame.render_widget(Paragraph::new(text), line);
    draw_screen(frame, Rect { height: area.height.saturating_sub(1), ..area }, app);
    if app.help > 0 {
        draw_help(frame, area, app.help);
    }
    if !app.has_colours {
        // The terminal library would put a reset in place of a colour, which also ends reversed and dim text.
        for cell in &mut frame.buffer_mut().content {
            cell.set_fg(Color::Reset).set_bg(Color::Reset);
        }
    }
}

/// The keys that are used most, each before what it does.
fn keys() -> Line<'static> {
    const SHOWN: [(&str, &str); 10] = [
        ("n", " over  "),
        ("s", " into  "),
        ("o", " out  "),
        ("c", " run  "),
        ("b", " back  "),
        ("C", " run back  "),
        ("t", " break  "),
        ("w", " why  "),
        (":", " cmd  "),
        ("?", " keys"),
    ];
    Line::from_iter(
        SHOWN.iter().flat_map(|(key, what)| [Span::styled(*key, bold()), Span::styled(*what, dim())]),
    )
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let machine = app.session.debugger.machine();
    let beam = machine.beam().map_or(String::new(), |(line, cycle)| format!("raster {line}:{cycle}   "));
    let state = match (app.session.is_running, &app.session.debugger.last_stop().reason) {
        (true, _) => "running",
        (false, tempo_debug::Reason::Ended(_)) => "ended",
        (false, _) => "stopped",
    };
    let left = format!(" tempo debug   {}   {state}", clean(&app.file));
    let right = format!("{beam}cycle {} ", machine.cycles());
    frame.render_widget(Paragraph::new(left).style(bar()), area);
    let width = (right.chars().count() as u16).min(area.width);
    let place = Rect { x: area.x + area.width - width, width, ..area };
    frame.render_widget(Paragraph::new(right).style(bar()), place);
}

fn titled(title: String) -> Block<'static> {
    Block::new().borders(Borders::TOP).title(Span::styled(title, bold())).border_style(dim())
}

fn draw_source(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let debugger = &app.session.debugger;
    let Some(place) = app.place() else {
        let text = "no source here: see the disassembly";
        frame.render_widget(Paragraph::new(text).style(dim()).block(titled(" source ".to_string())), area);
        return;
    };
    let stands = debugger.top_place();
    let rows = area.height.saturating_sub(1);
    let file = debugger.map.file(&place.path);
    let text = match (file, &debugger.test) {
        (Some(file), _) => debugger.map.files[file].source.text().to_string(),
        (None, Some(test)) => test.suite().map_or(String::new(), |suite| suite.text().to_string()),
        _ => String::new(),
    };
    // As much of the file as there is room for.
    let last_first = (text.lines().count() as u32).saturating_sub(u32::from(rows)) + 1;
    let first = place.line.saturating_sub(u32::from(rows) / 2).clamp(1, last_first.max(1));
    // Lines with a breakpoint, whatever it was set by.
    let peek = |at: u16| debugger.machine().peek(at);
    let points: HashSet<u32> = (debugger.points.iter())
        .flat_map(|point| match &point.watch {
            Watch::Code(addresses) if point.line.is_none() => addresses.as_slice(),
            _ => &[],
        })
        .filter_map(|&address| debugger.map.at(address, &peek))
        .filter(|statement| Some(statement.file) == file)
        .map(|statement| statement.line)
        .chain(
            debugger
                .points
                .iter()
                .filter_map(|point| point.line)
                .filter(|(own, _)| Some(*own) == file)
                .map(|(_, line)| line),
        )
        .collect();
    // Only sources of the assembler have colours: a suite is another language.
    let painted = if file.is_some() { paint::painted(&text) } else { Vec::new() };
    let width = usize::from(area.width);
    let mut start = 0;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, full) in text.split_inclusive('\n').enumerate() {
        let number = index as u32 + 1;
        let range = start..start + full.len();
        start = range.end;
        if number < first || number >= first + u32::from(rows) {
            continue;
        }
        let is_here = stands.as_ref().is_some_and(|at| at.line == number && at.path == place.path);
        let is_marked = app.cursor.as_ref().is_some_and(|cursor| cursor.line == number);
        let point = if points.contains(&number) { "●" } else { " " };
        let mark = if is_here { "▶" } else { " " };
        let mut spans =
            vec![Span::styled(point, paint::point()), Span::styled(format!("{number:>4}{mark}"), dim())];
        if is_here {
            // A bar as wide as the pane.
            let shown = clean(full.trim_end_matches(['\n', '\r']));
            spans.push(Span::styled(format!("{shown:<0$}", width.saturating_sub(6)), here()));
        } else {
            spans.extend(paint::line(&text, range, &painted));
        }
        let line = Line::from(spans);
        lines.push(if is_marked { line.patch_style(paint::marked()) } else { line });
    }
    let short = place.path.rsplit(['/', '\\']).next().unwrap_or("").to_string();
    frame.render_widget(Paragraph::new(lines).block(titled(format!(" {} ", clean(&short)))), area);
}

fn draw_state(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let debugger = &app.session.debugger;
    let registers = debugger.machine().registers();
    let mut lines = vec![
        Line::from(vec![
            Span::raw(format!("PC ${:04X} ", registers.pc)),
            Span::styled(clean(&debugger.names.describe(registers.pc)), paint::label()),
        ]),
        changes(registers, &app.before),
        Line::from(format!("{} cycles since the last stop", debugger.cycles_since_stop())),
    ];
    if !app.session.console.shown.is_empty() {
        lines.push(Line::styled("watched", dim()));
        for expression in &app.session.console.shown {
            let value = debugger.evaluate(expression).map_or_else(|err| err, |answer| answer.text);
            lines.push(Line::from(vec![
                Span::styled(clean(expression), paint::label()),
                Span::raw(clean(&format!(" = {value}"))),
            ]));
        }
    }
    lines.push(Line::styled("calls", dim()));
    for frame in debugger.frames(true) {
        let line = frame.place.as_ref().map_or(String::new(), |place| {
            format!("  {}:{}", place.path.rsplit(['/', '\\']).next().unwrap_or(""), place.line)
        });
        lines.push(Line::from(vec![Span::raw(clean(&frame.name)), Span::styled(clean(&line), dim())]));
    }
    frame.render_widget(
        Paragraph::new(lines).block(titled(" registers ".to_string()).borders(Borders::TOP | Borders::LEFT)),
        area,
    );
}

/// The registers; those that the last command changed stand out.
fn changes(now: &Registers, before: &Registers) -> Line<'static> {
    let style = |is_changed: bool| if is_changed { changed() } else { Style::new() };
    let byte =
        |name: &str, now: u8, before: u8| Span::styled(format!("{name} {now:02X} "), style(now != before));
    Line::from(vec![
        byte("A", now.a, before.a),
        byte("X", now.x, before.x),
        byte("Y", now.y, before.y),
        byte("SP", now.s, before.s),
        Span::styled(now.p.to_string(), style(now.p != before.p)),
    ])
}

fn draw_listing(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let debugger = &app.session.debugger;
    let pc = debugger.machine().registers().pc;
    let rows = i64::from(area.height.saturating_sub(1));
    let width = usize::from(area.width);
    let lines: Vec<Line<'_>> = debugger
        .listing(pc, -rows / 3, rows.max(0) as usize)
        .iter()
        .map(|row| {
            let bytes = hex_bytes(&row.bytes[..row.bytes.len().min(3)]);
            let label = row.label.as_ref().map_or(String::new(), |label| clean(&format!("{label}: ")));
            let place = match u16::try_from(row.address) {
                Ok(address) if !row.bytes.is_empty() => format!("{address:04X} {:<9}", bytes),
                _ => String::new(),
            };
            if row.address == i64::from(pc) {
                let text = format!("{place}{label}{}", clean(&row.text));
                return Line::styled(format!("{text:<width$}"), here());
            }
            Line::from(vec![
                Span::styled(place, dim()),
                Span::styled(label, paint::label()),
                Span::raw(clean(&row.text)),
            ])
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(titled(" disassembly ".to_string())), area);
}

fn draw_memory(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let machine = app.session.debugger.machine();
    let columns: u16 = if area.width >= 31 { 8 } else { 4 };
    // Address and bytes, then what they are as text if there is room.
    let has_text = area.width > 8 + 4 * columns;
    let lines: Vec<Line<'_>> = (0..area.height.saturating_sub(1))
        .map(|row| {
            let start = app.session.console.memory.wrapping_add(row * columns);
            let mut spans = vec![Span::styled(format!("{start:04X}"), dim())];
            let mut text = String::from("  ");
            for at in (0..columns).map(|at| start.wrapping_add(at)) {
                let byte = machine.peek(at);
                let is_changed = app.memory.get(usize::from(at)).is_some_and(|&before| before != byte);
                let style = if is_changed { changed() } else { Style::new() };
                spans.push(Span::raw(" "));
                spans.push(Span::styled(format!("{byte:02X}"), style));
                text.push(if (0x20..0x7f).contains(&byte) { byte as char } else { '.' });
            }
            if has_text {
                spans.push(Span::styled(text, dim()));
            }
            Line::from(spans)
        })
        .collect();
    frame.render_widget(
        Paragraph::new(lines).block(titled(" memory ".to_string()).borders(Borders::TOP | Borders::LEFT)),
        area,
    );
}

fn draw_log(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let rows = usize::from(area.height.saturating_sub(1));
    // Long lines go on in the next one.
    let width = usize::from(area.width.max(10));
    let mut lines: Vec<Line<'_>> = Vec::new();
    for text in app.log.iter().rev().take(rows).rev() {
        let style = match text {
            text if text.starts_with("> ") => dim(),
            text if text.starts_with("error: ") => paint::error(),
            _ => Style::new(),
        };
        let characters: Vec<char> = clean(text).chars().collect();
        let parts = characters.chunks(width).map(|part| Line::styled(part.iter().collect::<String>(), style));
        lines.extend(parts);
    }
    let extra = lines.len().saturating_sub(rows);
    lines.drain(..extra);
    frame.render_widget(Paragraph::new(lines).block(titled(String::new())), area);
}

/// The machine's screen, over everything but the last line: its picture, or its text.
fn draw_screen(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let machine = app.session.debugger.machine();
    match (app.screen, machine.computer()) {
        (Screen::Hidden, _) => {}
        (_, None) => {
            let text = Paragraph::new("this machine has no screen").block(Block::bordered());
            let place = area.centered(Constraint::Length(30), Constraint::Length(3));
            frame.render_widget(Clear, place);
            frame.render_widget(text, place);
        }
        (Screen::Picture, Some(computer)) => {
            frame.render_widget(Clear, area);
            let image = blocks::Shown { picture: computer.picture(), palette: computer.palette() };
            blocks::draw(image, area, app.has_true_colour, frame.buffer_mut());
        }
        (Screen::Text, Some(_)) => {
            let rows = machine.screen_rows();
            let text: Vec<Line<'_>> = rows.iter().map(|row| Line::from(clean(row))).collect();
            // At 24 lines there is no room for a frame.
            let is_tall = area.height >= 27;
            let (width, height) = if is_tall { (42, 27) } else { (40, 25) };
            let place = area.centered(
                Constraint::Length(width.min(area.width)),
                Constraint::Length(height.min(area.height)),
            );
            frame.render_widget(Clear, place);
            let text = Paragraph::new(text);
            let text = if is_tall { text.block(Block::bordered().title(" screen ")) } else { text };
            frame.render_widget(text, place);
        }
    }
}

/// Columns of a command and its short form in a line of the help.
const WORDS: usize = 13;

/// Keys, then commands.
pub const HELP_PAGES: usize = 3;

fn draw_help(frame: &mut Frame<'_>, area: Rect, page: usize) {
    let pair = |left: String, right: String| Line::from(vec![Span::styled(left, bold()), Span::raw(right)]);
    let (title, lines): (&str, Vec<Line<'_>>) = match page {
        1 => (
            " keys; any key for the commands ",
            KEYS.iter().map(|(keys, what)| pair(format!("{keys:<13} "), (*what).to_string())).collect(),
        ),
        page => {
            let half = words().count().div_ceil(2);
            let rows = words().skip((page - 2) * half).take(half);
            let row = |line: String| pair(line[..WORDS].to_string(), line[WORDS..].to_string());
            (
                if page == 2 { " commands, after :  (any key for more) " } else { " commands, after : " },
                rows.map(|word| row(summary(word))).collect(),
            )
        }
    };
    let width = 78.min(area.width);
    // Long lines go on below.
    let inner = usize::from(width.saturating_sub(2)).max(1);
    let high: usize = lines.iter().map(|line| line.width().div_ceil(inner).max(1)).sum();
    let place =
        area.centered(Constraint::Length(width), Constraint::Length((high as u16 + 2).min(area.height)));
    frame.render_widget(Clear, place);
    let text = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(text.block(Block::bordered().title(Span::styled(title, bold()))), place);
}
