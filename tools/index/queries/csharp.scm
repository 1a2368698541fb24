[(class_declaration name: (_) @name body: (_) @body) (struct_declaration name: (_) @name body: (_) @body)] @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name body: (_) @body) @method
(method_declaration name: (_) @name !body) @method.inline
(constructor_declaration name: (_) @name body: (_) @body) @method
(destructor_declaration name: (_) @name body: (_) @body) @method
(local_function_statement name: (_) @name body: (_) @body) @function
(property_declaration name: (_) @name) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(enum_member_declaration name: (_) @name) @field
(using_directive) @import
(file_scoped_namespace_declaration name: (_) @skip)
(namespace_declaration name: (_) @skip)

;; references
(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression name: (identifier) @call.member))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @call.member)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @call.member)))
(object_creation_expression type: (identifier) @call.member)
(object_creation_expression type: (generic_name (identifier) @call.member))
(object_creation_expression type: (qualified_name name: (identifier) @call.member))
(member_access_expression name: (identifier) @member)
(identifier) @name
(parameter name: (identifier) @local)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(type_parameter name: (identifier) @local)
(comment) @comment
