-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- A call-heavy script: nearly all of its time goes to short calls inside the interpreter,
-- about ten nanoseconds each. It ends with one line: the processor time that its process has
-- used since it began (user + system, start-up included), in seconds.

local n = tonumber(arg and arg[1]) or 1000000
local max, byte, select = math.max, string.byte, select

local function fib(i)
  return i < 2 and i or fib(i - 1) + fib(i - 2)
end

local sum = 0
for i = 1, n do
  sum = sum + max(i, 3) + select("#", i, sum)
end
sum = sum + fib(22)
print(("sum %d, processor time %.6f"):format(sum, os.clock()))
