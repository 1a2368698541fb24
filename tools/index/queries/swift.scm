(class_declaration "enum" name: (_) @name body: (_) @body) @enum
(class_declaration "extension" name: (_) @name body: (_) @body) @impl
(class_declaration name: (_) @name body: (_) @body) @class
(protocol_declaration name: (_) @name body: (_) @body) @interface
(function_declaration name: (simple_identifier) @name body: (_) @body) @function
(init_declaration "init" @name body: (_) @body) @method
(deinit_declaration "deinit" @name body: (_) @body) @method
(protocol_function_declaration name: (simple_identifier) @name) @method.inline
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(typealias_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @field
(import_declaration) @import

;; references
(call_expression (simple_identifier) @call)
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call.member)))
(navigation_suffix suffix: (simple_identifier) @member)
(parameter external_name: (simple_identifier) @ignore)
(value_argument_label (simple_identifier) @ignore)
(simple_identifier) @name
(type_identifier) @name
(parameter name: (simple_identifier) @local)
(property_declaration name: (pattern bound_identifier: (simple_identifier) @local))
(lambda_parameter name: (simple_identifier) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local))
(type_parameter (type_identifier) @local)
[(comment) (multiline_comment)] @comment
