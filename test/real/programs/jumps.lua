-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- longjmp through many C frames: errors, coroutines that yield, finalizers, a stack overflow.
local errors = 0
for i = 1, 20000 do
  local ok = pcall(table.sort, {3, 2, 1}, function() error("up") end)
  errors = errors + (ok and 0 or 1)
end
print("errors " .. errors)
local sum = 0
for round = 1, 500 do
  for v in coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end) do sum = sum + v end
end
print("yields " .. sum)
local closed = 0
for i = 1, 2000 do
  local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() closed = closed + 1 end}) coroutine.yield() end)
  coroutine.resume(co)
  coroutine.close(co)
end
print("closed " .. closed)
local function deep(s) return (s:gsub(".", deep)) end
for i = 1, 50 do
  local ok, message = pcall(deep, "x")
  assert(not ok and message:find("C stack overflow"))
end
print(select("#", string.byte(("x"):rep(200), 1, -1)), ("%q"):format("\0\n"), (("a,b,c"):gsub(",", "%%")))
