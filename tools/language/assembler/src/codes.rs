//! The kinds of errors and warnings. `docs/errors.md` has a section on each.

tempo_diagnostics::codes! {
    /// A kind of error or warning. The name that users see is stable: `E0301`.
    pub enum Code {
        /// The root source cannot be opened.
        RootNotFound = "E0001",
        /// A character that begins no token.
        InvalidCharacter = "E0101",
        /// A string without its closing quote.
        UnterminatedString = "E0102",
        /// A `/*` without `*/`.
        UnterminatedComment = "E0103",
        /// A bracket without its partner.
        UnbalancedBracket = "E0104",
        /// An escape code that does not exist.
        UnknownEscape = "E0105",
        /// A `#` without the name of a directive.
        DirectiveNotNamed = "E0106",
        /// `#else`, `#elif` or `#endif` without `#if`.
        ConditionWithoutIf = "E0107",
        /// An import without a file name.
        FileNameExpected = "E0108",
        /// A preprocessor directive with the wrong number of arguments.
        DirectiveArguments = "E0109",
        /// A preprocessor directive that does not exist.
        UnknownPreprocessorDirective = "E0110",
        /// A malformed condition of `#if`, `#elif` or `#importif`.
        ConditionSyntax = "E0111",
        /// An imported source cannot be opened.
        ImportNotFound = "E0112",
        /// More bytes of source than allowed.
        TooMuchSource = "E0113",
        /// Imports nested deeper than allowed.
        ImportsTooDeep = "E0114",
        /// A token that does not fit.
        SyntaxError = "E0201",
        /// A token that does not fit the head of a directive.
        InvalidToken = "E0202",
        /// More levels of nesting than allowed.
        NestingTooDeep = "E0203",
        /// More arguments or operators in one expression than allowed.
        TooManyOperands = "E0204",
        /// An unknown extension of a mnemonic.
        UnknownExtension = "E0205",
        /// Something after the end of a statement.
        ExtraToken = "E0206",
        /// A directive that does not exist.
        UnknownDirective = "E0207",
        /// A statement that ends too early.
        UnexpectedEndOfLine = "E0208",
        /// An `.if` without a body.
        IfWithoutBody = "E0209",
        /// A missing `;`.
        SemicolonExpected = "E0210",
        /// A missing `,`.
        CommaExpected = "E0211",
        /// A source that ends inside a statement.
        UnexpectedEndOfSource = "E0212",
        /// Something else where a name must be.
        NameExpected = "E0213",
        /// An instruction set that does not exist.
        UnknownCpu = "E0214",
        /// An argument that a directive does not take.
        InvalidArgument = "E0215",
        /// `.import source` with something else than a string constant.
        ImportNotConstant = "E0216",
        /// A call without its first argument.
        ArgumentMissing = "E0217",
        /// A symbol that is not declared.
        UnknownSymbol = "E0301",
        /// A variable or constant used above its declaration.
        UsedBeforeDeclared = "E0302",
        /// A symbol declared twice in one scope.
        DuplicateSymbol = "E0303",
        /// A macro, function, pseudo command or struct declared twice.
        DuplicateCallable = "E0304",
        /// A declaration where there may be none.
        DeclarationNotAllowed = "E0305",
        /// A function that does not exist.
        UnknownFunction = "E0306",
        /// A function called with the wrong number of arguments.
        FunctionArguments = "E0307",
        /// A macro that does not exist.
        UnknownMacro = "E0308",
        /// A pseudo command or instruction that does not exist.
        UnknownPseudoCommand = "E0309",
        /// A macro or pseudo command called with the wrong number of arguments.
        CallArguments = "E0310",
        /// A value that no pass can resolve.
        Unresolved = "E0401",
        /// More passes than allowed.
        TooManyPasses = "E0402",
        /// A condition that is unknown in the first pass.
        UnknownCondition = "E0403",
        /// A size that is unknown in the first pass.
        UnknownSize = "E0404",
        /// A value of the wrong type.
        Conversion = "E0410",
        /// A method that the type of the value does not have.
        UnknownMethod = "E0411",
        /// A method called with the wrong number of arguments.
        MethodArguments = "E0412",
        /// A value that is still being built is used in a later pass.
        AcrossPasses = "E0413",
        /// A locked value cannot be changed.
        Locked = "E0414",
        /// A data file cannot be opened or read.
        DataFile = "E0415",
        /// A library function refuses its arguments.
        LibraryError = "E0416",
        /// A member that the value does not have.
        UnknownMember = "E0417",
        /// `[]` on a value that has no elements.
        NotIndexable = "E0418",
        /// An index outside the list.
        IndexOutOfRange = "E0419",
        /// An assignment to a constant.
        AssignToConstant = "E0420",
        /// An operand that is not a number.
        OperandType = "E0421",
        /// An import inside a macro or loop.
        ImportInBody = "E0422",
        /// A label whose value is not a number.
        LabelType = "E0423",
        /// An addressing mode that cannot be forced.
        ModeNotForced = "E0424",
        /// An addressing mode that the instruction does not have.
        AddressingMode = "E0425",
        /// A branch target out of reach.
        BranchTooFar = "E0426",
        /// A text encoding that does not exist.
        UnknownEncoding = "E0427",
        /// A `.define` that does not set a name it exports.
        DefineWithoutValue = "E0428",
        /// A `.return` outside of a function.
        UncaughtReturn = "E0429",
        /// Two passes ran different statements.
        PassesDisagree = "E0499",
        /// A memory block started inside `.pseudopc`.
        BlockInPseudoPc = "E0501",
        /// A program counter that is negative or larger than 32 bits.
        AddressOutOfRange = "E0502",
        /// An alignment below 1.
        AlignSize = "E0503",
        /// A `.pseudopc` inside another.
        NestedPseudoPc = "E0504",
        /// A `.fill` with a negative count.
        NegativeFill = "E0505",
        /// A data file shorter than the part to import, or a part before its start.
        FileTooShort = "E0506",
        /// A parameter that a segment, file or disk does not have.
        UnknownParameter = "E0507",
        /// A parameter given twice.
        DuplicateParameter = "E0508",
        /// A parameter whose value is unknown in the first pass.
        UnknownParameterValue = "E0509",
        /// A parameter that must be given.
        ParameterMissing = "E0510",
        /// `fill` without `min` and `max`.
        FillWithoutBounds = "E0511",
        /// A segment defined twice.
        DuplicateSegment = "E0512",
        /// A switch to a segment that is not defined.
        UndefinedSegment = "E0513",
        /// `startAfter` names a segment that is not defined.
        UnknownStartAfter = "E0514",
        /// `segments` names a segment that is not defined.
        UnknownSubsegment = "E0515",
        /// Memory from its lowest to its highest block exceeds the limit.
        MemoryTooLarge = "E0516",
        /// A file type or disk format that does not exist.
        UnknownType = "E0517",
        /// A disk image cannot be made.
        DiskError = "E0518",
        /// A cartridge image cannot be made.
        CartridgeError = "E0519",
        /// Two blocks of a segment overlap.
        Overlap = "E0520",
        /// A block is outside the bounds of its segment.
        OutOfBounds = "E0521",
        /// A segment includes itself.
        SegmentCycle = "E0522",
        /// An `.assert` failed.
        AssertionFailed = "E0601",
        /// `.error` or `.errorif`.
        UserError = "E0602",
        /// An output path leads out of the output directory.
        OutsideOutput = "E0604",
        /// Something that only a Java plugin could do.
        NeedsJava = "E0605",
        /// Two output files of one name.
        OutputClash = "E0606",
        /// Bytes that a modifier cannot pack.
        Packing = "E0607",
        /// Calls or expressions nested deeper than allowed.
        CallsTooDeep = "E0901",
        /// Values that take more memory than allowed.
        TooMuchMemory = "E0902",
        /// Loops and calls that do not end within their limit.
        TooManyIterations = "E0903",
        /// More bytes of output than allowed.
        TooMuchOutput = "E0904",
        /// The caller cancelled the run.
        Cancelled = "E0905",
        /// More bytes of values copied than allowed.
        TooMuchWork = "E0906",
        /// Absolute mode for an operand that turned out to be in the zero page.
        ForcedAbsolute = "W0001",
        /// An immediate value that does not fit into a byte.
        TruncatedImmediate = "W0101",
        /// An element of data that does not fit.
        TruncatedData = "W0102",
        /// An address outside of the zero page where the mode needs one inside.
        TruncatedAddress = "W0103",
        /// A constant that is read as an address and used as a number elsewhere.
        MissingHash = "W0104",
        /// `.dw` with an address: other assemblers mean two bytes by it.
        AddressInFourBytes = "W0105",
        /// `(zp),x`, which is not indirect.
        ParenthesesBeforeX = "W0106",
        /// A condition on a symbol that is not defined, beside one whose name differs by a slip of the fingers.
        MisspelledSymbol = "W0107",
        /// A block that goes past $FFFF.
        PastTheEnd = "W0201",
        /// An `#if` without `#endif`.
        UnclosedIf = "W0202",
        /// A virtual segment past its `max`.
        VirtualPastMax = "W0203",
        /// `start` beside `startAfter`.
        StartIgnored = "W0204",
        /// A code in `// tempo: allow(…)` that no warning has.
        UnknownAllowed = "W0205",
        /// Bytes of a data file that belong to none of its parts.
        DataLeftOver = "W0206",
        /// A label that is never used.
        UnusedLabel = "W0301",
        /// Code that is never reached.
        Unreachable = "W0302",
        /// `jsr` before `rts`.
        TailCall = "W0303",
        /// `jmp (vector)` with the vector at the end of a page.
        IndirectJumpBug = "W0304",
        /// A branch or table crosses a page although a comment forbids it.
        PageCrossed = "W0305",
        /// A routine that does not leave the stack as it found it.
        StackImbalance = "W0306",
        /// A routine that returns in decimal mode.
        DecimalLeft = "W0307",
        /// An undocumented opcode whose result is not reliable.
        UnstableOpcode = "W0308",
        /// A write to ROM.
        WriteToRom = "W0309",
        /// A branch that is never taken, or always.
        BranchDecided = "W0310",
        /// Code that takes other cycles than a comment says.
        CyclesDiffer = "W0401",
        /// Code whose cycles a comment states and that cannot be known.
        CyclesUnknown = "W0402",
        /// A comment on cycles that says nothing the assembler can check.
        CyclesComment = "W0403",
    }
    limits: TooMuchSource, ImportsTooDeep, NestingTooDeep, TooManyOperands, TooManyPasses, CallsTooDeep, TooMuchMemory,
        TooManyIterations, TooMuchOutput, TooMuchWork, Cancelled;
}

/// Codes are declared stage by stage, in the order of their names.
impl Code {
    /// Whether this is the code of a warning.
    pub fn is_warning(self) -> bool {
        self >= Code::ForcedAbsolute
    }

    /// Whether this is a matter of taste: the warning is right about the code, and good programs have such code.
    /// [`Lints::all`](crate::Lints::all) leaves these out.
    pub fn is_style(self) -> bool {
        matches!(self, Code::UnusedLabel | Code::TailCall | Code::UnstableOpcode)
    }

    /// Whether this is an error of the text itself: of characters, preprocessor lines or statements.
    pub fn is_syntax(self) -> bool {
        (Code::InvalidCharacter..=Code::ArgumentMissing).contains(&self)
    }

    /// Whether this is an error that only running the statements shows.
    pub fn is_of_evaluation(self) -> bool {
        (Code::Unresolved..Code::ForcedAbsolute).contains(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_stage() {
        assert!(Code::ALL.is_sorted_by_key(|code| code.as_str()));
        for &code in Code::ALL {
            let name = code.as_str();
            assert_eq!(code.is_warning(), name.starts_with('W'), "{name}");
            assert_eq!(code.is_syntax(), name.starts_with("E01") || name.starts_with("E02"), "{name}");
            assert_eq!(code.is_of_evaluation(), ("E04".."F").contains(&name), "{name}");
        }
    }
}
