(function_item name: (identifier) @name body: (_) @body) @function
(function_signature_item name: (identifier) @name) @function.inline
[(struct_item name: (_) @name) (union_item name: (_) @name)] @class
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @interface
(type_item name: (_) @name) @type
(impl_item type: (_) @name body: (_) @body) @impl
(mod_item name: (_) @name body: (_) @body) @module
(mod_item name: (_) !body) @import
[(const_item name: (identifier) @name) (static_item name: (identifier) @name)] @constant
(macro_definition name: (_) @name) @function
(field_declaration name: (_) @name) @field
(enum_variant name: (_) @name) @field
[(use_declaration) (extern_crate_declaration)] @import

;; references
(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier name: (identifier) @call.member))
(call_expression function: (field_expression field: (field_identifier) @call.member))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @call.member)))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @call.member)))
(macro_invocation macro: (identifier) @call.member)
(macro_invocation macro: (scoped_identifier name: (identifier) @call.member))
(token_tree (identifier) @call . (token_tree . "("))
(struct_expression name: (type_identifier) @call)
(scoped_identifier name: (identifier) @member)
(field_identifier) @member
(shorthand_field_identifier) @member
(identifier) @name
(type_identifier) @name
(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(for_expression pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(type_parameter name: (type_identifier) @local)
(attribute (identifier) @ignore)
(attribute_item) @attribute
[(line_comment) (block_comment)] @comment
