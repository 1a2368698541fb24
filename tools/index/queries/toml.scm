(table . [(bare_key) (quoted_key) (dotted_key)] @name) @key
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @key
(pair . [(bare_key) (quoted_key) (dotted_key)] @name) @key

;; references
(comment) @comment
