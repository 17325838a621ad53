//! Links the program for a fixed address where that makes it start sooner, and names the build for `tempo --version`.

use std::env;

fn main() {
    // At an address of the system's choice, 17,000 pointers in its tables would be filled in at every start: a fifth of
    // the time that `tempo --version` takes.
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    // `make` knows the commit. Asked from git here, it would be that of the first build of a folder.
    let commit = env::var("TEMPO_COMMIT").ok().filter(|commit| !commit.is_empty());
    let built = [commit, env::var("TARGET").ok()].into_iter().flatten().collect::<Vec<_>>().join(", ");
    println!("cargo::rustc-env=TEMPO_BUILT={built}");
    println!("cargo::rerun-if-env-changed=TEMPO_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
}
