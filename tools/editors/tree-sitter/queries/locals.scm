(block) @local.scope
(label name: (identifier) @local.definition)
(declaration name: (identifier) @local.definition)
(loop_variable name: (identifier) @local.definition)
(parameters (identifier) @local.definition)
(identifier) @local.reference
