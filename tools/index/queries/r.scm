(binary_operator lhs: (identifier) @name rhs: (function_definition body: (_) @body)) @function
(call function: (identifier) @_load arguments: (arguments . (argument))
  (#any-of? @_load "library" "require" "source" "requireNamespace")) @import
(program (binary_operator lhs: (identifier) @name operator: ["<-" "="]) @variable)

;; references
(call function: (identifier) @call)
(call function: (namespace_operator rhs: (identifier) @call.member))
(call function: (extract_operator rhs: (identifier) @call.member))
(argument name: (identifier) @ignore)
(identifier) @name
(parameter name: (identifier) @local)
(binary_operator lhs: (identifier) @local operator: "<-")
(comment) @comment
