(comment) @comment

(mnemonic) @keyword
(extension) @attribute
(directive_word) @keyword.directive
(preprocessor_word) @keyword.directive
(keyword) @keyword.directive

(label name: (identifier) @label)
"!" @operator
(argument_label name: (identifier) @label)
(multi_reference) @label

(call_statement name: (identifier) @function.macro)
(macro name: (identifier) @function.macro)
(pseudocommand name: (identifier) @function.macro)
(function name: (identifier) @function)
(call function: (identifier) @function.call)
(call function: (member name: (identifier) @function.method))
(parameters (identifier) @variable.parameter)
(namespace name: (identifier) @module)
(segment name: (identifier) @module)
(struct name: (identifier) @type)
(field) @property
(option name: (identifier) @property)
(member name: (identifier) @property)
(enum_entry name: (identifier) @constant)
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]*$"))

(number) @number
(string) @string
(character) @character
(boolean) @boolean
(null) @constant.builtin
(current_address) @constant.builtin

(immediate "#" @operator)
["=" "+=" "-=" "*=" "/=" "==" "!=" "<" "<=" ">" ">=" "<<" ">>" "&" "&&" "|" "||" "^" "+" "-" "*" "/" "~" "++" "--" "?"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter
