(call
  target: (identifier) @_word
  (arguments (alias) @name)
  (do_block) @body
  (#any-of? @_word "defmodule" "defprotocol")) @class
(call
  target: (identifier) @_word
  (arguments [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])
  (#any-of? @_word "def" "defp" "defmacro" "defmacrop" "defguard" "defdelegate")) @function
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments [(integer) (string) (list) (map) (atom)]))
  (#not-match? @name "^(doc|moduledoc|typedoc|spec|impl|since)$")) @constant
(call
  target: (identifier) @_word
  (arguments [(alias) (dot)])
  (#any-of? @_word "alias" "import" "use" "require")) @import

;; references
(call target: (identifier) @ignore
  (#any-of? @ignore "def" "defp" "defmodule" "defmacro" "alias" "import" "use" "require" "do" "if" "case" "cond"))
(call target: (identifier) @call)
(call target: (dot right: (identifier) @call.member))
(identifier) @name
(alias) @name
(unary_operator operator: "@" operand: (call target: (identifier) @_word (#any-of? @_word "doc" "moduledoc" "spec" "impl"))) @attribute
(comment) @comment
