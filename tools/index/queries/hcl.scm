(config_file (body (block (identifier) @name . (string_lit (template_literal) @name) . (string_lit (template_literal) @name)) @block))
(config_file (body (block (identifier) @name . (string_lit (template_literal) @name)) @block))
(config_file (body (block (identifier) @name . (block_start)) @block))
(config_file (body (attribute (identifier) @name) @key))

;; references
(function_call (identifier) @call.member)
(get_attr (identifier) @name)
(comment) @comment
