; What JavaScript, TypeScript and TSX share.
(export_statement) @outer
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function

; A function wrapped by a call: `const useCart = create((set) => …)`, but not `const names = list.map((one) => …)`.
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) @_wrapper (member_expression object: (identifier) property: (_) @_wrapper)]
    arguments: (arguments [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
  (#not-match? @_wrapper
    "^(map|filter|forEach|reduce|find|findIndex|some|every|flatMap|sort|then|catch|finally|from|replace|on|set\w+)$")) @wrapped

(class_declaration name: (_) @name body: (_) @body) @class
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(method_definition name: (_) @name body: (_) @body) @method
(pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(assignment_expression left: (member_expression) @name right: (class body: (_) @body)) @class

(call_expression
  function: [(identifier) @_word (member_expression object: (identifier) @_word)]
  arguments: (arguments
    . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_word "it" "test" "bench")) @test
(call_expression
  function: [(identifier) @_word (member_expression object: (identifier) @_word)]
  arguments: (arguments
    . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_word "describe" "suite" "context")) @suite

(variable_declarator
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string)))
  (#eq? @_require "require")) @import
(expression_statement
  (call_expression function: (identifier) @_require arguments: (arguments . (string)))
  (#eq? @_require "require")) @import
(call_expression function: (import) arguments: (arguments . (string))) @import
(import_statement) @import
(export_statement source: (string)) @import

(assignment_expression left: (member_expression) @name right: (object) (#not-match? @name "^(module\\.)?exports$")) @variable
(lexical_declaration "const" (variable_declarator name: (identifier) @name) @constant)
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @variable)
(variable_declaration (variable_declarator name: (identifier) @name) @variable)

;; references
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (_) @call.member))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call.member))
(member_expression property: (_) @member)
(shorthand_property_identifier) @name
(identifier) @name
(arrow_function parameter: (identifier) @local)
(variable_declarator name: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(rest_pattern (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(comment) @comment
