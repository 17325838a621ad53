//! A session as bytes: the machine, the frame it is in, the keys and moves still to come, and the drive with its files and
//! open channels. It is read back by the version that wrote it, as the machine in it is.

use tempo_emu::{Joystick, Keyboard, State, StateError, System};
use tempo_formats::d64::Kind;
use tempo_formats::images::Container;

use crate::drive::{Bus, Channel, Drive, Role};
use crate::keys::Press;
use crate::session::{Action, Event, Session};
use crate::volume::{File, Volume};

/// File types by the number they are saved with.
const KINDS: [Kind; 5] = [Kind::Del, Kind::Seq, Kind::Prg, Kind::Usr, Kind::Rel];

/// No list of a session has more entries.
const MOST: u32 = 1 << 20;

impl Session {
    /// The session as bytes, for [`Session::restore`].
    pub fn save(&self) -> Vec<u8> {
        let to = &mut Vec::new();
        self.machine.save().save(to);
        (self.frame, self.start).save(to);
        save_list(self.events.iter(), to, |event, to| {
            event.frame.save(to);
            match &event.action {
                Action::Down(press) => save_press(0, press, to),
                Action::Up(press) => save_press(1, press, to),
                Action::Joystick(port, joystick) => [2, *port, joystick.bits()].save(to),
            }
        });
        save_drive(&self.drive, to);
        core::mem::take(to)
    }

    /// The session that [`Session::save`] made bytes of; takes them from the front.
    pub fn restore(from: &mut &[u8]) -> Result<Session, StateError> {
        let machine: Vec<u8> = State::load(from)?;
        let system = System::of_state(&machine)?;
        let machine = system
            .restore_computer(&machine)
            .ok_or(StateError::Impossible("the machine has no frames"))??;
        let keyboard = machine.keyboard();
        let mut session = Session::new(machine);
        (session.frame, session.start) = State::load(from)?;
        // Frames are counted with these numbers.
        let frames = session.machine.timing().cycles_per_frame();
        if session.frame > u64::MAX / frames / 4 || session.start > u64::MAX / 4 {
            return Err(StateError::Impossible("its frames are beyond all time"));
        }
        session.events = load_list(from, |from| {
            let frame = State::load(from)?;
            let action = match u8::load(from)? {
                0 => Action::Down(load_press(keyboard, from)?),
                1 => Action::Up(load_press(keyboard, from)?),
                2 => {
                    let [port, bits] = State::load(from)?;
                    Action::Joystick(port, Joystick::from_bits(bits))
                }
                _ => return Err(StateError::Impossible("an input that there is not")),
            };
            Ok(Event { frame, action })
        })?
        .into();
        session.drive = load_drive(from)?;
        Ok(session)
    }
}

fn save_list<T>(items: impl ExactSizeIterator<Item = T>, to: &mut Vec<u8>, save: impl Fn(T, &mut Vec<u8>)) {
    (items.len() as u32).save(to);
    items.for_each(|item| save(item, to));
}

fn load_list<T>(
    from: &mut &[u8],
    load: impl Fn(&mut &[u8]) -> Result<T, StateError>,
) -> Result<Vec<T>, StateError> {
    let count = u32::load(from)?;
    if count > MOST {
        return Err(StateError::Impossible("a list that is too long"));
    }
    (0..count).map(|_| load(from)).collect()
}

fn save_press(tag: u8, press: &Press, to: &mut Vec<u8>) {
    tag.save(to);
    save_list(press.iter(), to, |key, to| key.as_bytes().to_vec().save(to));
}

fn load_press(keyboard: &'static Keyboard, from: &mut &[u8]) -> Result<Press, StateError> {
    load_list(from, |from| {
        let name: Vec<u8> = State::load(from)?;
        let key = keyboard.keys.iter().find(|key| key.as_bytes() == name);
        key.copied().ok_or(StateError::Impossible("a key that the keyboard does not have"))
    })
}

fn save_drive(drive: &Drive, to: &mut Vec<u8>) {
    let Drive { volume, channels, status, bus } = drive;
    volume.is_some().save(to);
    if let Some(volume) = volume {
        save_volume(volume, to);
    }
    let mut channels: Vec<_> = channels.iter().collect();
    channels.sort_by_key(|(number, _)| **number);
    save_list(channels.into_iter(), to, |(number, channel), to| {
        number.save(to);
        match channel {
            Channel::Read { bytes, at } => {
                0_u8.save(to);
                bytes.save(to);
                (*at as u64).save(to);
            }
            Channel::Write { name, kind, replace, bytes } => {
                1_u8.save(to);
                name.save(to);
                save_kind(*kind, to);
                replace.save(to);
                bytes.save(to);
            }
            Channel::Command { text } => {
                2_u8.save(to);
                text.save(to);
            }
        }
    });
    status.save(to);
    let Bus { role, second, name } = bus;
    [*role as u8, u8::from(second.is_some()), second.unwrap_or(0)].save(to);
    name.save(to);
}

fn load_bus(from: &mut &[u8]) -> Result<Bus, StateError> {
    let [role, has_second, second]: [u8; 3] = State::load(from)?;
    let role = [Role::Idle, Role::Listener, Role::Talker, Role::Nobody].get(usize::from(role)).copied();
    let role = role.ok_or(StateError::Impossible("a part on the serial bus that there is not"))?;
    Ok(Bus { role, second: (has_second != 0).then_some(second), name: State::load(from)? })
}

fn load_drive(from: &mut &[u8]) -> Result<Drive, StateError> {
    let volume = if bool::load(from)? { Some(load_volume(from)?) } else { None };
    let channels = load_list(from, |from| {
        let number = State::load(from)?;
        let channel = match u8::load(from)? {
            0 => {
                let (bytes, at): (Vec<u8>, u64) = State::load(from)?;
                Channel::Read { at: bytes.len().min(at as usize), bytes }
            }
            1 => Channel::Write {
                name: State::load(from)?,
                kind: load_kind(from)?,
                replace: State::load(from)?,
                bytes: State::load(from)?,
            },
            2 => Channel::Command { text: State::load(from)? },
            _ => return Err(StateError::Impossible("a channel that there is not")),
        };
        Ok((number, channel))
    })?;
    Ok(Drive {
        volume,
        channels: channels.into_iter().collect(),
        status: State::load(from)?,
        bus: load_bus(from)?,
    })
}

fn save_kind(kind: Kind, to: &mut Vec<u8>) {
    (KINDS.iter().position(|known| *known == kind).unwrap_or(0) as u8).save(to);
}

fn load_kind(from: &mut &[u8]) -> Result<Kind, StateError> {
    let number = u8::load(from)?;
    KINDS.get(usize::from(number)).copied().ok_or(StateError::Impossible("a file type that there is not"))
}

fn save_volume(volume: &Volume, to: &mut Vec<u8>) {
    let Volume { name, id, files, removed, damaged, container } = volume;
    name.save(to);
    id.save(to);
    save_list(files.iter(), to, |file, to| {
        let File { name, kind, locked, bytes, is_new } = file;
        name.save(to);
        save_kind(*kind, to);
        locked.save(to);
        bytes.save(to);
        is_new.save(to);
    });
    save_list(removed.iter(), to, |name, to| name.save(to));
    save_list(damaged.iter(), to, |name, to| name.save(to));
    (Container::ALL.iter().position(|known| known == container).unwrap_or(0) as u8).save(to);
}

fn load_volume(from: &mut &[u8]) -> Result<Volume, StateError> {
    Ok(Volume {
        name: State::load(from)?,
        id: State::load(from)?,
        files: load_list(from, |from| {
            Ok(File {
                name: State::load(from)?,
                kind: load_kind(from)?,
                locked: State::load(from)?,
                bytes: State::load(from)?,
                is_new: State::load(from)?,
            })
        })?,
        removed: load_list(from, State::load)?,
        damaged: load_list(from, State::load)?,
        container: {
            let number = u8::load(from)?;
            let found = Container::ALL.get(usize::from(number)).copied();
            found.ok_or(StateError::Impossible("a disk image that there is not"))?
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Keys, Moves};

    fn session() -> Session {
        let machine = System::C64Pal.computer().expect("a computer");
        let keyboard = machine.keyboard();
        let mut session = Session::new(machine);
        let mut volume = Volume::new("disk");
        volume.files.push(File::from_host("a.prg", vec![1, 8, 0]).expect("a name"));
        session.drive = Drive::with(volume);
        session.type_keys(&Keys::parse("ab{RETURN}{WAIT 9}{SHIFT+A}", keyboard).expect("keys"));
        session.play_moves(2, &Moves(vec![(3, Joystick::from_bits(17)), (9, Joystick::from_bits(0))]));
        session.run_frames(4);
        session
    }

    #[test]
    fn a_session_goes_on_as_it_would_have() {
        let mut session = session();
        let bytes = session.save();
        let rest = &mut &bytes[..];
        let mut again = Session::restore(rest).expect("a session");
        assert!(rest.is_empty());
        session.run_frames(40);
        again.run_frames(40);
        assert!(session.save() == again.save());
    }

    #[test]
    fn shortened_bytes_are_refused() {
        let bytes = session().save();
        for length in (0..bytes.len()).step_by(997).chain(bytes.len() - 60..bytes.len()) {
            assert!(Session::restore(&mut &bytes[..length]).is_err(), "{length}");
        }
    }
}
