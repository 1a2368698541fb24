;; references
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @call.member))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (member_expression property: (_) @call.member))
(jsx_opening_element name: (identifier) @ignore (#match? @ignore "^[a-z]"))
(jsx_self_closing_element name: (identifier) @ignore (#match? @ignore "^[a-z]"))
(jsx_closing_element name: (_) @ignore)
