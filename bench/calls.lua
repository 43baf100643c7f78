-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- A call-heavy script: about 15 million calls of C functions inside the interpreter in 0.17 s,
-- so one about every 11 ns. Recursion calls little but often, library functions call many
-- small ones, and in between the interpreter's loop works on its own: the mix of the runs
-- that the budget was set by. The argument scales it. It ends with one line: the processor
-- time that its process has used since it began (user + system, start-up included).

local scale = tonumber(arg and arg[1]) or 1
local max, select = math.max, select

local function fib(i)
  return i < 2 and i or fib(i - 1) + fib(i - 2)
end

local function library(n)
  local sum = 0
  for i = 1, n do
    sum = sum + max(i, 3) + select("#", i, sum)
  end
  return sum
end

local function mix(n)
  local ring, at = {}, 1
  for i = 1, 64 do
    ring[i] = i
  end
  for i = 1, n do
    ring[at] = ring[at] ~ i
    at = at % 64 + 1
  end
  return ring[1]
end

local sum = 0
for _ = 1, scale do
  sum = sum + fib(31) + library(680000) + mix(5500000)
end
print(("sum %d, processor time %.6f"):format(sum, os.clock()))
