//! Puts the machine of `tempo play` into the program, if `make` has built it; a plain `cargo build` goes without.

use std::path::Path;
use std::{env, fs};

fn main() {
    let home = env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package");
    let machine = Path::new(&home).join("../../../build/tempo.wasm");
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
