// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function for each question; it reads the query and answers as JSON or as rows.

#include "show/view/api.h"

#include "foundation/json.h"

#include <algorithm>

namespace nophook {

ViewAnswer refuse(int status, const std::string &problem) {
  return {status, "application/json", Json({{"error", problem}}).text()};
}

ViewAnswer ViewApi::answer(const std::string &what, const ViewQuery &query) {
  if (what == "recording")
    return {.body = recording_json()};
  if (what == "functions")
    return {.body = functions_json()};
  if (what == "events")
    return {.body = events_json(query)};
  if (what == "other")
    return {.body = other_json()};
  if (what == "rows")
    return rows(query);
  if (what == "call")
    return call(query);
  if (what == "search")
    return search(query);
  if (what == "hits")
    return hits(query);
  if (what == "hit")
    return hit(query);
  if (what == "selection")
    return selection(query);
  return refuse(404, "there is no api/" + what);
}

uint64_t ViewApi::from(const ViewQuery &query) const {
  return query.integer<uint64_t>("from", 0, 0, kMostTime);
}

// The end of the part, which includes the last event of all.
uint64_t ViewApi::to(const ViewQuery &query) const {
  double end = query.number("to", (double)index_.duration());
  return clamped<uint64_t>(std::ceil(end), 0, kMostTime);
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
    StreamGuard guard(*place.stream);
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
  Json answer = {{"format", 1}, {"name", printable(name())}};
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
  answer.add("indexed", index_.progress());
  answer.add("functions", (uint64_t)index_.functions().all().size());
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
  answer.add("other", other_ ? printable(other_->name()) : "");
  answer.add("processes", processes).add("threads", threads);
  return answer.text();
}

std::string ViewApi::name() const {
  const std::string &path = index_.recording().path();
  return path.substr(path.rfind('/') + 1);
}

std::string ViewApi::other_json() {
  if (!other_)
    return "null";
  // The selection comes first: then the names include all functions in it.
  std::string selection = other_->selection(ViewQuery("")).body;
  return "{\"selection\":" + selection + ",\"functions\":" + other_->functions_json() +
         ",\"recording\":" + other_->recording_json() + "}";
}

void ViewApi::update_names() {
  std::lock_guard guard(known_lock_);
  for (ViewNames::Name &name : names_.names(index_.functions(), known_.size()))
    known_.push_back(std::move(name));
}

std::string ViewApi::functions_json(bool with_sources) {
  update_names();
  std::vector<FunctionNumbers::Function> all = index_.functions().all();
  std::lock_guard guard(known_lock_);
  Json readable = Json::list(), full = Json::list(), file = Json::list(), module = Json::list();
  for (size_t i = 0; i < known_.size(); i++) {
    const ViewNames::Name &name = known_[i];
    readable.push(name.readable);
    full.push(name.full);
    file.push(with_sources && i < all.size() ? names_.source(all[i]) : "");
    module.push(name.module);
  }
  return Json({{"short", readable}, {"full", full}, {"file", file}, {"module", module}}).text();
}

std::string ViewApi::events_json(const ViewQuery &query) {
  const uint64_t begin = from(query), end = to(query);
  const auto limit = query.integer<uint64_t>("limit", 2000, 0, 100000);
  Json marks = Json::list(), losses = Json::list(), ends = Json::list();
  uint64_t given = 0, left_out = 0;
  for (uint32_t number : threads(query)) {
    Tracks::Place place = *tracks_.at(number);
    StreamGuard guard(*place.stream);
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

} // namespace nophook
