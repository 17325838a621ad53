//! Puts the machine of `tempo play` into the program, if `make` has built it; a plain `cargo build` goes without.
//! Links the program for a fixed address where that makes it start sooner.

use std::path::Path;
use std::{env, fs};

fn main() {
    // At an address of the system's choice, 17,000 pointers in its tables would be filled in at every start: a fifth of
    // the time that `tempo --version` takes.
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    let home = env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package");
    let machine = Path::new(&home).join("../../build/tempo.wasm");
    println!("cargo::rerun-if-changed={}", machine.display());
    let text = match fs::canonicalize(&machine) {
        Ok(path) => format!(
            "const MACHINE: Option<&[u8]> = Some(include_bytes!({:?}));\n",
            path.display().to_string()
        ),
        Err(_) => "const MACHINE: Option<&[u8]> = None;\n".to_string(),
    };
    let out = env::var_os("OUT_DIR").expect("cargo names the directory");
    fs::write(Path::new(&out).join("machine.rs"), text).expect("the directory of the build can be written");
}
