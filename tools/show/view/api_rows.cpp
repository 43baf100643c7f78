// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers `rows` and `call`: the slices of a picture, and one call.

#include "show/view/api.h"

#include "foundation/json.h"
#include "show/view/call_details.h"

#include <algorithm>
#include <cstring>

namespace nophook {

namespace {

constexpr uint32_t kRowsMagic = 0x5752504e; // "NPRW", little endian
constexpr size_t kMostSlices = 20000;       // of one answer, if merging can achieve it

struct RowsHeader {
  uint32_t magic;
  uint32_t count;
  double from, to, column;
};
static_assert(sizeof(RowsHeader) == 32);

struct RowRecord {
  uint32_t thread;
  uint16_t depth;
  uint8_t flags;
  uint8_t busy;
  uint32_t function;
  uint32_t calls;
  double start, duration;
};
static_assert(sizeof(RowRecord) == 32);

} // namespace

ViewAnswer ViewApi::rows(const ViewQuery &query) {
  RowsQuery asked;
  asked.from = from(query);
  asked.to = std::max(to(query), asked.from + 1);
  asked.depths = query.integer<uint32_t>("depths", UINT16_MAX, 1, UINT16_MAX);
  double columns = std::clamp(query.number("columns", 1600), 1.0, 100000.0);
  const double width = (double)(asked.to - asked.from) / columns;
  const std::vector<uint32_t> wanted = threads(query);
  struct Part {
    uint32_t thread;
    std::vector<Slice> slices;
  };
  std::vector<Part> parts;
  for (asked.column = clamped<uint64_t>(width, 1);; asked.column *= 4) {
    size_t blocks = kMostBlocksForRows, count = 0;
    parts.clear();
    for (uint32_t number : wanted) {
      parts.push_back(
          {number,
           merge_to_columns(slices_of(index_, *tracks_.at(number), asked, &blocks), asked.column)});
      count += parts.back().slices.size();
    }
    if (count <= kMostSlices || asked.column > asked.to - asked.from)
      break;
  }
  std::string body;
  RowsHeader header = {kRowsMagic, 0, (double)asked.from, (double)asked.to, width};
  body.resize(sizeof header);
  for (const Part &part : parts)
    for (const Slice &slice : part.slices) {
      RowRecord record = {part.thread,    slice.depth, slice.flags,         slice.busy,
                          slice.function, slice.calls, (double)slice.start, (double)slice.duration};
      body.append(reinterpret_cast<const char *>(&record), sizeof record);
      header.count++;
    }
  std::memcpy(body.data(), &header, sizeof header);
  return {200, "application/octet-stream", std::move(body)};
}

ViewAnswer ViewApi::call(const ViewQuery &query) {
  tracks_.update();
  const double thread = query.number("thread", -1);
  auto place = thread < 0 ? std::nullopt : tracks_.at(clamped<size_t>(thread));
  if (!place)
    return refuse(404, "there is no such thread");
  auto details =
      details_of(index_, names_, *place, query.integer<uint32_t>("depth", 0, 0, UINT32_MAX),
                 query.integer<uint64_t>("at", 0, 0, kMostTime));
  if (!details)
    return refuse(404, "no call is recorded there");
  const Slice &call = details->call;
  const bool has_begin = !(call.flags & Slice::kNoBegin);
  const bool has_end = !(call.flags & (Slice::kEndNotRead | Slice::kInstant | Slice::kOpenAtEnd));
  Json arguments = Json::list(), callers = Json::list();
  for (const std::string &argument : details->arguments)
    arguments.push(argument);
  for (const Slice &caller : details->callers)
    callers.push({{"function", caller.function},
                  {"begin", caller.flags & Slice::kNoBegin ? Json() : Json(caller.start)},
                  {"depth", (uint32_t)caller.depth}});
  Json answer = {{"function", call.function}};
  answer.add("begin", has_begin ? Json(call.start) : Json());
  answer.add("end", has_end ? Json(call.end()) : Json());
  answer.add("how", details->how);
  answer.add("own", details->own);
  answer.add("arguments", arguments)
      .add("result", details->result)
      .add("cpu", details->cpu ? Json(*details->cpu) : Json());
  std::vector<FunctionNumbers::Function> all = index_.functions().all();
  answer.add("file", call.function < all.size() ? names_.source(all[call.function]) : "");
  answer.add("callers", callers).add("calls", Json());
  return {.body = answer.text()};
}

} // namespace nophook
