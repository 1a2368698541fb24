(rule (targets . (word) @name) (#not-match? @name "^\\.")) @block
(variable_assignment name: (word) @name) @key
(include_directive) @import

;; references
(prerequisites (word) @name)
(variable_reference (word) @name)
(comment) @comment
