(ambient_declaration) @outer
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(internal_module name: (_) @name body: (_) @body) @module
(module name: (_) @name body: (_) @body) @module
(public_field_definition
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(public_field_definition name: (_) @name) @field
(function_signature name: (_) @name) @function.inline
(method_signature name: (_) @name) @method.inline
(abstract_method_signature name: (_) @name) @method.inline
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(interface_body (property_signature name: (_) @name) @field)
(enum_body (property_identifier) @name @field)
(enum_body (enum_assignment name: (_) @name) @field)

;; references
(call_expression function: (non_null_expression (member_expression property: (_) @call.member)))
(type_identifier) @name
(type_parameter name: (type_identifier) @local)
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
