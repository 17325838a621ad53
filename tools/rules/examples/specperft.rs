use rules::core::Game;
fn perft(g: &mut rules::spec::Position, d: u32) -> u64 {
    if d == 0 {
        return 1;
    }
    let mut v = Vec::with_capacity(64);
    g.legal_moves(&mut v);
    let mut n = 0;
    for m in v {
        let u = g.make(m);
        n += perft(g, d - 1);
        g.unmake(m, u);
    }
    n
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read(&a[1]).unwrap();
    let t = std::time::Instant::now();
    let mut g = match rules::spec::load(&text) {
        Ok(g) => g,
        Err(r) => {
            for f in r.faults {
                println!("{}:{} {}", f.position.line, f.position.column, f.fault);
            }
            return;
        }
    };
    println!("load {:?}", t.elapsed());
    for d in 1..=a[2].parse().unwrap() {
        let t = std::time::Instant::now();
        let n = perft(&mut g, d);
        let e = t.elapsed();
        println!("{d} {n} {:?} {:.1} Mnps", e, n as f64 / e.as_secs_f64() / 1e6);
    }
}
