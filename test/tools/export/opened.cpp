// speedscope itself opens four formats in Chromium, and d3-flame-graph draws one of them: the functions and times that it reads and shows are those of `report --top`; where there is a time axis, so is each call.
// RUN: %traced_cxx -O1 %S/costs.cpp -o %t -pthread && %nophook record --args --retval -o %t.data -- %t && %nophook report --top 1000 --json --names short %t.data > %t.top
// RUN: %nophook export --format speedscope -o %t.speedscope.json %t.data && %debian_python %S/Inputs/fits.py %src/speedscope/dist/release/file-format-schema.json %t.speedscope.json
// RUN: %nophook export --format chrome -o %t.json %t.data && %nophook export --format folded -o %t.folded %t.data && %nophook export --format pprof -o %t.pb %t.data
// RUN: %browses %S/Inputs/speedscope.mjs %t.speedscope.json %t.json %t.folded %t.pb
// RUN: %python %S/Inputs/same_costs.py opened %t.speedscope.json.read %t.top - %t.speedscope.json.shown
// RUN: %python %S/Inputs/same_costs.py opened %t.json.read %t.top - %t.json.shown
// RUN: %python %S/Inputs/same_costs.py opened_stacks %t.folded.read %t.top - %t.folded.shown
// RUN: %python %S/Inputs/same_costs.py opened_stacks %t.pb.read %t.top - %t.pb.shown
// RUN: %browses %S/Inputs/flame_graph.mjs %t.folded %t.svg && %python %S/Inputs/same_costs.py flame_graph %t.svg %t.top
// A file that it cannot read fails.
// RUN: echo '{"no": "profile"}' > %t.none.json && not %browses %S/Inputs/speedscope.mjs %t.none.json
