(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @enum
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(method_declaration name: (_) @name body: (_) @body) @method
(method_declaration name: (_) @name !body) @method.inline
(constructor_declaration name: (_) @name body: (_) @body) @method
(compact_constructor_declaration name: (_) @name body: (_) @body) @method
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @field
(enum_constant name: (_) @name) @field
(import_declaration) @import
(package_declaration) @skip

;; references
(method_invocation name: (identifier) @call.member)
(object_creation_expression type: (type_identifier) @call.member)
(object_creation_expression type: (generic_type (type_identifier) @call.member))
(method_reference (identifier) @member .)
(field_access field: (identifier) @member)
(identifier) @name
(type_identifier) @name
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(resource name: (identifier) @local)
(type_parameter (type_identifier) @local)
[(line_comment) (block_comment)] @comment
