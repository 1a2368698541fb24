[(type_definition) (type_extension)] @outer
[
  (object_type_definition (name) @name) (object_type_extension (name) @name) (input_object_type_definition (name) @name)
] @class
(interface_type_definition (name) @name) @interface
(enum_type_definition (name) @name) @enum
[(union_type_definition (name) @name) (scalar_type_definition (name) @name)] @type
(operation_definition (name) @name) @function
(fragment_definition (fragment_name (name) @name)) @function
(directive_definition (name) @name) @function.inline
(fields_definition (field_definition (name) @name) @field)
(input_fields_definition (input_value_definition (name) @name) @field)
(enum_value (name) @name) @field

;; references
(named_type (name) @name)
(field (name) @name)
(fragment_spread (fragment_name (name) @name))
(comment) @comment
