//! `--drive-rom`: a whole 1541 on the serial bus, with the disk of `--disk`.

use std::path::Path;

use tempo_emu::AnyComputer;
use tempo_emu::c64::DRIVE_ROM;
use tempo_host::{files, output};

use super::disk::Disk;

/// Connects the drive and puts the disk in.
pub fn attach(machine: &mut AnyComputer, path: &Path, disk: Option<&Disk>) -> Result<(), String> {
    let shown = path.display();
    let rom = files::read_limited(path, 0x1_0000)
        .map_err(|err| format!("--drive-rom: cannot read {shown}: {err}"))?;
    let machine = machine.c64_mut().ok_or("--drive-rom: only a C64 has a serial bus")?;
    if !machine.attach(&rom) {
        let len = rom.len();
        return Err(format!("--drive-rom {shown}: the ROM of a 1541 has {DRIVE_ROM} bytes, this file {len}"));
    }
    if let (Some(disk), Some(drive)) = (disk, machine.board.drive_mut()) {
        drive.insert(disk.bits()?);
    }
    Ok(())
}

/// The file of `--save-disk`: the kind follows from its name.
pub fn disk_file(machine: &AnyComputer, path: &Path) -> Result<Vec<u8>, String> {
    let drive = machine.c64().and_then(|machine| machine.board.drive());
    let disk = drive.and_then(|drive| drive.disk()).ok_or("--save-disk: there is no disk; add --disk")?;
    let tracks = tempo_c64::tracks_of(disk);
    let is = |wanted: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
    let shown = path.display();
    if is("g64") {
        return Ok(tracks.to_g64());
    }
    if !is("d64") {
        return Err(format!("--save-disk {shown}: neither a .d64 nor a .g64"));
    }
    let (image, unread) = tracks.to_d64();
    match &unread[..] {
        [] => Ok(image),
        [first, rest @ ..] => Err(format!(
            "--save-disk {shown}: sector {} of track {} cannot be read, and {} more; a .g64 keeps every bit",
            first.sector,
            first.track,
            rest.len()
        )),
    }
}

/// Names the missing drive to a program that has called the bus by itself.
pub fn tell_if_missing(machine: &AnyComputer) {
    let is_missing =
        |machine: &tempo_emu::c64::C64| machine.board.has_called_bus() && machine.board.drive().is_none();
    if machine.c64().is_some_and(is_missing) {
        output::warn(
            "warning: the program drives the serial bus by itself ($DD00), and --disk answers the KERNAL's calls \
             alone; --drive-rom FILE connects a whole 1541\n",
        );
    }
}
