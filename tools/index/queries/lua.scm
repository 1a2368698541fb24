(function_declaration name: (_) @name body: (_)? @body) @function
(assignment_statement
  (variable_list name: (_) @name)
  (expression_list value: (function_definition body: (_)? @body))) @function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @function
(function_call name: (identifier) @_require arguments: (arguments (string)) (#eq? @_require "require")) @import
(assignment_statement (variable_list name: (identifier) @name)) @variable

;; references
(function_call name: (identifier) @call)
(function_call name: (dot_index_expression field: (identifier) @call.member))
(function_call name: (method_index_expression method: (identifier) @call.member))
(dot_index_expression field: (identifier) @member)
(identifier) @name
(parameters name: (identifier) @local)
(variable_declaration (assignment_statement (variable_list name: (identifier) @local)))
(comment) @comment
