//! `cycles`: the exact cost of a routine, by input, line and page crossing.

use serde_json::{Value, json};
use tempo_harness::events::{Event, Outcome};
use tempo_harness::measure::inputs::{Calls, inputs, quoted, target};
use tempo_harness::measure::{Line, Measurement};
use tempo_harness::meter::Metering;
use tempo_harness::run::{NoClock, run};

use super::{Desk, Effect, Lane, Tool, members, number, test, text, texts};
use crate::answer::{Answer, page};
use crate::sources::shown;

pub const CYCLES: Tool = Tool {
    name: "cycles",
    title: "Measure cycles",
    description: "Calls a routine with inputs and counts: least, mean and most cycles, cycles by source line, page crossings. Exact and the same every time.",
    arguments: || {
        json!({
            "file": text("[default: the project's program]"),
            "routine": text("a label"),
            "inputs": texts("such as x=0..255 or a=(1,5), Count=3; each multiplies"),
            "limit": number(1, 100, "lines [15]"),
        })
    },
    required: &["routine"],
    answer: || {
        members(
            "calls integer, min integer, mean number, max integer, minAt string, maxAt string, lines array, pageCrossings integer",
        )
    },
    effect: Effect::Reads,
    lane: Lane::Free,
    run: cycles,
};

fn cycles(desk: &Desk<'_>) -> Result<Answer, String> {
    let project = desk.host.project()?;
    let file = desk.path("file")?.unwrap_or_else(|| shown(&project.main()));
    desk.host.read(&file)?;
    let routine = target(desk.arguments.text("routine").unwrap_or_default())?;
    let with: Vec<String> = desk.arguments.texts("inputs").iter().map(|text| text.to_string()).collect();
    let program = match file.to_ascii_lowercase().ends_with(".prg") {
        true => vec![format!("load({}, strip_header = true)", quoted(&file))],
        false => vec![format!("assemble({})", quoted(&file))],
    };
    let routines = [routine.clone()];
    let calls = Calls {
        system: tempo_emu::System::default().suite_name(),
        program,
        routines: &routines,
        inputs: inputs(&with)?,
        ..Calls::default()
    };
    let (text, known) = calls.suite();
    let suite = [("the call".to_owned(), text.into_bytes())];
    let plans = test::plan_texts(desk.host, desk.token, &project, &suite)
        .map_err(|why| why.replace("the suites cannot run", "the routine cannot be called"))?;
    let mut options = test::options(&project, desk.token);
    (options.meter, options.fail_fast) = (Metering::LastCall, Some(1));
    let (mut events, mut failed) = (Vec::new(), None);
    run(&plans, &options, &NoClock, &mut |event| match &event {
        Event::Test(report) if report.outcome == Outcome::Failed => {
            let input = report.id.parse::<usize>().ok().and_then(|number| known.get(number));
            let input = input.map_or("", |(_, input)| input.as_str());
            let why = report.failures.first().map_or("it fails", |failure| failure.message.as_str());
            let with = if input.is_empty() { String::new() } else { format!(" with {input}") };
            failed.get_or_insert(format!("{routine}{with}: {why}. `debug_open` shows where"));
        }
        _ => events.push(event),
    });
    desk.token.check()?;
    if let Some(why) = failed {
        return Err(why);
    }
    let measured =
        Measurement::from_events(&events, |test, _| known.get(test.id.parse::<usize>().ok()?).cloned());
    let row = measured.rows.first().ok_or_else(|| format!("{routine} was not called"))?;
    let mut lines: Vec<&Line> = measured.lines.iter().collect();
    lines.sort_by(|one, two| two.cycles.cmp(&one.cycles).then_with(|| one.at.cmp(&two.at)));
    let (listed, more) = page(lines, 0, desk.arguments.number("limit", 15) as usize);
    let data: Vec<Value> = listed
        .iter()
        .map(|line| {
            json!({
                "file": line.at.file,
                "line": line.at.line,
                "cycles": line.cycles,
                "runs": line.runs,
                "crossings": line.crossings,
            })
        })
        .collect();
    let mut answer = Answer::new(json!({
        "calls": row.calls,
        "min": row.min,
        "mean": row.mean,
        "max": row.max,
        "minAt": row.min_at,
        "maxAt": row.max_at,
        "lines": data,
        "pageCrossings": measured.crossings(),
    }));
    let at = |input: &str| if input.is_empty() { String::new() } else { format!(" ({input})") };
    answer.line(format!(
        "{routine}: {} calls, {}{} to {}{} cycles, mean {:.1}",
        row.calls,
        row.min,
        at(&row.min_at),
        row.max,
        at(&row.max_at),
        row.mean
    ));
    answer.line(format!("page crossings: {} cycles", measured.crossings()));
    answer.lines(listed.iter().map(|line| {
        format!("{:>8} {:>6}x {}:{} {}", line.cycles, line.runs, line.at.file, line.at.line, line.text.trim())
    }));
    if more > 0 {
        answer.line(format!("… {more} more"));
        answer.set("truncated", json!(true));
    }
    Ok(answer)
}
