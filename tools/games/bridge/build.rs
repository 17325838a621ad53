//! Lists the sources of the chess program, so that the library carries them and `tempo` needs no files.

#![allow(clippy::disallowed_methods, reason = "a build script may read and write files")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let asm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../asm");
    println!("cargo:rerun-if-changed={}", asm.display());
    let mut files = Vec::new();
    collect(&asm, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&asm).expect("found below it").to_str().expect("our names are ASCII");
        let name = name.replace('\\', "/");
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string()).expect("memory");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("sources.rs"), list).expect("the build folder is writable");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        println!("cargo:rerun-if-changed={}", path.display());
        // The KERNAL and the depacker beside the program, and the games on its disk, are not part of it.
        let is_other = ["kernal", "depack", "games", "README.md"].iter().any(|other| path.ends_with(other));
        if is_other {
            continue;
        }
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
