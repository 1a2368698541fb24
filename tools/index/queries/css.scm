(keyframes_statement (keyframes_name) @name) @key
(rule_set (selectors [(class_selector (class_name) @name .) (id_selector (id_name) @name .)] @key))
(declaration (property_name) @name (#match? @name "^--")) @key
(import_statement) @import

;; references
(call_expression (arguments (plain_value) @name (#match? @name "^--")))
(comment) @comment
