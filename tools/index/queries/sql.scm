(create_table (object_reference name: (_) @name)) @class
(create_view (object_reference name: (_) @name)) @class
(create_materialized_view (object_reference name: (_) @name)) @class
(create_type (object_reference name: (_) @name)) @class
(create_function (object_reference name: (_) @name)) @function
(create_trigger (object_reference name: (_) @name)) @function
(create_index column: (identifier) @name) @key
(column_definition name: (_) @name) @field

;; references
(invocation (object_reference name: (identifier) @call.member))
(object_reference name: (identifier) @name)
[(comment) (marginalia)] @comment
