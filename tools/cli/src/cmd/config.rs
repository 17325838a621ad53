//! `tempo config`: the settings in force, and where each comes from.

use std::fmt::Write as _;

use clap::Parser;
use serde_json::{Map, Value as Json, json};
use tempo_host::{Exit, Format, output, term};
use tempo_source_commands::project::{
    self, BuildFlags, Given, Origin, Project, RunFlags, SECTIONS, Setting, SourceFlags, TestFlags, Value,
};

/// Show the settings of the project and where they come from
///
/// Settings come from tempo.toml, which is looked for in the working directory and above it, and from flags, which
/// win: they take the place of a single value and are added to lists and tables. Without the file every setting has
/// its default. The answer is itself a tempo.toml.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo config                          # what `tempo build`, `test` and `run` go by
  tempo config -D DEBUG --out-dir out   # the same with these flags
  tempo config --format json | jq '.settings[\"build.out-dir\"].value'
  tempo config --schema                 # for editors that check TOML files

Exit codes: 0 shown, 2 tempo.toml cannot be read or has faults.")]
pub struct Args {
    #[command(flatten)]
    source: SourceFlags,

    #[command(flatten)]
    build: BuildFlags,

    #[command(flatten)]
    test: TestFlags,

    #[command(flatten)]
    run: RunFlags,

    /// Print the JSON schema of tempo.toml and nothing else
    #[arg(long, help_heading = "Options")]
    schema: bool,

    /// How to print the settings
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Options")]
    format: Format,
}

pub fn run(args: Args) -> Exit {
    if args.schema {
        return say(&format!("{:#}\n", project::schema()));
    }
    let mut project = match args.source.project() {
        Ok(project) => project,
        Err(exit) => return exit,
    };
    args.build.apply(&mut project);
    args.test.apply(&mut project);
    args.run.apply(&mut project);
    say(&match args.format {
        Format::Human => human(&project, term::stdout_colour()),
        Format::Json => format!("{:#}\n", as_json(&project)),
    })
}

fn say(text: &str) -> Exit {
    output::print(|out| out.write_all(text.as_bytes()).map(|()| Exit::Fine))
}

/// Comments are in one column, unless a line is longer.
const WIDEST: usize = 48;

fn human(project: &Project, colour: bool) -> String {
    let (dim, bold, plain) = if colour { ("\x1b[2m", "\x1b[1m", "\x1b[0m") } else { ("", "", "") };
    let mut text = match project.file() {
        Some(_) => {
            let file = project.root().join(project::FILE);
            format!("{dim}# {}{plain}\n", output::visible(&file.to_string_lossy()))
        }
        None => {
            format!("{dim}# there is no {} here or above: these are the defaults{plain}\n", project::FILE)
        }
    };
    let lines: Vec<(Setting, String, Given)> = Setting::ALL
        .into_iter()
        .map(|setting| {
            let given = project.given(setting);
            (setting, format!("{} = {}", setting.key().name, toml(setting, &given)), given)
        })
        .collect();
    let width = lines.iter().map(|(_, line, _)| line.chars().count()).filter(|&width| width <= WIDEST).max();
    let width = width.unwrap_or(0);
    for (section, _) in SECTIONS {
        let _ = writeln!(text, "\n{bold}[{section}]{plain}");
        for (_, line, given) in lines.iter().filter(|(setting, ..)| setting.key().section == *section) {
            let _ = writeln!(text, "{line:width$}  {dim}# {}{plain}", origins(given));
        }
    }
    text
}

/// The value as TOML.
fn toml(setting: Setting, given: &Given) -> String {
    let kind = setting.key().kind;
    let quoted = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        // The escapes of JSON are some of TOML's.
        other => json!(other.text()).to_string(),
    };
    if kind.is_single() {
        return given.items.first().map(|item| quoted(&item.value)).unwrap_or_default();
    }
    let items: Vec<String> = given
        .items
        .iter()
        .map(|item| match &item.name {
            Some(name) => format!("{} = {}", bare(name), quoted(&item.value)),
            None => quoted(&item.value),
        })
        .collect();
    match (kind.is_table(), items.is_empty()) {
        (true, true) => "{}".to_owned(),
        (true, false) => format!("{{ {} }}", items.join(", ")),
        (false, _) => format!("[{}]", items.join(", ")),
    }
}

/// A name of a table, in quotes where TOML needs them.
fn bare(name: &str) -> String {
    let is_bare = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { name.to_owned() } else { json!(name).to_string() }
}

/// Where the values come from, each place once.
fn origins(given: &Given) -> String {
    let mut places: Vec<String> = Vec::new();
    let all = given.items.iter().map(|item| item.origin);
    for origin in all.chain(given.items.is_empty().then_some(given.origin)) {
        let place = match origin {
            Origin::Default => "default".to_owned(),
            Origin::File { line, .. } => format!("{}:{line}", project::FILE),
            Origin::Flag(flag) => flag.to_owned(),
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.join(", ")
}

fn as_json(project: &Project) -> Json {
    let settings: Map<String, Json> =
        Setting::ALL.into_iter().map(|setting| (setting.path(), setting_json(project, setting))).collect();
    json!({
        "file": project.file().map(|_| project.root().join(project::FILE)),
        "root": project.root(),
        "settings": settings,
    })
}

fn setting_json(project: &Project, setting: Setting) -> Json {
    let given = project.given(setting);
    let key = setting.key();
    let value = |value: &Value| match value {
        Value::Number(number) => json!(number),
        other => json!(other.text()),
    };
    let all = if key.kind.is_single() {
        given.items.first().map(|item| value(&item.value)).unwrap_or_default()
    } else if key.kind.is_table() {
        let named = |item: &project::Item| (item.name.clone().unwrap_or_default(), value(&item.value));
        Json::Object(given.items.iter().map(named).collect())
    } else {
        given.items.iter().map(|item| value(&item.value)).collect()
    };
    let origin = |origin: Origin| match origin {
        Origin::Default => json!({"source": "default"}),
        Origin::File { line, column } => json!({"source": "file", "line": line, "column": column}),
        Origin::Flag(flag) => json!({"source": "flag", "flag": flag}),
    };
    let mut from: Vec<Json> = given.items.iter().map(|item| origin(item.origin)).collect();
    if from.is_empty() {
        from.push(origin(given.origin));
    }
    json!({"value": all, "from": from, "flag": key.flag, "about": key.about})
}
