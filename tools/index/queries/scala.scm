(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @interface
(enum_definition name: (_) @name body: (_)? @body) @enum
(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function.inline
(type_definition name: (_) @name) @type
(val_definition pattern: (identifier) @name) @variable
(var_definition pattern: (identifier) @name) @variable
(val_declaration name: (identifier) @name) @variable
(class_parameter name: (identifier) @name) @field
(simple_enum_case name: (_) @name) @field
(full_enum_case name: (_) @name) @field
(import_declaration) @import
(package_clause name: (_) @skip)

;; references
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call.member))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (field_expression field: (identifier) @call.member)))
(instance_expression (type_identifier) @call.member)
(instance_expression (generic_type type: (type_identifier) @call.member))
(field_expression field: (identifier) @member)
(identifier) @name
(type_identifier) @name
(parameter name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local)
(val_definition pattern: (identifier) @local)
(var_definition pattern: (identifier) @local)
[(comment) (block_comment)] @comment
