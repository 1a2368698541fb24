(mixin_statement name: (_) @name) @function
(function_statement name: (_) @name) @function
(rule_set (selectors [(class_selector (class_name) @name .) (id_selector (id_name) @name .)] @key))
(declaration (property_name) @name (#match? @name "^(--|\\$)")) @key
[(use_statement) (import_statement) (forward_statement)] @import

;; references
(include_statement (identifier) @call.member)
(call_expression (function_name) @call.member)
(variable) @name
[(comment) (js_comment)] @comment
