-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- So many calls of string.format as a line says, then an answer; `end` ends it.
for line in io.lines() do
  if line == "end" then break end
  for i = 1, tonumber(line) do string.format("%d", i) end
  print("done")
  io.flush()
end
print("the answer")
