//! VICE's options: those that mean something here, and those that are taken without an effect. The table is the whole
//! knowledge; `x64sc` reads it.

/// The treatment of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It has an effect; whether a value follows.
    Known(Takes),
    /// Taken in silence: it changes nothing that a client could see.
    Silent(Takes),
    /// Taken with a warning.
    Ignored(Takes),
}

/// Whether a value follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Value,
    Nothing,
}

use Meaning::{Ignored, Known, Silent};
use Takes::{Nothing, Value};

/// Options with `-`, without it. Those marked with `+` have the other form, too, which takes no value.
const OPTIONS: &[(&str, Meaning)] = &[
    ("binarymonitor+", Known(Nothing)),
    ("binarymonitoraddress", Known(Value)),
    ("remotemonitor+", Known(Nothing)),
    ("remotemonitoraddress", Known(Value)),
    ("default", Known(Nothing)),
    ("autostart", Known(Value)),
    ("autoload", Known(Value)),
    ("8", Known(Value)),
    ("autostartprgmode", Silent(Value)),
    ("autostart-warp+", Silent(Nothing)),
    ("autostart-handle-tde+", Silent(Nothing)),
    ("autostart-delay", Silent(Value)),
    ("moncommands", Known(Value)),
    ("initbreak", Known(Value)),
    ("warp+", Known(Nothing)),
    ("debugcart+", Known(Nothing)),
    ("limitcycles", Known(Value)),
    ("exitscreenshot", Known(Value)),
    ("jamaction", Known(Value)),
    ("keybuf", Known(Value)),
    ("keybuf-delay", Silent(Value)),
    ("kernal", Known(Value)),
    ("basic", Known(Value)),
    ("chargen", Known(Value)),
    ("cartcrt", Known(Value)),
    ("model", Known(Value)),
    ("pal", Known(Nothing)),
    ("ntsc", Known(Nothing)),
    ("help", Known(Nothing)),
    ("version", Known(Nothing)),
    ("directory", Silent(Value)),
    ("logfile", Silent(Value)),
    ("sound+", Silent(Nothing)),
    ("silent+", Silent(Nothing)),
    ("verbose+", Silent(Nothing)),
    ("console+", Silent(Nothing)),
    ("minimized+", Silent(Nothing)),
    ("drive8truedrive+", Silent(Nothing)),
    ("drive9truedrive+", Silent(Nothing)),
    ("iecdevice8+", Silent(Nothing)),
    ("iecdevice9+", Silent(Nothing)),
    ("truedrive+", Silent(Nothing)),
    ("virtualdev+", Silent(Nothing)),
    ("virtualdev8+", Silent(Nothing)),
    ("sounddev", Silent(Value)),
    ("soundarg", Silent(Value)),
    ("soundrate", Silent(Value)),
    ("soundbufsize", Ignored(Value)),
    ("soundoutput", Ignored(Value)),
    ("soundvolume", Ignored(Value)),
    ("soundrecdev", Ignored(Value)),
    ("soundrecarg", Ignored(Value)),
    ("refresh", Ignored(Value)),
    ("speed", Ignored(Value)),
    ("seed", Silent(Value)),
    ("config", Ignored(Value)),
    ("addconfig", Ignored(Value)),
    ("saveres+", Ignored(Nothing)),
    ("confirmonexit+", Silent(Nothing)),
    ("confirm+", Silent(Nothing)),
    ("chdir", Ignored(Value)),
    ("9", Ignored(Value)),
    ("10", Ignored(Value)),
    ("11", Ignored(Value)),
    ("1", Ignored(Value)),
    ("drive8type", Ignored(Value)),
    ("drive9type", Ignored(Value)),
    ("drive10type", Ignored(Value)),
    ("drive11type", Ignored(Value)),
    ("drivesound+", Ignored(Nothing)),
    ("fs8", Ignored(Value)),
    ("fs9", Ignored(Value)),
    ("attach8rw", Ignored(Nothing)),
    ("attach8ro", Ignored(Nothing)),
    ("device8", Ignored(Value)),
    ("device9", Ignored(Value)),
    ("joydev1", Ignored(Value)),
    ("joydev2", Ignored(Value)),
    ("controlport1device", Ignored(Value)),
    ("controlport2device", Ignored(Value)),
    ("userportdevice", Ignored(Value)),
    ("keymap", Ignored(Value)),
    ("symkeymap", Ignored(Value)),
    ("poskeymap", Ignored(Value)),
    ("VICIIborders", Ignored(Value)),
    ("VICIIfilter", Silent(Value)),
    ("VICIIextpal+", Silent(Nothing)),
    ("VICIIpalette", Silent(Value)),
    ("VICIImodel", Ignored(Value)),
    ("VICIIdsize+", Silent(Nothing)),
    ("VICIIdscan+", Silent(Nothing)),
    ("VICIIfull+", Silent(Nothing)),
    ("VICIIhwscale+", Silent(Nothing)),
    ("VICIIchecksb+", Ignored(Nothing)),
    ("VICIIchecksd+", Ignored(Nothing)),
    ("VICIIvsync+", Silent(Nothing)),
    ("VICIIglfilter", Silent(Value)),
    ("VICIIsaturation", Ignored(Value)),
    ("VICIIcontrast", Ignored(Value)),
    ("VICIIbrightness", Ignored(Value)),
    ("VICIIgamma", Ignored(Value)),
    ("VICIItint", Ignored(Value)),
    ("sidenginemodel", Ignored(Value)),
    ("sidengine", Ignored(Value)),
    ("sidmodel", Ignored(Value)),
    ("sidextra", Ignored(Value)),
    ("sidfilters+", Ignored(Nothing)),
    ("residsamp", Ignored(Value)),
    ("residpass", Ignored(Value)),
    ("residgain", Ignored(Value)),
    ("ciamodel", Ignored(Value)),
    ("cia1model", Ignored(Value)),
    ("cia2model", Ignored(Value)),
    ("gluelogictype", Ignored(Value)),
    ("burstmod", Ignored(Value)),
    ("memoryexphack", Ignored(Value)),
    ("ntscold", Ignored(Nothing)),
    ("paln", Ignored(Nothing)),
    ("power50", Ignored(Nothing)),
    ("power60", Ignored(Nothing)),
    ("reu+", Ignored(Nothing)),
    ("reusize", Ignored(Value)),
    ("reuimage", Ignored(Value)),
    ("georam+", Ignored(Nothing)),
    ("georamsize", Ignored(Value)),
    ("raminitstartvalue", Ignored(Value)),
    ("raminitvalueinvert", Ignored(Value)),
    ("raminitpatterninvert", Ignored(Value)),
    ("raminitrandomchance", Ignored(Value)),
    ("trapdevice8+", Ignored(Nothing)),
    ("cartreset+", Ignored(Nothing)),
    ("cart8", Ignored(Value)),
    ("cart16", Ignored(Value)),
    ("cartultimax", Ignored(Value)),
    ("ignorelabels+", Ignored(Nothing)),
    ("monlog+", Ignored(Nothing)),
    ("monlogname", Ignored(Value)),
    ("monchislines", Ignored(Value)),
    ("monscrollbacklines", Ignored(Value)),
    ("nativemonitor+", Ignored(Nothing)),
    ("keepmonopen+", Ignored(Nothing)),
    ("refreshonbreak+", Ignored(Nothing)),
    ("logtofile+", Silent(Nothing)),
    ("logtostdout+", Silent(Nothing)),
    ("loglimit", Silent(Value)),
    ("debug", Ignored(Nothing)),
    ("trace_maincpu+", Ignored(Nothing)),
    ("pause+", Ignored(Nothing)),
    ("fullscreen+", Silent(Nothing)),
    ("statusbar+", Silent(Nothing)),
    ("native-monitor+", Ignored(Nothing)),
];

/// The meaning of an option that begins with `-` or `+`; `None` if VICE has no such option.
pub fn meaning(word: &str) -> Option<Meaning> {
    let (is_plus, name) = match word.strip_prefix('+') {
        Some(name) => (true, name),
        None => (false, word.strip_prefix('-')?),
    };
    let name = name.strip_prefix('-').filter(|name| matches!(*name, "help" | "version")).unwrap_or(name);
    let row = OPTIONS.iter().find(|(known, _)| known.trim_end_matches('+') == name);
    let &(known, meaning) = row?;
    if is_plus && !known.ends_with('+') {
        return None;
    }
    Some(meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_named_once_and_only_switches_have_a_plus() {
        for (at, (name, meaning)) in OPTIONS.iter().enumerate() {
            assert!(!OPTIONS[..at].iter().any(|(other, _)| other == name), "{name} is there twice");
            let takes = match meaning {
                Known(takes) | Silent(takes) | Ignored(takes) => takes,
            };
            assert!(!name.ends_with('+') || *takes == Nothing, "{name}");
        }
        assert_eq!(meaning("+remotemonitor"), Some(Known(Nothing)));
        assert_eq!(meaning("+autostart"), None);
        assert_eq!(meaning("-nosuchoption"), None);
    }
}
