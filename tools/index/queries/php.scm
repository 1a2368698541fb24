(class_declaration name: (_) @name body: (_) @body) @class
(trait_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(method_declaration name: (_) @name body: (_) @body) @method
(method_declaration name: (_) @name !body) @method.inline
(function_definition name: (_) @name body: (_) @body) @function
(const_element . (name) @name) @constant
(property_element name: (variable_name (name) @name)) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
(enum_case name: (_) @name) @field
(namespace_use_declaration) @import
[
  (require_expression) (require_once_expression) (include_expression) (include_once_expression)
] @import
(namespace_definition name: (_) @skip)

;; references
(function_call_expression function: (name) @call.member)
(function_call_expression function: (qualified_name (name) @call.member))
(member_call_expression name: (name) @call.member)
(nullsafe_member_call_expression name: (name) @call.member)
(scoped_call_expression name: (name) @call.member)
(object_creation_expression (name) @call.member)
(object_creation_expression (qualified_name (name) @call.member))
(variable_name (name) @ignore)
(name) @name
(comment) @comment
