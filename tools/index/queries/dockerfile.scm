(from_instruction as: (image_alias) @name) @key
(arg_instruction name: (_) @name) @key
(env_pair name: (_) @name) @key

;; references
(image_alias) @name
(variable) @name
(comment) @comment
