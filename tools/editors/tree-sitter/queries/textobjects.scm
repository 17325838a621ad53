(macro body: (_) @function.inner) @function.outer
(function body: (_) @function.inner) @function.outer
(pseudocommand body: (_) @function.inner) @function.outer
(parameters (identifier) @parameter.inner)
(comment) @comment.outer
(block) @block.outer
