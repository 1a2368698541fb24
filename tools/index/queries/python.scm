(decorated_definition) @outer
(function_definition name: (identifier) @name body: (block) @body) @function
(class_definition name: (identifier) @name body: (block) @body) @class
(type_alias_statement left: (type (identifier) @name)) @type
(module (assignment left: (identifier) @name) @variable)
(module (assignment left: (pattern_list (identifier) @name)) @variable)
(module (if_statement (block (assignment left: (identifier) @name) @variable)))
(module (try_statement (block (assignment left: (identifier) @name) @variable)))
(class_definition body: (block (assignment left: (identifier) @name) @field))
[(import_statement) (import_from_statement) (future_import_statement)] @import

;; references
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call.member))
(attribute attribute: (identifier) @member)
(keyword_argument name: (identifier) @ignore)
(identifier) @name
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter . (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(assignment left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
(comment) @comment
