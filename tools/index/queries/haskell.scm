(function name: (variable) @name) @function
(bind name: (variable) @name) @function
(signature name: (variable) @name) @function.inline
(data_type name: (_) @name) @class
(newtype name: (_) @name) @class
(type_synomym name: (_) @name) @type
(class name: (_) @name) @interface
(data_constructor (prefix name: (_) @name)) @field
(import) @import

;; references
(apply function: (variable) @call)
(apply function: (qualified id: (variable) @call.member))
(variable) @name
(constructor) @name
(name) @name
(function (patterns (variable) @local))
[(comment) (haddock)] @comment
