(message (message_name (identifier) @name) (message_body) @body) @class
(enum (enum_name (identifier) @name) (enum_body) @body) @enum
(service (service_name (identifier) @name)) @interface
(rpc (rpc_name (identifier) @name)) @method.inline
(field (identifier) @name) @field
(enum_field (identifier) @name) @field
(import) @import
(package) @skip

;; references
(message_or_enum_type) @name
(comment) @comment
