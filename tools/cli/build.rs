//! Links the program for a fixed address where that makes it start sooner.

use std::env;

fn main() {
    // At an address of the system's choice, 17,000 pointers in its tables would be filled in at every start: a fifth of
    // the time that `tempo --version` takes.
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
