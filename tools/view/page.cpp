// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "view/page.h"

#include "base/installation.h"
#include "base/json.h"
#include "view/block_reader.h"
#include "view/step_slice.h"

#include <algorithm>
#include <filesystem>
#include <llvm/Support/Base64.h>

namespace nophook {

namespace {

namespace fs = std::filesystem;

constexpr size_t kCallBytes = 4 + 2 + 1 + 4 + 8 + 8; // of one in the page, before base64

struct EmbeddedCall {
  uint32_t thread;
  Slice slice;
};

const char *type_of(const std::string &name) {
  return name.ends_with(".html")  ? "text/html; charset=utf-8"
         : name.ends_with(".js")  ? "text/javascript; charset=utf-8"
         : name.ends_with(".css") ? "text/css; charset=utf-8"
         : name.ends_with(".svg") ? "image/svg+xml"
                                  : "";
}

// What is before the first `marker` in the text, which is then behind it.
std::string take_until(std::string &text, std::string_view marker) {
  size_t at = text.find(marker);
  std::string before = text.substr(0, at);
  text.erase(0, at == std::string::npos ? at : at + marker.size());
  return before;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Keeps the longest calls of the whole recording.
class LongestCalls {
public:
  explicit LongestCalls(size_t most) : most_(std::max<size_t>(most, 1)) {}

  void add(uint32_t thread, const Slice &slice) {
    if (slice.duration < least_)
      return void(left_out_++);
    calls_.push_back({thread, slice});
    if (calls_.size() >= 2 * most_)
      cut();
  }

  std::vector<EmbeddedCall> take() {
    cut();
    std::ranges::sort(calls_, [](const EmbeddedCall &a, const EmbeddedCall &b) {
      return a.slice.start != b.slice.start ? a.slice.start < b.slice.start
                                            : a.slice.depth < b.slice.depth;
    });
    return std::move(calls_);
  }
  uint64_t left_out() const { return left_out_; }

private:
  void cut() {
    if (calls_.size() <= most_)
      return;
    std::nth_element(calls_.begin(), calls_.begin() + (ptrdiff_t)most_, calls_.end(),
                     [](const EmbeddedCall &a, const EmbeddedCall &b) {
                       return a.slice.duration > b.slice.duration;
                     });
    least_ = calls_[most_].slice.duration;
    left_out_ += calls_.size() - most_;
    calls_.resize(most_);
  }

  size_t most_;
  uint64_t least_ = 0; // duration of those that still find room
  uint64_t left_out_ = 0;
  std::vector<EmbeddedCall> calls_;
};

void add_calls(RecordingIndex &index, ViewApi &api, LongestCalls &calls) {
  size_t count = api.tracks().update();
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> threads; // stream, stack
  std::vector<IndexedStream *> streams;
  for (size_t i = 0; i < count; i++) {
    Tracks::Place place = *api.tracks().at(i);
    std::lock_guard guard(place.stream->lock);
    threads[{place.stream->stream, place.stream->tracks[place.track]->stack}] = (uint32_t)i;
    if (std::ranges::find(streams, place.stream) == streams.end())
      streams.push_back(place.stream);
  }
  for (IndexedStream *stream : streams) {
    std::lock_guard guard(stream->lock);
    ProcessFunctions functions(index.functions(),
                               index.recording().streams().at(stream->stream).process);
    BlockReader reader(index, *stream, 0, stream->blocks.size());
    Step step;
    auto add = [&] {
      if (auto slice = slice_of(index, step, 0, 0)) {
        slice->function = functions.number(step.id);
        calls.add(threads[{stream->stream, step.stack}], *slice);
      }
    };
    while (reader.next(&step))
      add();
    while (reader.next_open(&step))
      add();
  }
}

template <class T, class Of> std::string column(const std::vector<EmbeddedCall> &calls, Of of) {
  std::vector<T> values;
  values.reserve(calls.size());
  for (const EmbeddedCall &call : calls)
    values.push_back((T)of(call));
  return llvm::encodeBase64(
      std::string_view(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)));
}

} // namespace

ViewAnswer page_file(const std::string &name) {
  std::string file = name.empty() ? "index.html" : name;
  auto folder = find_view_page();
  const char *type = type_of(file);
  ViewAnswer missing = {404, "text/plain", "there is no such file\n"};
  if (!folder || !*type || file.find('/') != std::string::npos || file[0] == '.')
    return missing;
  std::string text = read_small_file(*folder + "/" + file);
  if (text.empty())
    return missing;
  return {200, type, std::move(text)};
}

Result<SinglePage> single_page(RecordingIndex &index, ViewApi &api, uint64_t bytes) {
  auto folder = find_view_page();
  NOPHOOK_TRY(folder);
  SinglePage page;
  std::string rest = page_file("index.html").body, style = page_file("style.css").body;
  page.html = take_until(rest, "<link rel=\"stylesheet\" href=\"style.css\">");
  page.html += "<style>\n" + style + "</style>";
  page.html += take_until(rest, "<script type=\"module\" src=\"main.js\"></script>");
  if (rest.empty())
    return error_at(*folder + "/index.html", "is not the page of this version");

  // Modules may not be inline and import each other by relative names: a map gives each a name.
  Json modules = Json::object();
  std::error_code error;
  std::vector<std::string> names;
  for (const fs::directory_entry &entry : fs::directory_iterator(*folder, error))
    if (entry.path().extension() == ".js")
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  for (const std::string &name : names) {
    std::string text = replace_all(page_file(name).body, "from './", "from 'nophook/");
    modules.add("nophook/" + name, "data:text/javascript;base64," + llvm::encodeBase64(text));
  }
  Json imports = Json::object();
  imports.add("imports", modules);
  page.html += "<script type=\"importmap\">" + imports.text() + "</script>\n";

  uint64_t used = page.html.size() + rest.size();
  LongestCalls longest((size_t)((bytes - std::min(bytes, used)) * 3 / 4 / kCallBytes));
  add_calls(index, api, longest);
  std::vector<EmbeddedCall> calls = longest.take();
  page.calls = calls.size();
  page.left_out = longest.left_out();
  Json columns = {{"count", (uint64_t)calls.size()}};
  columns.add("thread", column<uint32_t>(calls, [](const auto &call) { return call.thread; }));
  columns.add("depth", column<uint16_t>(calls, [](const auto &call) { return call.slice.depth; }));
  columns.add("flags", column<uint8_t>(calls, [](const auto &call) { return call.slice.flags; }));
  columns.add("function",
              column<uint32_t>(calls, [](const auto &call) { return call.slice.function; }));
  columns.add("start", column<double>(calls, [](const auto &call) { return call.slice.start; }));
  columns.add("duration",
              column<double>(calls, [](const auto &call) { return call.slice.duration; }));
  Json left_out = {{"calls", page.left_out}, {"from", 0}};
  left_out.add("to", index.duration());

  std::string data =
      "{\"recording\":" + api.recording_json() + ",\"functions\":" + api.functions_json() +
      ",\"events\":" + api.events_json(ViewQuery("")) + ",\"calls\":" + columns.text() +
      ",\"other\":" + api.other_json() + ",\"notes\":{},\"left_out\":" + left_out.text() + "}";
  page.html += "<script type=\"application/json\" id=\"nophook-recording\">" +
               replace_all(std::move(data), "<", "\\u003c") + "</script>\n";
  page.html += "<script type=\"module\">import 'nophook/main.js';</script>" + rest;
  return page;
}

} // namespace nophook
