(module name: (_) @name) @module
(class name: (_) @name) @class
(method name: (_) @name body: (_)? @body) @method
(singleton_method name: (_) @name body: (_)? @body) @method
(assignment left: (constant) @name) @constant
(call
  method: (identifier) @_accessor
  arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_accessor "attr_reader" "attr_writer" "attr_accessor")) @field
(call
  method: (identifier) @_word
  arguments: (argument_list . [(string) (constant)] @name)
  block: (_) @body
  (#any-of? @_word "it" "specify" "test" "scenario")) @test
(call
  method: (identifier) @_word
  arguments: (argument_list . [(string) (constant)] @name)
  block: (_) @body
  (#any-of? @_word "describe" "context" "feature")) @suite
(call
  method: (identifier) @_require
  arguments: (argument_list . (string))
  (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

;; references
(call method: (identifier) @call.member)
(call method: (constant) @call.member)
(identifier) @name
(constant) @name
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(exception_variable (identifier) @local)
(comment) @comment
