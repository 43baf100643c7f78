// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/source_diff.h"

#include <charconv>
#include <climits>
#include <fmt/format.h>
#include <optional>

namespace nophook {

namespace {

// The name "a/src/parse.c" in "a/src/parse.c<TAB>2024-01-01 00:00:00"; names with special
// characters are in quotes.
std::string name_in(std::string_view text) {
  if (text.starts_with('"')) {
    std::string name;
    for (size_t i = 1; i < text.size() && text[i] != '"'; i++)
      name += text[i] == '\\' && i + 1 < text.size() ? text[++i] : text[i];
    return name;
  }
  text = text.substr(0, text.find('\t'));
  while (text.ends_with(' ') || text.ends_with('\r'))
    text.remove_suffix(1);
  return text == "/dev/null" ? std::string() : std::string(text);
}

struct Hunk {
  unsigned old_lines = 1, new_start = 0, new_lines = 1;
};

// The hunk of a line such as "@@ -12,7 +12,9 @@ main()".
std::optional<Hunk> hunk_in(std::string_view line) {
  Hunk hunk;
  const char *at = line.data(), *end = at + line.size();
  const auto number = [&](unsigned *value) {
    auto [behind, error] = std::from_chars(at, end, *value);
    at = behind;
    return error == std::errc();
  };
  const auto count = [&](unsigned *value) {
    if (at == end || *at != ',')
      return true;
    at++;
    return number(value);
  };
  unsigned old_start = 0;
  at += 4; // "@@ -"
  if (!number(&old_start) || !count(&hunk.old_lines) || end - at < 2 || at[0] != ' ' ||
      at[1] != '+')
    return std::nullopt;
  at += 2;
  if (!number(&hunk.new_start) || !count(&hunk.new_lines) || end - at < 3 || at[0] != ' ' ||
      hunk.new_lines > UINT_MAX - hunk.new_start)
    return std::nullopt;
  return hunk;
}

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<DiffFile>> parse() {
    std::vector<DiffFile> files;
    std::string_view line;
    std::optional<std::string> before;
    while (next(&line)) {
      if (line.starts_with("Binary files ") || line.starts_with("GIT binary patch"))
        return failure("changes a binary file: a patch is built from sources");
      if (line.starts_with("rename from "))
        return failure("renames a file: leave the renaming out of the diff");
      if (line.starts_with("--- ")) {
        before = name_in(line.substr(4));
      } else if (line.starts_with("+++ ") && before) {
        files.push_back({*before, name_in(line.substr(4)), {}});
        before.reset();
        behind_ = 0;
        if (files.back().before.empty() && files.back().after.empty())
          return failure("names no file");
      } else if (line.starts_with("@@ -") && !files.empty()) {
        auto read = read_hunk(line, &files.back());
        NOPHOOK_TRY(read);
      }
    }
    if (files.empty())
      return error_at("", "has no changes: it is no unified diff (diff -u, git diff)");
    return files;
  }

private:
  bool next(std::string_view *line) {
    if (at_ >= text_.size())
      return false;
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    *line = text_.substr(at_, end - at_);
    at_ = end + 1;
    number_++;
    return true;
  }

  Error failure(std::string problem) const {
    return {"", fmt::format("line {}", number_), std::move(problem)};
  }

  Result<> read_hunk(std::string_view line, DiffFile *file) {
    auto hunk = hunk_in(line);
    if (!hunk)
      return failure("the header of a hunk is not understood");
    if (hunk->new_start < behind_)
      return failure("a hunk is in front of the one before it");
    unsigned at = hunk->new_start, old_left = hunk->old_lines, new_left = hunk->new_lines;
    const auto changed = [&] {
      if (file->lines.empty() || file->lines.back() != at)
        file->lines.push_back(at);
    };
    while (old_left || new_left) {
      if (!next(&line))
        return failure("the diff is cut off");
      const char kind = line.empty() ? ' ' : line[0]; // mailers cut blanks at the end of lines
      if (kind == '\\')
        continue; // no newline at the end of the file
      if ((kind != '+' && !old_left) || (kind != '-' && !new_left) ||
          (kind != '+' && kind != '-' && kind != ' ' && kind != '\t' && kind != '\r'))
        return failure("the hunk is damaged: its header names more lines than it has");
      if (kind != ' ')
        changed();
      old_left -= kind != '+';
      if (kind != '-') {
        new_left--;
        at++;
      }
    }
    behind_ = at;
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  unsigned number_ = 0;
  unsigned behind_ = 0; // line of the new version behind the file's last hunk
};

} // namespace

Result<std::vector<DiffFile>> parse_diff(std::string_view text) {
  return Parser(text).parse();
}

std::string stripped_name(std::string_view name, unsigned count) {
  for (; count; count--) {
    const size_t slash = name.find('/');
    if (slash == std::string_view::npos)
      return {};
    name.remove_prefix(std::min(name.find_first_not_of('/', slash), name.size()));
  }
  return std::string(name);
}

} // namespace nophook
