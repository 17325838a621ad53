//! Where the cycles went: folded stacks for other tools, and a flame graph as one SVG a browser opens.

use std::collections::BTreeMap;

use crate::events::Event;

/// All suites' stacks, the suite's name as the outermost frame.
fn stacks(events: &[Event]) -> BTreeMap<Vec<String>, u64> {
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    let mut all: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for event in events {
        match event {
            Event::SuiteStarted { suite, name, .. } => {
                names.insert(*suite, name.clone());
            }
            Event::Profile(report) => {
                for (path, cycles) in &report.stacks {
                    let mut frames = vec![names.get(&report.suite).cloned().unwrap_or_default()];
                    frames.extend(path.iter().cloned());
                    *all.entry(frames).or_default() += cycles;
                }
            }
            _ => {}
        }
    }
    all
}

/// One line a call path: frames with `;` between them, a blank, the cycles.
pub fn folded(events: &[Event]) -> String {
    let mut out = String::new();
    for (path, cycles) in stacks(events) {
        let frames: Vec<String> = path.iter().map(|frame| frame.replace([';', '\n'], ",")).collect();
        out.push_str(&format!("{} {cycles}\n", frames.join(";")));
    }
    out
}

#[derive(Default)]
struct Frame {
    own: u64,
    children: BTreeMap<String, Frame>,
}

impl Frame {
    fn total(&self) -> u64 {
        self.own + self.children.values().map(Frame::total).sum::<u64>()
    }

    fn depth(&self) -> usize {
        1 + self.children.values().map(Frame::depth).max().unwrap_or(0)
    }
}

const WIDTH: f64 = 1200.0;
const ROW: f64 = 18.0;
const TOP: f64 = 40.0;

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A colour that stays the same for a name.
fn colour(name: &str) -> String {
    let hash = tempo_random::seed_of(name);
    format!("hsl({},{}%,{}%)", 10 + hash % 45, 70 + (hash >> 8) % 20, 55 + (hash >> 16) % 12)
}

/// The flame graph: outermost calls at the top, widths are cycles. A click on a frame widens it, a click on the
/// title brings all back.
pub fn flame_graph(events: &[Event]) -> String {
    let mut root = Frame::default();
    for (path, cycles) in stacks(events) {
        let mut frame = &mut root;
        for name in path {
            frame = frame.children.entry(name).or_default();
        }
        frame.own += cycles;
    }
    let total = root.total();
    let height = TOP + root.depth() as f64 * ROW + 10.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"ui-monospace,monospace\" font-size=\"12\">\n\
<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text id=\"title\" x=\"10\" y=\"22\" font-size=\"15\" style=\"cursor:pointer\">{total} cycles by label</text>\n<text id=\"info\" x=\"400\" y=\"22\"> </text>\n<g id=\"frames\">\n"
    );
    draw(&mut out, "all", &root, 0.0, 0, total.max(1), total.max(1));
    out.push_str("</g>\n<script><![CDATA[\n");
    out.push_str(SCRIPT);
    out.push_str("]]></script>\n</svg>\n");
    out
}

fn draw(out: &mut String, name: &str, frame: &Frame, x: f64, depth: usize, total: u64, all: u64) {
    let cycles = frame.total();
    let width = WIDTH * cycles as f64 / all as f64;
    if width < 0.1 {
        return;
    }
    let y = TOP + depth as f64 * ROW;
    let share = cycles as f64 * 100.0 / total as f64;
    let letters = ((width - 6.0) / 7.3).max(0.0) as usize;
    let label: String = if letters < 3 {
        String::new()
    } else if name.chars().count() <= letters {
        name.to_string()
    } else {
        name.chars().take(letters - 1).chain(['…']).collect()
    };
    out.push_str(&format!(
        "<g data-x=\"{x:.3}\" data-w=\"{width:.3}\" data-n=\"{0}\"><title>{0}: {cycles} cycles, {share:.2} % (own {1})</title><rect x=\"{x:.3}\" y=\"{y}\" width=\"{width:.3}\" height=\"{2}\" rx=\"2\" fill=\"{3}\" stroke=\"#fff\" stroke-width=\".5\"/><text x=\"{4:.3}\" y=\"{5}\">{6}</text></g>\n",
        escape(name),
        frame.own,
        ROW - 1.0,
        colour(name),
        x + 3.0,
        y + 13.0,
        escape(&label),
    ));
    let mut at = x;
    for (child, below) in &frame.children {
        draw(out, child, below, at, depth + 1, total, all);
        at += WIDTH * below.total() as f64 / all as f64;
    }
}

const SCRIPT: &str = r#"(function(){
var W=1200,frames=[].slice.call(document.querySelectorAll('#frames>g')),info=document.getElementById('info');
function zoom(x,w){frames.forEach(function(g){
var gx=+g.dataset.x,gw=+g.dataset.w,nx=(gx-x)*W/w,nw=gw*W/w;
if(nx<0){nw+=nx;nx=0}
if(nx+nw>W){nw=W-nx}
g.style.display=nw<=0.1?'none':'';
var r=g.querySelector('rect'),t=g.querySelector('text'),n=g.dataset.n,c=Math.floor((nw-6)/7.3);
r.setAttribute('x',nx);r.setAttribute('width',Math.max(nw,0));
t.setAttribute('x',nx+3);t.textContent=c<3?'':(n.length<=c?n:n.slice(0,c-1)+'…');
});}
frames.forEach(function(g){g.style.cursor='pointer';
g.addEventListener('click',function(){zoom(+g.dataset.x,+g.dataset.w)});
g.addEventListener('mouseover',function(){info.textContent=g.querySelector('title').textContent});});
document.getElementById('title').addEventListener('click',function(){zoom(0,W)});
})();
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::ProfileReport;
    use pretty_assertions::assert_eq;

    #[test]
    fn stacks_are_folded_and_drawn() {
        let events = [
            Event::SuiteStarted { suite: 0, name: "s".into(), file: "f".into() },
            Event::Profile(ProfileReport {
                suite: 0,
                stacks: vec![(vec!["main".into()], 10), (vec!["main".into(), "a<b".into()], 30)],
            }),
        ];
        assert_eq!(folded(&events), "s;main 10\ns;main;a<b 30\n");
        let svg = flame_graph(&events);
        assert!(svg.contains("40 cycles by label") && svg.contains("a&lt;b: 30 cycles, 75.00 %"), "{svg}");
    }
}
