; C, and what C++ shares with it.
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  ]
  body: (_) @body) @function
(struct_specifier name: (_) @name body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(enum_specifier name: (_) @name body: (_) @body) @enum
(type_definition type: (struct_specifier !name body: (_)) declarator: (type_identifier) @name) @class
(type_definition type: (union_specifier !name body: (_)) declarator: (type_identifier) @name) @class
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @enum
(type_definition type: (_) declarator: (type_identifier) @name @type)
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(preproc_def name: (_) @name value: (_)) @constant
(preproc_function_def name: (_) @name) @macro
(declaration declarator: (init_declarator declarator: (identifier) @name)) @variable
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @variable
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @variable
(declaration declarator: (identifier) @name) @variable
(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  ]) @prototype
(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ]) @field
(enumerator name: (_) @name) @field
(preproc_include) @import

;; references
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call.member))
(field_identifier) @member
(identifier) @name
(type_identifier) @name
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
(parameter_declaration declarator: (array_declarator declarator: (identifier) @local))
(init_declarator declarator: (identifier) @local)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
(declaration declarator: (identifier) @local)
(comment) @comment
