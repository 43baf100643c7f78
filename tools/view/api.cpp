// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "view/api.h"

#include "base/json.h"
#include "view/block_reader.h"
#include "view/call_details.h"
#include "view/step_slice.h"
#include "view/view_selection.h"

#include <algorithm>
#include <cmath>
#include <fnmatch.h>
#include <llvm/ADT/StringExtras.h>

namespace nophook {

namespace {

constexpr uint32_t kRowsMagic = 0x5752504e; // "NPRW", little endian
constexpr size_t kMostSlices = 20000;       // of one answer, if merging makes that possible
constexpr size_t kMostTreeNodes = 20000;
constexpr size_t kMostSpans = 5000;

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

ViewAnswer refuse(int status, const std::string &problem) {
  return {status, "application/json", Json({{"error", problem}}).text()};
}

Json numbers(std::initializer_list<uint64_t> values) {
  Json list = Json::list();
  for (uint64_t value : values)
    list.push(value);
  return list;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    uint8_t byte;
    if (text[i] == '%' && i + 2 < text.size() &&
        llvm::tryGetHexFromNibbles(text[i + 1], text[i + 2], byte))
      out += (char)byte, i += 2;
    else
      out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

} // namespace

ViewQuery::ViewQuery(std::string_view text) {
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    size_t equals = part.find('=');
    if (equals != std::string_view::npos)
      values_[decoded(part.substr(0, equals))] = decoded(part.substr(equals + 1));
  }
}

std::string ViewQuery::text(const std::string &name) const {
  auto at = values_.find(name);
  return at == values_.end() ? "" : at->second;
}

double ViewQuery::number(const std::string &name, double otherwise) const {
  std::string value = text(name);
  char *end = nullptr;
  double number = std::strtod(value.c_str(), &end);
  return value.empty() || *end || !std::isfinite(number) ? otherwise : number;
}

std::vector<uint32_t> ViewQuery::numbers(const std::string &name) const {
  std::vector<uint32_t> all;
  std::string value = text(name);
  const char *at = value.c_str();
  while (*at) {
    char *end;
    unsigned long number = std::strtoul(at, &end, 10);
    if (end == at)
      break;
    all.push_back((uint32_t)number);
    at = *end == ',' ? end + 1 : end;
  }
  return all;
}

ViewAnswer ViewApi::answer(const std::string &what, const ViewQuery &query) {
  if (what == "recording")
    return {.body = recording_json()};
  if (what == "functions")
    return {.body = functions_json()};
  if (what == "events")
    return {.body = events_json(query)};
  if (what == "rows")
    return rows(query);
  if (what == "call")
    return call(query);
  if (what == "search")
    return search(query);
  if (what == "hits")
    return hits(query);
  if (what == "selection")
    return selection(query);
  return refuse(404, "there is no api/" + what);
}

uint64_t ViewApi::from(const ViewQuery &query) const {
  return (uint64_t)std::clamp(query.number("from", 0), 0.0, 9e15);
}

// The end is included: the last event of all belongs to the whole.
uint64_t ViewApi::to(const ViewQuery &query) const {
  double end = query.number("to", (double)index_.duration());
  return (uint64_t)std::clamp(std::ceil(end), 0.0, 9e15);
}

std::vector<uint32_t> ViewApi::threads(const ViewQuery &query) {
  size_t count = tracks_.update();
  std::vector<uint32_t> all = query.numbers("threads");
  if (!query.has("threads"))
    for (uint32_t i = 0; i < count; i++)
      all.push_back(i);
  std::erase_if(all, [&](uint32_t number) { return number >= count; });
  return all;
}

std::string ViewApi::recording_json() {
  Recording &recording = index_.recording();
  Json processes = Json::list(), threads = Json::list();
  for (const auto &[number, process] : recording.processes())
    processes.push({{"index", number},
                    {"pid", process.pid},
                    {"ppid", process.ppid},
                    {"name", printable(process.comm)}});
  size_t count = tracks_.update();
  uint64_t calls = 0;
  for (size_t i = 0; i < count; i++) {
    Tracks::Place place = *tracks_.at(i);
    std::lock_guard guard(place.stream->lock);
    const IndexedStream &stream = *place.stream;
    const IndexedTrack &track = *stream.tracks[place.track];
    const RecordedStream &recorded = recording.streams().at(stream.stream);
    auto process = recording.processes().find(recorded.process);
    calls += track.calls;
    Json thread = {{"id", (uint64_t)i},
                   {"process", recorded.process},
                   {"pid", process == recording.processes().end() ? 0 : process->second.pid},
                   {"tid", recorded.tid},
                   {"name", track.stack ? fmt::format("{} (stack {})", stream.name, track.stack)
                                        : stream.name}};
    thread.add("depth", track.depth).add("calls", track.calls);
    thread.add("events", track.stack ? uint64_t{0} : recorded.events);
    thread.add("first", track.calls ? track.first : 0).add("last", track.last);
    thread.add("lost", track.stack ? uint64_t{0} : recorded.lost).add("ended", stream.ended);
    threads.push(thread);
  }
  const RecordedProcess *first =
      recording.processes().empty() ? nullptr : &recording.processes().begin()->second;
  const uint64_t events = recording.events();
  Json answer = {{"format", 1},
                 {"name", printable(recording.path().substr(recording.path().rfind('/') + 1))}};
  std::string command;
  for (const std::string &word : recording.info().texts("command"))
    command += (command.empty() ? "" : " ") + printable(word);
  answer.add("command", command);
  answer.add("tracer", recording.info().text("tracer"));
  answer.add("clock", first ? first->clock : "");
  answer.add("unit", recording.clock().counts_events ? "events" : "ns");
  answer.add("duration", index_.duration()).add("events", events).add("calls", calls);
  answer.add("lost", recording.lost()).add("overwritten", recording.overwritten());
  answer.add("damage", printable(index_.damage()));
  answer.add("indexed", index_.complete ? 1.0
                        : events ? std::min(0.999, (double)index_.events_read / (double)events)
                                 : 0.999);
  answer.add("index_error",
             index_.file() && index_.file()->failed()
                 ? "the index could not be written (is the disk full?): parts of the timeline are "
                   "missing"
             : index_.damaged() ? "the index is damaged: parts of the timeline are missing; delete "
                                  "the file .index beside the recording and open it again"
                                : "");
  Json notes = Json::list();
  for (const std::string &note : names_.notes())
    notes.push(note);
  answer.add("notes", notes);
  answer.add("processes", processes).add("threads", threads);
  return answer.text();
}

void ViewApi::update_names() {
  std::lock_guard guard(known_lock_);
  for (ViewNames::Name &name : names_.names(index_.functions(), known_.size()))
    known_.push_back(std::move(name));
}

std::string ViewApi::functions_json() {
  update_names();
  std::lock_guard guard(known_lock_);
  Json readable = Json::list(), full = Json::list(), file = Json::list(), module = Json::list();
  for (const ViewNames::Name &name : known_) {
    readable.push(name.readable);
    full.push(name.full);
    file.push("");
    module.push(name.module);
  }
  return Json({{"short", readable}, {"full", full}, {"file", file}, {"module", module}}).text();
}

std::string ViewApi::events_json(const ViewQuery &query) {
  const uint64_t begin = from(query), end = to(query);
  const auto limit = (uint64_t)std::clamp(query.number("limit", 2000), 0.0, 100000.0);
  Json marks = Json::list(), losses = Json::list(), ends = Json::list();
  uint64_t given = 0, left_out = 0;
  for (uint32_t number : threads(query)) {
    Tracks::Place place = *tracks_.at(number);
    std::lock_guard guard(place.stream->lock);
    if (place.track != 0) // the thread's notes are at its first stack
      continue;
    left_out += place.stream->notes_left_out;
    for (const IndexedNote &note : place.stream->notes) {
      if (note.time < begin || note.from > end)
        continue;
      if (given++ >= limit) {
        left_out++;
        continue;
      }
      if (note.kind == IndexedNote::kMark)
        marks.push({{"thread", number}, {"time", note.time}, {"text", note.text}});
      else if (note.kind == IndexedNote::kLoss)
        losses.push(
            {{"thread", number}, {"from", note.from}, {"to", note.time}, {"events", note.lost}});
      else
        ends.push({{"thread", number}, {"time", note.time}});
    }
  }
  return Json({{"marks", marks}, {"losses", losses}, {"ends", ends}, {"left_out", left_out}})
      .text();
}

ViewAnswer ViewApi::rows(const ViewQuery &query) {
  RowsQuery asked;
  asked.from = from(query);
  asked.to = std::max(to(query), asked.from + 1);
  asked.depths = (uint32_t)std::clamp(query.number("depths", UINT16_MAX), 1.0, (double)UINT16_MAX);
  double columns = std::clamp(query.number("columns", 1600), 1.0, 100000.0);
  const double width = (double)(asked.to - asked.from) / columns;
  const std::vector<uint32_t> wanted = threads(query);
  struct Part {
    uint32_t thread;
    std::vector<Slice> slices;
  };
  std::vector<Part> parts;
  for (asked.column = std::max<uint64_t>(1, (uint64_t)width);; asked.column *= 4) {
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
  auto place = tracks_.at((size_t)query.number("thread", -1));
  if (!place)
    return refuse(404, "there is no such thread");
  auto details = details_of(index_, names_, *place, (uint32_t)query.number("depth", 0),
                            (uint64_t)std::max(0.0, query.number("at", 0)));
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
  answer.add("arguments", arguments).add("result", details->result).add("cpu", details->cpu);
  std::vector<FunctionNumbers::Function> all = index_.functions().all();
  answer.add("file", call.function < all.size() ? names_.source(all[call.function]) : "");
  answer.add("callers", callers).add("calls", Json());
  return {.body = answer.text()};
}

ViewAnswer ViewApi::search(const ViewQuery &query) {
  update_names();
  const std::string wanted = llvm::StringRef(query.text("name")).lower();
  const auto limit = (size_t)std::clamp(query.number("limit", 50), 1.0, 10000.0);
  const bool glob = wanted.find_first_of("*?[") != std::string::npos;
  struct Found {
    uint32_t function;
    FunctionSums sums;
  };
  std::vector<Found> found;
  {
    std::lock_guard guard(known_lock_);
    for (uint32_t i = 0; i < known_.size(); i++) {
      std::string name = llvm::StringRef(known_[i].readable).lower();
      if (glob ? !::fnmatch(wanted.c_str(), name.c_str(), 0)
               : name.find(wanted) != std::string::npos)
        found.push_back({i, index_.sums(i)});
    }
  }
  std::ranges::sort(found, [](const Found &a, const Found &b) {
    return a.sums.total != b.sums.total ? a.sums.total > b.sums.total : a.function < b.function;
  });
  Json functions = Json::list();
  for (size_t i = 0; i < std::min(limit, found.size()); i++)
    functions.push({{"function", found[i].function},
                    {"calls", found[i].sums.calls},
                    {"total", found[i].sums.total}});
  return {.body = Json({{"functions", functions},
                        {"left_out", (uint64_t)(found.size() - std::min(limit, found.size()))}})
                      .text()};
}

ViewAnswer ViewApi::hits(const ViewQuery &query) {
  std::vector<uint32_t> wanted = query.numbers("functions");
  std::sort(wanted.begin(), wanted.end());
  const uint64_t begin = from(query), end = to(query);
  const double columns = std::clamp(query.number("columns", 1600), 1.0, 100000.0);
  const auto column =
      std::max<uint64_t>(1, (uint64_t)((double)(end - std::min(begin, end)) / columns));
  Json spans = Json::list();
  size_t count = 0, left_out = 0, decoded = 0;
  auto add = [&](uint32_t thread, uint64_t first, uint64_t last, uint64_t calls) {
    if (count++ >= kMostSpans) {
      left_out++;
      return;
    }
    Json span = numbers({thread, first, last});
    span.push(calls ? Json(calls) : Json());
    spans.push(span);
  };
  auto is_wanted = [&](uint32_t function) {
    return std::binary_search(wanted.begin(), wanted.end(), function);
  };
  for (uint32_t number : threads(query)) {
    Tracks::Place place = *tracks_.at(number);
    std::lock_guard guard(place.stream->lock);
    const IndexedStream &stream = *place.stream;
    const uint32_t stack = stream.tracks[place.track]->stack;
    ProcessFunctions functions(index_.functions(),
                               index_.recording().streams().at(stream.stream).process);
    BlockRange range = blocks_between(stream, begin, end);
    uint64_t first = 0, last = 0, calls = 0;
    bool any = false;
    // Neighbours that are less than a column apart are one.
    auto span = [&](uint64_t from, uint64_t to, uint64_t more) {
      if (any && from <= last + column) {
        last = std::max(last, to);
        calls = calls && more ? calls + more : 0;
        return;
      }
      if (any)
        add(number, first, last, calls);
      first = from, last = to, calls = more, any = true;
    };
    for (size_t i = range.first; i < range.end; i++) {
      const IndexedBlock &block = stream.blocks[i];
      std::vector<uint8_t> set(block.functions_bytes);
      bool written = block.offset != 0;
      if (written && !index_.file()->read(block.offset + block.state_bytes, set.data(), set.size()))
        continue;
      if (written && std::ranges::none_of(decode_set(set), is_wanted))
        continue;
      if (decoded >= kMostBlocksForRows) {
        span(block.first, block.last, 0);
        continue;
      }
      decoded++;
      BlockReader reader(index_, stream, i, i + 1);
      std::vector<Slice> met;
      Step step;
      while (reader.next(&step)) {
        if (step.stack != stack)
          continue;
        if (auto slice = slice_of(index_, step, 0, block.first);
            slice && slice->end() >= std::max(begin, block.first) && slice->start <= end &&
            is_wanted(functions.number(step.id)))
          met.push_back(*slice);
      }
      std::ranges::sort(met, {}, &Slice::start);
      for (const Slice &slice : met)
        span(slice.start, slice.end(), 1);
    }
    if (any)
      add(number, first, last, calls);
  }
  return {.body = Json({{"spans", spans}, {"left_out", (uint64_t)left_out}}).text()};
}

ViewAnswer ViewApi::selection(const ViewQuery &query) {
  SelectionQuery asked;
  asked.from = from(query);
  asked.to = to(query);
  for (uint32_t number : threads(query))
    asked.tracks.push_back(*tracks_.at(number));
  if (query.has("function"))
    asked.function = (uint32_t)std::max(0.0, query.number("function", 0));
  SelectionAnswer got = select_calls(index_, asked);

  Json table = Json::list();
  for (const auto &[function, sums] : got.functions) {
    Json row = {
        {"function", function}, {"calls", sums.calls}, {"total", sums.total}, {"own", sums.own}};
    row.add("p50", sums.durations.quantile(0.5)).add("p90", sums.durations.quantile(0.9));
    row.add("p99", sums.durations.quantile(0.99)).add("max", sums.durations.max());
    std::map<uint64_t, uint64_t> octaves; // by their least duration
    sums.durations.for_each_bucket([&](uint64_t first, uint64_t, uint64_t count) {
      octaves[first ? std::bit_floor(first) : 0] += count;
    });
    Json histogram = Json::list();
    for (const auto &[first, count] : octaves)
      histogram.push(numbers({first, count}));
    table.push(row.add("histogram", histogram));
  }

  // The nodes with the most time, which have their parents with them: those have more.
  uint64_t least = 0;
  if (got.nodes.size() > kMostTreeNodes) {
    std::vector<uint64_t> totals;
    for (const SelectedNode &node : got.nodes)
      totals.push_back(node.total);
    std::nth_element(totals.begin(), totals.begin() + kMostTreeNodes, totals.end(),
                     std::greater<>());
    least = totals[kMostTreeNodes] + 1;
  }
  std::vector<int64_t> numbers_of(got.nodes.size(), -1);
  Json function = Json::list(), parent = Json::list(), calls = Json::list(), total = Json::list(),
       own = Json::list();
  int64_t kept = 0;
  for (size_t i = 0; i < got.nodes.size(); i++) {
    const SelectedNode &node = got.nodes[i];
    if (node.total < least) {
      got.nodes_left_out++;
      continue;
    }
    numbers_of[i] = kept++;
    function.push(node.function);
    parent.push(node.parent < 0 ? int64_t{-1} : numbers_of[(size_t)node.parent]);
    calls.push(node.calls);
    total.push(node.total);
    own.push(node.own);
  }
  Json slowest = Json::list();
  for (const SlowCall &slow : got.slowest)
    for (uint32_t number : threads(query))
      if (auto place = tracks_.at(number);
          place->stream == slow.place.stream && place->track == slow.place.track)
        slowest.push({{"thread", number},
                      {"depth", (uint32_t)slow.slice.depth},
                      {"begin", slow.slice.start},
                      {"duration", slow.slice.duration},
                      {"function", slow.slice.function}});
  Json tree = {
      {"function", function}, {"parent", parent}, {"calls", calls}, {"total", total}, {"own", own}};
  tree.add("left_out", got.nodes_left_out);
  return {
      .body =
          Json({{"covered", got.covered}, {"table", table}, {"tree", tree}, {"slowest", slowest}})
              .text()};
}

} // namespace nophook
