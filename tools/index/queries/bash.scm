(function_definition name: (word) @name body: (_) @body) @function
(variable_assignment name: (variable_name) @name) @variable
(command name: (command_name) @_source . argument: (_) (#any-of? @_source "source" ".")) @import

;; references
(command_name (word) @call)
(variable_name) @name
(declaration_command "local" (variable_assignment name: (variable_name) @local))
(comment) @comment
