(Decl (FnProto function: (IDENTIFIER) @name) (Block)? @body) @function
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl))))) @class
(TestDecl (STRINGLITERALSINGLE) @name (Block) @body) @test
(Decl (VarDecl (ErrorUnionExpr (SuffixExpr (BUILTINIDENTIFIER) @_builtin (FnCallArguments)))) (#eq? @_builtin "@import")) @import
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name)) @variable
(ContainerField field_member: (IDENTIFIER) @name) @field

;; references
(SuffixExpr variable_type_function: (IDENTIFIER) @call . (FnCallArguments))
(FieldOrFnCall function_call: (IDENTIFIER) @call.member)
(FieldOrFnCall field_access: (IDENTIFIER) @member)
(IDENTIFIER) @name
(ParamDecl parameter: (IDENTIFIER) @local)
[(line_comment) (doc_comment)] @comment
