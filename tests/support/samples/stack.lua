local json = require("json")

local Stack = {}
LIMIT = 10

--- Pushes a value.
function Stack.push(self, value)
  table.insert(self.items, value)
end

function Stack:pop()
  return helper(self)
end

local function helper(s) return s.items end

local peek = function(s) return s end

return Stack
