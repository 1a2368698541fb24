(class_definition name: (_) @name body: (_) @body) @class
(mixin_declaration (identifier) @name) @class
(extension_declaration name: (_) @name) @class
(enum_declaration name: (_) @name body: (_) @body) @enum
(type_alias (type_identifier) @name) @type
((function_signature name: (_) @name) @function . (function_body) @body)
((method_signature (function_signature name: (_) @name)) @method . (function_body) @body)
((method_signature (getter_signature name: (_) @name)) @method . (function_body) @body)
((method_signature (constructor_signature name: (_) @name)) @method . (function_body) @body)
((method_signature (factory_constructor_signature . (identifier) @name)) @method . (function_body) @body)
(constructor_signature name: (_) @name) @method.inline
(static_final_declaration (identifier) @name) @variable
(initialized_identifier (identifier) @name) @field
(enum_constant name: (_) @name) @field
(import_or_export) @import

;; references
((identifier) @call . (selector (argument_part)))
((unconditional_assignable_selector (identifier) @member))
((selector (unconditional_assignable_selector (identifier) @call.member)) . (selector (argument_part)))
(identifier) @name
(type_identifier) @name
(formal_parameter name: (identifier) @local)
(initialized_variable_definition name: (identifier) @local)
[(comment) (documentation_comment)] @comment
