// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks each name up in an index of the files' symbols, and replaces it unless the runtime finds it
// itself.

#include "process/launch/typed_filters.h"

#include "process/launch/libraries.h"
#include "read/symbols/absent_function.h"
#include "read/symbols/site_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>

namespace nophook {

namespace {

// All names together, as one variable of the environment has room for 128 KiB.
constexpr size_t kMostBytes = 64 << 10;

bool is_demangler(const std::string &path) {
  std::string file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libstdc++.so") || file.starts_with("libc++abi.so");
}

// Whether the process finds the function by the name that was typed (runtime/ops/pattern_set.h).
bool runtime_finds(const TracedNames &names, const std::string &typed, Means how,
                   const FunctionNames &function) {
  TypedName wanted(typed);
  const bool is_glob = how == Means::kGlob;
  if (is_glob ? wanted.matches(function.linked) : wanted.text() == function.linked)
    return true;
  if (!names.has_demangler || !function.linked.starts_with("_Z") || how == Means::kScopes)
    return false;
  // A form made for people, such as std::string, is no name that its demangler makes.
  bool is_demangled = std::ranges::any_of(
      std::initializer_list<const std::string *>{&function.full, &function.plain,
                                                 &function.shorter},
      [&](const std::string *name) {
        return is_glob ? wanted.matches(*name) : wanted.text() == *name;
      });
  return is_demangled && (is_glob || (function.linked == function.base &&
                                      typed.find_first_of(" \t\n,") == typed.npos));
}

bool is_list(const std::string &setting) {
  constexpr std::string_view kLists[] = {"set_graph_function", "set_graph_notrace",
                                         "set_usdt_filter", "set_latency_function"};
  auto name = std::string_view(setting).substr(0, setting.find('='));
  return std::ranges::find(kLists, name) != std::end(kLists);
}

} // namespace

TracedNames names_of_program(const std::string &path) {
  TracedNames names;
  auto program = ElfImage::open(path);
  if (!program)
    return names;
  names.index.add(*program);
  names.files.push_back(path);
  any_library(*program, [&](const ElfImage &library) {
    names.has_demangler |= is_demangler(library.path());
    if (has_sites(library)) {
      names.index.add(library);
      names.files.push_back(library.path());
    }
    return false;
  });
  return names;
}

TracedNames names_of_process(int32_t pid) {
  TracedNames names;
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  std::set<std::string> files;
  for (std::string line; std::getline(maps, line);)
    if (size_t at = line.find('/'); at != std::string::npos && line.find('x') < at)
      files.insert(line.substr(at));
  for (const std::string &file : files) {
    names.has_demangler |= is_demangler(file);
    // The paths are valid in its own mount namespace.
    auto image = ElfImage::open(fmt::format("/proc/{}/root{}", pid, file));
    if (image && has_sites(*image)) {
      names.index.add(*image);
      names.files.push_back(image->path());
    }
  }
  return names;
}

std::string absence(const TracedNames &names, const std::string &typed) {
  for (const std::string &file : names.files) {
    auto image = ElfImage::open(file);
    if (std::string note = image ? inlined_note(*image, typed) : ""; !note.empty())
      return note;
  }
  // The user of `handle*` means the beginning of a name that has scopes in front of it.
  if (const std::string scoped = "*::" + typed;
      TypedName(typed).has_wildcards() && names.index.find(scoped).how != Means::kNothing)
    return nearest_note(scoped);
  return nearest_note(names.index.nearest(typed));
}

Error with_absences(Error error, const TracedNames &names, const std::vector<std::string> &tokens) {
  for (const std::string &token : tokens) {
    const FilterToken parts(token);
    if (!parts.is_name() || names.index.find(parts.name).how != Means::kNothing)
      continue;
    if (const std::string note = absence(names, parts.name); !note.empty())
      error.problem += fmt::format("; '{}': {}", printable(parts.name), printable(note));
  }
  return error;
}

// A single colon ends the name; C++ names have pairs of them, and tags of the ABI have one.
FilterToken::FilterToken(const std::string &token) {
  size_t begin = token.starts_with('!'), end = begin;
  for (; end < token.size(); end++) {
    if (token.compare(end, 5, "[abi:") == 0)
      end = std::min(token.find(']', end), token.size() - 1);
    else if (token.compare(end, 2, "::") == 0)
      end++;
    else if (token[end] == ':')
      break;
  }
  sign = token.substr(0, begin);
  name = token.substr(begin, end - begin);
  rest = token.substr(end);
}

bool FilterToken::is_name() const {
  return !name.empty() && name != "*" && !rest.starts_with(":mod:") &&
         name.find_first_not_of("0123456789") != std::string::npos;
}

std::vector<std::string> translated(const TracedNames &names,
                                    const std::vector<std::string> &tokens) {
  std::vector<std::string> result;
  size_t bytes = 0;
  for (const std::string &token : tokens) {
    FilterToken parts(token);
    NameIndex::Found found;
    if (parts.is_name())
      found = names.index.find(parts.name);
    bool stays = found.how == Means::kNothing || found.how == Means::kGlob;
    std::set<std::string> linked;
    for (const NameIndex::Function *function : found.functions)
      if (runtime_finds(names, parts.name, found.how, function->names))
        stays = true;
      else
        linked.insert(function->names.linked);
    for (const std::string &name : linked)
      bytes += name.size() + parts.rest.size() + 2;
    if (bytes > kMostBytes) {
      linked = {"*::" + parts.name};
      bytes = 0;
    }
    if (stays)
      result.push_back(token);
    for (const std::string &name : linked)
      result.push_back(parts.sign + name + parts.rest);
  }
  return result;
}

bool names_functions(const TraceRequest &request) {
  return !request.filters.empty() || !request.notraces.empty() ||
         std::ranges::any_of(request.settings, is_list);
}

TraceRequest translated(const TracedNames &names, TraceRequest request) {
  request.filters = translated(names, request.filters);
  request.notraces = translated(names, request.notraces);
  for (std::string &setting : request.settings) {
    if (!is_list(setting))
      continue;
    size_t equals = setting.find('=');
    std::vector<std::string> tokens;
    for (size_t at = equals + 1, end; at < setting.size(); at = end + 1) {
      end = std::min(setting.find(',', at), setting.size());
      tokens.push_back(setting.substr(at, end - at));
    }
    setting =
        fmt::format("{}={}", setting.substr(0, equals), fmt::join(translated(names, tokens), ","));
  }
  return request;
}

} // namespace nophook
