-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- The program that ./do demo traces: three everyday loads of an interpreter, each with its own shape of call graph. The
-- argument scales the work (default 40); the output is the same every time.

local scale = tonumber(arg and arg[1]) or 40

-- Recursion in Lua: the interpreter's loop stays one C frame, its calls are luaD_precall.
local function fib(n)
  return n < 2 and n or fib(n - 1) + fib(n - 2)
end

-- Strings: buffers, interning, and the collector that cleans up behind them.
local function build(lines)
  local parts = {}
  for i = 1, lines do
    parts[#parts + 1] = ("%05d:%s"):format(i * 7919 % lines, ("ab"):rep(i % 5))
  end
  local text = table.concat(parts, "\n")
  return text, select(2, text:gsub("a%f[b]", string.upper))
end

-- Sorting with a comparison in Lua: C calls Lua calls C, so frames nest.
local function sorted(text)
  local lines = {}
  for line in text:gmatch("[^\n]+") do
    lines[#lines + 1] = line
  end
  table.sort(lines, function(a, b)
    return a < b
  end)
  return lines
end

local n = 15 + math.floor(math.log(scale, 1.618) + 0.5)
print(("fib(%d) = %d"):format(n, fib(n)))
local text, hits = build(1000 * scale)
print(("built %d bytes, replaced %d"):format(#text, hits))
local lines = sorted(text)
print(("sorted %d lines, first %s, last %s"):format(#lines, lines[1], lines[#lines]))
