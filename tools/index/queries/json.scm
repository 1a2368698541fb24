(pair key: (string (string_content) @name)) @key

;; references
(comment) @comment
