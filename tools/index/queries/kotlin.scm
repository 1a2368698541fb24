(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @enum
(class_declaration (type_identifier) @name (class_body)? @body) @class
(object_declaration (type_identifier) @name (class_body)? @body) @class
(type_alias (type_identifier) @name) @type
(function_declaration
  receiver: (receiver_type (user_type (type_identifier) @scope))
  (simple_identifier) @name
  (function_body) @body) @function
(function_declaration (simple_identifier) @name (function_body) @body) @function
(function_declaration (simple_identifier) @name) @function.inline
(secondary_constructor "constructor" @name) @method
(property_declaration (variable_declaration (simple_identifier) @name)) @variable
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @field
(enum_entry (simple_identifier) @name) @field
(import_header) @import
(package_header) @skip

;; references
(call_expression (simple_identifier) @call)
(call_expression (navigation_expression (navigation_suffix (simple_identifier) @call.member)))
(constructor_invocation (user_type (type_identifier) @call.member))
(navigation_suffix (simple_identifier) @member)
(simple_identifier) @name
(type_identifier) @name
(parameter (simple_identifier) @local)
(lambda_parameters (variable_declaration (simple_identifier) @local))
(property_declaration (variable_declaration (simple_identifier) @local))
(for_statement (variable_declaration (simple_identifier) @local))
(type_parameter (type_identifier) @local)
[(line_comment) (multiline_comment)] @comment
