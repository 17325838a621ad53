//! Drawing: reads the app, changes nothing. Made for 80×24; larger terminals show more.

use std::collections::HashSet;

use ::debug::Watch;
use emu::Registers;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use super::app::{App, KEYS};
use super::commands::COMMANDS;

fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

fn here() -> Style {
    Style::new().add_modifier(Modifier::REVERSED)
}

/// A text for the terminal: no control characters, tabs as spaces.
fn clean(text: &str) -> String {
    text.replace('\t', "    ").chars().map(|c| if c.is_control() { '.' } else { c }).collect()
}

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
    let side = (area.width * 2 / 5).clamp(20, 44);
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
        None if app.console.is_running => Line::from("running; any key pauses"),
        None => Line::styled(
            "n over  s into  o out  c run  b back  C run back  t break  w why  : cmd  ? keys",
            dim(),
        ),
    };
    frame.render_widget(Paragraph::new(text), line);
    if app.has_screen {
        draw_screen(frame, main, app);
    }
    if app.help > 0 {
        draw_help(frame, area, app.help);
    }
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let machine = app.console.debugger.machine();
    let beam = machine.beam().map_or(String::new(), |(line, cycle)| format!("  raster {line}:{cycle}"));
    let state = if app.console.is_running { "running" } else { "stopped" };
    let text = format!(" tempo debug  {}  {state}  cycle {}{beam}", clean(&app.file), machine.cycles());
    frame.render_widget(Paragraph::new(text).style(here()), area);
}

fn titled(title: String) -> Block<'static> {
    Block::new().borders(Borders::TOP).title(title).border_style(dim())
}

fn draw_source(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let debugger = &app.console.debugger;
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
        (None, Some(test)) => test.source.text().to_string(),
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
    let lines: Vec<Line<'_>> = text
        .lines()
        .enumerate()
        .skip(first as usize - 1)
        .take(usize::from(rows))
        .map(|(index, text)| {
            let number = index as u32 + 1;
            let is_point = points.contains(&number);
            let is_here = stands.as_ref().is_some_and(|at| at.line == number && at.path == place.path);
            let mark = if is_here { "▶" } else { " " };
            let point = if is_point { "●" } else { " " };
            let is_marked = app.cursor.as_ref().is_some_and(|cursor| cursor.line == number);
            let style = match (is_here, is_marked) {
                (true, _) => here(),
                (_, true) => Style::new().add_modifier(Modifier::UNDERLINED),
                _ => Style::new(),
            };
            Line::from(vec![
                Span::styled(point, Style::new().fg(Color::Red)),
                Span::styled(format!("{number:>4}{mark}"), dim()),
                Span::styled(clean(text), style),
            ])
        })
        .collect();
    let short = place.path.rsplit(['/', '\\']).next().unwrap_or("").to_string();
    frame.render_widget(Paragraph::new(lines).block(titled(format!(" {} ", clean(&short)))), area);
}

fn draw_state(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let debugger = &app.console.debugger;
    let registers = debugger.machine().registers();
    let mut lines = vec![
        Line::from(format!("PC ${:04x} {}", registers.pc, clean(&debugger.names.describe(registers.pc)))),
        changes(registers, &app.before),
        Line::from(format!("{} cycles since the last stop", debugger.cycles_since_stop())),
    ];
    if !app.console.shown.is_empty() {
        lines.push(Line::styled("watch", dim()));
        for expression in &app.console.shown {
            let value = debugger.evaluate(expression).map_or_else(|err| err, |answer| answer.text);
            lines.push(Line::from(clean(&format!("{expression} = {value}"))));
        }
    }
    lines.push(Line::styled("calls", dim()));
    for frame in debugger.frames(true) {
        let line = frame.place.as_ref().map_or(String::new(), |place| format!(":{}", place.line));
        lines.push(Line::from(clean(&format!("{}{line}", frame.name))));
    }
    frame.render_widget(
        Paragraph::new(lines).block(titled(" registers ".to_string()).borders(Borders::TOP | Borders::LEFT)),
        area,
    );
}

/// The registers; those that the last command changed stand out.
fn changes(now: &Registers, before: &Registers) -> Line<'static> {
    let changed = |is_changed: bool| match is_changed {
        true => Style::new().add_modifier(Modifier::BOLD).fg(Color::Yellow),
        false => Style::new(),
    };
    let byte =
        |name: &str, now: u8, before: u8| Span::styled(format!("{name} {now:02x} "), changed(now != before));
    Line::from(vec![
        byte("A", now.a, before.a),
        byte("X", now.x, before.x),
        byte("Y", now.y, before.y),
        byte("SP", now.s, before.s),
        Span::styled(now.p.to_string(), changed(now.p != before.p)),
    ])
}

fn draw_listing(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let debugger = &app.console.debugger;
    let pc = debugger.machine().registers().pc;
    let rows = i64::from(area.height.saturating_sub(1));
    let lines: Vec<Line<'_>> = debugger
        .listing(pc, -rows / 3, rows.max(0) as usize)
        .iter()
        .map(|row| {
            let bytes: Vec<String> = row.bytes.iter().take(3).map(|byte| format!("{byte:02x}")).collect();
            let label = row.label.as_ref().map_or(String::new(), |label| format!("{label}: "));
            let is_here = row.address == i64::from(pc);
            let text = format!("{:04x} {:<8} {label}{}", row.address.max(0), bytes.join(" "), row.text);
            let style = if is_here { here() } else { Style::new() };
            Line::styled(clean(&text), style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(titled(" disassembly ".to_string())), area);
}

fn draw_memory(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let machine = app.console.debugger.machine();
    let columns: u16 = if area.width >= 31 { 8 } else { 4 };
    let lines: Vec<Line<'_>> = (0..area.height.saturating_sub(1))
        .map(|row| {
            let start = app.console.memory.wrapping_add(row * columns);
            let bytes: Vec<String> =
                (0..columns).map(|at| format!("{:02x}", machine.peek(start.wrapping_add(at)))).collect();
            Line::from(format!("{start:04x} {}", bytes.join(" ")))
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
        let characters: Vec<char> = clean(text).chars().collect();
        let parts = characters.chunks(width).map(|part| Line::from(part.iter().collect::<String>()));
        lines.extend(parts);
    }
    let extra = lines.len().saturating_sub(rows);
    lines.drain(..extra);
    frame.render_widget(Paragraph::new(lines).block(titled(String::new())), area);
}

/// The text of the C64's screen.
fn draw_screen(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let rows = app.console.debugger.machine().screen_rows();
    let text: Vec<Line<'_>> = match rows.is_empty() {
        true => vec![Line::from("this machine has no screen")],
        false => rows.iter().map(|row| Line::from(clean(row))).collect(),
    };
    let place =
        area.centered(Constraint::Length(42.min(area.width)), Constraint::Length(27.min(area.height)));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(" screen ")), place);
}

/// Keys, then commands.
pub const HELP_PAGES: usize = 3;

fn draw_help(frame: &mut Frame<'_>, area: Rect, page: usize) {
    let (title, lines): (&str, Vec<Line<'_>>) = match page {
        1 => (
            " keys; any key for the commands ",
            KEYS.iter().map(|(keys, what)| Line::from(format!("{keys:<13} {what}"))).collect(),
        ),
        page => {
            let half = COMMANDS.len().div_ceil(2);
            let rows = COMMANDS.iter().skip((page - 2) * half).take(half);
            (
                " commands, after : ",
                rows.map(|(name, short, what)| Line::from(format!("{name:<9}{short:<4}{what}"))).collect(),
            )
        }
    };
    let high = (lines.len() as u16 + 2).min(area.height);
    let place = area.centered(Constraint::Length(78.min(area.width)), Constraint::Length(high));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), place);
}
