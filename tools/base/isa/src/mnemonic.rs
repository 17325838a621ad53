//! Mnemonics and their aliases. Knows names, not which CPU has them.

use core::fmt;

macro_rules! mnemonics {
    ($($variant:ident $name:ident),* $(,)?) => {
        /// The name of an operation, in one spelling; aliases parse to it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Mnemonic {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                $variant,
            )*
        }

        impl Mnemonic {
            /// All mnemonics in alphabetical order, which is also the order of their discriminants.
            pub const ALL: &'static [Mnemonic] = &[$(Mnemonic::$variant),*];

            /// The name in lower case.
            pub const fn name(self) -> &'static str {
                match self { $(Mnemonic::$variant => stringify!($name)),* }
            }

            /// The mnemonic of this name or alias, lower case only.
            pub fn parse(name: &str) -> Option<Mnemonic> {
                Some(match name {
                    $(stringify!($name) => Mnemonic::$variant,)*
                    _ => return Mnemonic::ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, own)| own),
                })
            }
        }

        /// The words of the tables' mnemonic column as values.
        #[allow(non_upper_case_globals, dead_code)] // the DTV's own are not in the two big tables
        pub(crate) mod word {
            use super::Mnemonic;
            $(pub const $name: Mnemonic = Mnemonic::$variant;)*
        }
    };
}

mnemonics! {
    Adc adc, Alr alr, Anc anc, Anc2 anc2, And and, Ane ane, Arr arr, Asl asl, Bbr0 bbr0, Bbr1 bbr1,
    Bbr2 bbr2, Bbr3 bbr3, Bbr4 bbr4, Bbr5 bbr5, Bbr6 bbr6, Bbr7 bbr7, Bbs0 bbs0, Bbs1 bbs1,
    Bbs2 bbs2, Bbs3 bbs3, Bbs4 bbs4, Bbs5 bbs5, Bbs6 bbs6, Bbs7 bbs7, Bcc bcc, Bcs bcs, Beq beq,
    Bit bit, Bmi bmi, Bne bne, Bpl bpl, Bra bra, Brk brk, Bvc bvc, Bvs bvs, Clc clc, Cld cld,
    Cli cli, Clv clv, Cmp cmp, Cpx cpx, Cpy cpy, Dcp dcp, Dec dec, Dex dex, Dey dey, Eor eor,
    Inc inc, Inx inx, Iny iny, Isc isc, Jam jam, Jmp jmp, Jsr jsr, Las las, Lax lax, Lda lda,
    Ldx ldx, Ldy ldy, Lsr lsr, Nop nop, Ora ora, Pha pha, Php php, Phx phx, Phy phy, Pla pla,
    Plp plp, Plx plx, Ply ply, Rla rla, Rmb0 rmb0, Rmb1 rmb1, Rmb2 rmb2, Rmb3 rmb3, Rmb4 rmb4,
    Rmb5 rmb5, Rmb6 rmb6, Rmb7 rmb7, Rol rol, Ror ror, Rra rra, Rti rti, Rts rts, Sac sac, Sax sax,
    Sbc sbc, Sbc2 sbc2, Sbx sbx, Sec sec, Sed sed, Sei sei, Sha sha, Shx shx, Shy shy, Sir sir,
    Slo slo, Smb0 smb0, Smb1 smb1, Smb2 smb2, Smb3 smb3, Smb4 smb4, Smb5 smb5, Smb6 smb6, Smb7 smb7,
    Sre sre, Sta sta, Stp stp, Stx stx, Sty sty, Stz stz, Tas tas, Tax tax, Tay tay, Trb trb,
    Tsb tsb, Tsx tsx, Txa txa, Txs txs, Tya tya, Wai wai,
}

impl Mnemonic {
    /// Other names in use, each with the mnemonic it stands for. An alias has every mode of its mnemonic.
    pub const ALIASES: &'static [(&'static str, Mnemonic)] = &[
        ("ahx", Mnemonic::Sha),
        ("asr", Mnemonic::Alr),
        ("axs", Mnemonic::Sbx),
        ("dcm", Mnemonic::Dcp),
        ("ins", Mnemonic::Isc),
        ("isb", Mnemonic::Isc),
        ("lae", Mnemonic::Las),
        ("lds", Mnemonic::Las),
        ("lxa", Mnemonic::Lax),
        ("shs", Mnemonic::Tas),
        ("xaa", Mnemonic::Ane),
    ];

    /// The aliases of this mnemonic.
    pub fn aliases(self) -> impl Iterator<Item = &'static str> {
        Mnemonic::ALIASES.iter().filter(move |(_, own)| *own == self).map(|&(alias, _)| alias)
    }
}

impl fmt::Display for Mnemonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
