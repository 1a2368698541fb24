[(type_declaration) (const_declaration) (var_declaration)] @outer
(function_declaration name: (identifier) @name body: (block)? @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @scope))
  name: (field_identifier) @name
  body: (block)? @body) @method
(type_spec name: (_) @name type: (struct_type)) @class
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(const_spec name: (identifier) @name) @constant
(var_spec name: (identifier) @name) @variable
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @field)))
(type_spec type: (interface_type (method_elem name: (_) @name) @method.inline))
(import_spec) @import
(package_clause) @skip

;; references
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (_) @call.member))
(selector_expression field: (_) @member)
(keyed_element key: (literal_element (identifier) @member))
(identifier) @name
(type_identifier) @name
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec name: (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
(comment) @comment
