(template_declaration) @outer
(class_specifier name: (_) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @module
(function_definition
  declarator: [
    (function_declarator declarator: [(field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))
  ]
  body: (_) @body) @function
(function_definition
  declarator: (function_declarator declarator: [(identifier) (destructor_name) (operator_name)] @name)
  !body) @function.inline
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]) @method.inline
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type

;; references
(call_expression function: (qualified_identifier name: (identifier) @call.member))
(call_expression function: (qualified_identifier name: (template_function name: (identifier) @call.member)))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @call.member)))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (field_expression field: (template_method name: (field_identifier) @call.member)))
(new_expression type: (type_identifier) @call.member)
(parameter_declaration declarator: (reference_declarator (identifier) @local))
(init_declarator declarator: (reference_declarator (identifier) @local))
(optional_parameter_declaration declarator: (identifier) @local)
(for_range_loop declarator: (identifier) @local)
(type_parameter_declaration (type_identifier) @local)
