// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the installed files, and packs them into one page.

#include "show/view/page.h"

#include "foundation/installation.h"
#include "foundation/json.h"
#include "show/view/embedded_calls.h"

#include <algorithm>
#include <filesystem>
#include <llvm/Support/Base64.h>

namespace nophook {

namespace {

namespace fs = std::filesystem;

const char *type_of(const std::string &name) {
  return name.ends_with(".html")  ? "text/html; charset=utf-8"
         : name.ends_with(".js")  ? "text/javascript; charset=utf-8"
         : name.ends_with(".css") ? "text/css; charset=utf-8"
         : name.ends_with(".svg") ? "image/svg+xml"
                                  : "";
}

// Cuts the text in front of the first `marker` off and returns it. The marker is removed, too.
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

constexpr const char *kMainScript = "<script type=\"module\" src=\"main.js\"></script>";

std::vector<std::string> modules_of(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".js")
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

// A browser knows a module only when the importing module has come, which is four deep. So the page
// names all modules.
std::string preloads(const std::string &folder) {
  std::string links;
  for (const std::string &name : modules_of(folder))
    links += "<link rel=\"modulepreload\" href=\"" + name + "\">\n";
  return links;
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
  if (name.empty())
    text = replace_all(std::move(text), kMainScript, preloads(*folder) + kMainScript);
  return {200, type, std::move(text)};
}

Result<SinglePage> single_page(RecordingIndex &index, ViewApi &api, uint64_t bytes) {
  auto folder = find_view_page();
  NOPHOOK_TRY(folder);
  SinglePage page;
  std::string rest = page_file("index.html").body, style = page_file("style.css").body;
  page.html = take_until(rest, "<link rel=\"stylesheet\" href=\"style.css\">");
  page.html += "<style>\n" + style + "</style>";
  page.html += take_until(rest, kMainScript);
  if (rest.empty())
    return error_at(*folder + "/index.html", "is not the page of this version");

  // Modules cannot be inline and import each other by relative names: a map gives each module a
  // name.
  Json modules = Json::object();
  for (const std::string &name : modules_of(*folder)) {
    std::string text = replace_all(page_file(name).body, "from './", "from 'nophook/");
    modules.add("nophook/" + name, "data:text/javascript;base64," + llvm::encodeBase64(text));
  }
  Json imports = Json::object();
  imports.add("imports", modules);
  page.html += "<script type=\"importmap\">" + imports.text() + "</script>\n";

  // The data without a limit comes first: the calls get the room that is left.
  std::string data = script_text(
      "{\"recording\":" + api.recording_json() + ",\"functions\":" + api.functions_json(true) +
      ",\"events\":" + api.events_json(ViewQuery("")) + ",\"other\":" + api.other_json());
  constexpr size_t kWords = 500; // bytes of the columns' names and the like
  uint64_t used = page.html.size() + rest.size() + data.size() + kWords;
  EmbeddedCalls embedded =
      embedded_calls(index, api.names(), api.tracks(), bytes - std::min(bytes, used));
  const std::vector<EmbeddedCall> &calls = embedded.calls;
  page.calls = calls.size();
  page.left_out = embedded.left_out;
  page.notes_left_out = embedded.notes_left_out;
  Json columns = {{"count", (uint64_t)calls.size()}};
  columns.add("thread", column<uint32_t>(calls, [](const auto &call) { return call.thread; }));
  columns.add("cpu", column<uint16_t>(calls, [](const auto &call) { return call.cpu; }));
  columns.add("depth", column<uint16_t>(calls, [](const auto &call) { return call.slice.depth; }));
  columns.add("flags", column<uint8_t>(calls, [](const auto &call) { return call.slice.flags; }));
  columns.add("function",
              column<uint32_t>(calls, [](const auto &call) { return call.slice.function; }));
  columns.add("start", column<double>(calls, [](const auto &call) { return call.slice.start; }));
  columns.add("duration",
              column<double>(calls, [](const auto &call) { return call.slice.duration; }));
  Json left_out = {{"calls", page.left_out}, {"values", page.notes_left_out}, {"from", 0}};
  left_out.add("to", index.duration());
  data += ",\"calls\":" + columns.text() + ",\"notes\":" + embedded.notes +
          ",\"left_out\":" + left_out.text() + "}";
  page.html += "<script type=\"application/json\" id=\"nophook-recording\">" + data + "</script>\n";
  page.html += "<script type=\"module\">import 'nophook/main.js';</script>" + rest;
  return page;
}

} // namespace nophook
