//! Commands about breakpoints and exceptions.

use tempo_debug::{Exception, Hits, Origin, Point, Watch, parse_number};

use crate::answer::{Kind, Line, Problem};
use crate::console::{Console, Done, Turn};
use crate::desk::Desk;
use crate::word::{Moves, Takes, Word};

pub const WORDS: &[Word] = &[
    Word {
        name: "break",
        aliases: &["br"],
        arguments: "LABEL|ADDR|BANK:ADDR|FILE:LINE|line N[, cycle N] [if CONDITION] [hits N]",
        sentence: "stop there; `line` is one of the raster, `3:$8000` bank 3 of a cartridge",
        example: "break sub if x == 2",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: add_break,
    },
    Word {
        name: "log",
        aliases: &[],
        arguments: "LABEL|ADDR|FILE:LINE TEXT",
        sentence: "print the text there, with {expressions} in it",
        example: "log sub x is {x}",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: add_log,
    },
    Word {
        name: "watch",
        aliases: &["wa"],
        arguments: "PLACE [read|write|change] [if CONDITION]",
        sentence: "stop after accesses",
        example: "watch [counter] change",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: add_watch,
    },
    Word {
        name: "catch",
        aliases: &[],
        arguments: "[[no] irq|nmi|uninit|stack|selfmod|trap|brk|…]",
        sentence: "stop there, too; alone it lists them",
        example: "catch irq",
        takes: Takes::Exceptions,
        moves: Moves::Never,
        needs_past: false,
        run: catch,
    },
    Word {
        name: "delete",
        aliases: &["del"],
        arguments: "[N]",
        sentence: "remove a breakpoint, or all that were set here",
        example: "delete",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: false,
        run: delete,
    },
    Word {
        name: "points",
        aliases: &[],
        arguments: "",
        sentence: "the breakpoints",
        example: "points",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: false,
        run: points,
    },
];

impl Console {
    /// Sets a breakpoint on a source line, or removes the one that is there.
    pub fn toggle(&mut self, mut desk: Desk<'_>, path: &str, line: u32) -> Result<Vec<Line>, Problem> {
        let map = &desk.debugger.map;
        let file = map.file(path).ok_or("there is no code here")?;
        let places =
            map.line_places(file, line, None).ok_or("there is no code on this line or the ten after it")?;
        let here = Some((file, places.line));
        if desk.debugger.points.iter().any(|point| point.line == here) {
            desk.debugger.points.retain(|point| point.line != here);
            place_points(&mut desk)?;
            return Ok(Vec::new());
        }
        let short = path.rsplit(['/', '\\']).next().unwrap_or(path);
        // The short name is the usual one, unless two files have it.
        let name = if map.file(short) == Some(file) { short } else { path };
        self.command(desk, &format!("break {name}:{}", places.line)).map(|answer| answer.lines)
    }
}

/// Brings the breakpoints to a machine elsewhere. One that it refuses is removed, and the reason is the problem.
fn place_points(desk: &mut Desk<'_>) -> Done {
    let Some(remote) = &mut desk.remote else { return Ok(()) };
    let refused = remote.place(desk.debugger, false).map_err(Problem::lost)?;
    let Some((id, problem)) = refused.into_iter().next() else { return Ok(()) };
    desk.debugger.points.retain(|point| point.id != id);
    place_points(desk)?;
    Err(problem.into())
}

/// Adds a breakpoint of this console.
fn add(turn: &mut Turn<'_, '_>, point: Point) -> Result<u32, Problem> {
    let id = turn.desk.debugger.add_point(point);
    place_points(&mut turn.desk)?;
    turn.console.set.push((id, turn.text.to_string()));
    Ok(id)
}

/// Condition and hit count: `[if CONDITION] [hits N]`.
fn furnish(turn: &Turn<'_, '_>, point: &mut Point, text: &str) -> Done {
    let (condition, hits) = match (text.strip_prefix("hits "), text.split_once(" hits ")) {
        (Some(hits), _) => ("", Some(hits)),
        (None, Some((condition, hits))) => (condition, Some(hits)),
        (None, None) => (text, None),
    };
    let condition = condition.trim().strip_prefix("if ").unwrap_or(condition).trim();
    if !condition.is_empty() {
        let both = point.condition.as_ref().map(|bank| format!("{} and ({condition})", bank.text()));
        let condition = both.as_deref().unwrap_or(condition);
        let compiled = turn.desk.debugger.compile(condition);
        point.condition = Some(compiled.map_err(|err| format!("the condition `{condition}`: {err}"))?);
    }
    if let Some(hits) = hits {
        let parsed = Hits::parse(hits);
        point.hits = Some(parsed.ok_or_else(|| format!("the hit count `{hits}` is none of 5, >= 5, % 3"))?);
    }
    Ok(())
}

/// The breakpoint that a text begins with, the text of its place, and the rest.
fn point_at<'t>(turn: &Turn<'_, '_>, text: &'t str) -> Result<(Point, &'t str, &'t str), Problem> {
    if text.is_empty() {
        return Err(turn.misused());
    }
    let debugger = &*turn.desk.debugger;
    let is_elsewhere = turn.desk.remote.is_some();
    let kind = if is_elsewhere { tempo_emu::System::C64Pal } else { debugger.machine().kind() };
    let end = [" if ", " hits "].iter().filter_map(|word| text.find(word)).min().unwrap_or(text.len());
    if let Some(watch) = Watch::parse_raster(text[..end].trim(), kind.timing()) {
        let point = Point::new(Origin::Console, watch?);
        return Ok((point, text[..end].trim(), text[end..].trim_start()));
    }
    let (place, more) = text.split_once(' ').unwrap_or((text, ""));
    let line = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
    if let Some((bank, address)) = place.split_once(':')
        && let Some(number) = parse_number(bank)
        && debugger.map.file(bank).is_none()
    {
        let mut point = Point::new(Origin::Console, Watch::Code(vec![turn.address(address)?]));
        point.condition = Some(debugger.compile(&format!("bank == {number}")).map_err(|err| err.0)?);
        return Ok((point, place, more));
    }
    let Some((path, line)) = line else {
        return Ok((Point::new(Origin::Console, Watch::Code(vec![turn.address(place)?])), place, more));
    };
    let file = debugger.map.file(path).ok_or_else(|| format!("{path} is not a part of the program"))?;
    let places = debugger.map.line_places(file, line, None);
    let places = places.ok_or_else(|| format!("there is no code on line {line} or the ten after it"))?;
    let mut point = Point::new(Origin::Console, Watch::Code(places.addresses));
    point.line = Some((file, places.line));
    Ok((point, place, more))
}

/// The first address of a breakpoint on code.
fn first_address(point: &Point) -> Option<u16> {
    if let Watch::Code(all) = &point.watch { all.first().copied() } else { None }
}

fn add_break(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let (mut point, place, more) = point_at(turn, rest)?;
    point.name = rest.to_string();
    furnish(turn, &mut point, more)?;
    // A line without code stands for the next one with code.
    let line = point.line.map(|(_, line)| line.to_string());
    let moved = line.filter(|line| !place.ends_with(&format!(":{line}")));
    let moved = moved.map_or(String::new(), |line| format!(": the code is on line {line}"));
    let address = first_address(&point);
    let id = add(turn, point)?;
    let mut line = Line::new(Kind::Point, format!("breakpoint {id} at {place}{moved}"));
    line.address = address;
    turn.push(line);
    Ok(())
}

fn add_log(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let (mut point, place, text) = point_at(turn, rest)?;
    if text.trim().is_empty() {
        return Err(turn.misused());
    }
    let address = first_address(&point);
    point.log = Some(turn.desk.debugger.message(text.trim(), address)?);
    point.name = format!("log {rest}");
    let id = add(turn, point)?;
    let mut line = Line::new(Kind::Point, format!("breakpoint {id} prints at {place}"));
    line.address = address;
    turn.push(line);
    Ok(())
}

fn add_watch(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        return Err(turn.misused());
    }
    const KINDS: [&str; 3] = ["read", "write", "change"];
    let (place, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let more = more.trim();
    let (kind, more) = match more.split_once(' ') {
        Some((kind, more)) if KINDS.contains(&kind) => (kind, more),
        _ if KINDS.contains(&more) => (more, ""),
        _ => ("write", more),
    };
    let (first, width) = turn.place(place)?;
    let last =
        u16::try_from(usize::from(first) + width - 1).map_err(|_| format!("{place} reaches beyond $FFFF"))?;
    let (read, write, on_change) = (kind == "read", kind != "read", kind == "change");
    let mut point = Point::new(Origin::Console, Watch::Data { first, last, read, write, on_change });
    furnish(turn, &mut point, more)?;
    point.name = format!("{kind} {place}");
    let id = add(turn, point)?;
    let range = if first == last { String::new() } else { format!("-${last:04X}") };
    turn.push(Line::new(Kind::Point, format!("breakpoint {id}: {kind} of ${first:04X}{range}")).at(first));
    Ok(())
}

fn catch(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        for exception in Exception::ALL {
            let state = if turn.desk.debugger.exceptions.has(exception) { "stops" } else { "     " };
            turn.say(Kind::Point, format!("{state}  {:<14}{}", exception.id(), exception.label()));
        }
        return Ok(());
    }
    let (name, is_on) = rest.strip_prefix("no ").map_or((rest, true), |name| (name.trim(), false));
    let exception = Exception::from_id(name).ok_or_else(|| {
        let near = tempo_diagnostics::nearest(name, Exception::ALL.into_iter().map(Exception::id));
        match near {
            Some(near) => format!("there is no exception `{name}`; did you mean `{near}`?"),
            None => format!("there is no exception `{name}`; `catch` lists them"),
        }
    })?;
    if turn.desk.remote.is_some() {
        return Err("VICE stops at breakpoints and jam opcodes only".into());
    }
    let all = turn.desk.debugger.exceptions;
    turn.desk.debugger.exceptions = if is_on { all.with(exception) } else { all.without(exception) };
    Ok(())
}

fn delete(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let points = &mut turn.desk.debugger.points;
    if rest.is_empty() {
        points.retain(|point| point.origin != Origin::Console);
        turn.console.set.clear();
        return place_points(&mut turn.desk);
    }
    let Ok(id) = rest.parse::<u32>() else { return Err(turn.misused()) };
    let point = points.get(id).ok_or_else(|| format!("there is no breakpoint {id}; `points` lists them"))?;
    if !matches!(point.origin, Origin::Console | Origin::Source) {
        return Err(format!("breakpoint {id} was set in the editor; remove it there").into());
    }
    points.retain(|point| point.id != id);
    turn.console.set.retain(|(known, _)| *known != id);
    place_points(&mut turn.desk)
}

fn points(turn: &mut Turn<'_, '_>, _: &str) -> Done {
    let debugger = &*turn.desk.debugger;
    let lines = debugger.points.iter().map(|point| {
        let name = match (point.name.as_str(), point.line, &point.watch) {
            ("", Some((file, line)), _) => format!("{}:{line}", debugger.map.files[file].path),
            ("", None, Watch::Code(all)) => all.first().map_or(String::new(), |&at| debugger.place(at)),
            ("", None, Watch::Data { first, .. }) => format!("access to ${first:04X}"),
            (name, _, _) => name.to_string(),
        };
        let mut line = Line::new(Kind::Point, format!("{:>3} {name}", point.id));
        line.address = first_address(point);
        line
    });
    turn.answer.lines.extend(lines);
    Ok(())
}
