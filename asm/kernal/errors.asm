// errors.asm - BASIC's table of statements, and its error messages
//
// Provides: Statements, ErrorTexts
#importonce

        :To($A00C)
Statements:                     // by token from $80 on, minus 1; those that ours has none of are absent there, too
.var statements = List().add($A831, $A742, $AD1E, $A8F8, $ABA5, $ABBF, $B081, $AC06, $A9A5, $A8A0, $A871, $A928, $A81D, $A883, $A8D2, $A93B, $A82F, $A94B, $B82D, $E168, $E156, $E165, $B3B3, $B824, $AA80, $AAA0, $A857, $A69C, $A65E, $AA86, $E12A, $E1BE, $E1C7, $AB7B, $A642)
        .fillword statements.size(), statements.get(i) - 1

ErrorTexts:                     // by number, each ends with a zero
.var errors = List().add("TOO MANY FILES", "FILE OPEN", "FILE NOT OPEN", "FILE NOT FOUND", "DEVICE NOT PRESENT", "NOT INPUT FILE", "NOT OUTPUT FILE", "MISSING FILE NAME", "ILLEGAL DEVICE NUMBER", "NEXT WITHOUT FOR", "SYNTAX", "RETURN WITHOUT GOSUB", "OUT OF DATA", "ILLEGAL QUANTITY", "OVERFLOW", "OUT OF MEMORY", "UNDEF'D STATEMENT", "BAD SUBSCRIPT", "REDIM'D ARRAY", "DIVISION BY ZERO", "ILLEGAL DIRECT", "TYPE MISMATCH", "STRING TOO LONG", "FILE DATA", "FORMULA TOO COMPLEX", "CAN'T CONTINUE", "UNDEF'D FUNCTION", "VERIFY", "LOAD")
.for (var i = 0; i < errors.size(); i++) {
        .text errors.get(i)
        .byte 0
}
