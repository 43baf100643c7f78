// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for the ids and addresses of a recording, looked up when first asked for.
//
// A module is read once, however many processes have it. Its file may have been rebuilt or removed
// since the recording: it is used only if the build-id (without one, the content) is still the
// recorded one. Else the names are those that the recording has of its own
// (read/symbols/recorded_names.h). Where it has none, the name is `module+0xoffset`, which is at
// least true.

#pragma once

#include "read/recording/reader.h"
#include "read/symbols/function_prototypes.h"
#include "read/symbols/name_style.h"
#include "read/symbols/recorded_names.h"
#include "read/symbols/source_lines.h"
#include "read/symbols/symbol_table.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace nophook {

class Functions {
public:
  explicit Functions(const Recording &recording, NameStyle style = NameStyle::kFull);

  // The function's name, in the chosen style. Lives as long as this object.
  const std::string &name(uint32_t process, uint32_t id);

  // The prototype of the function, or null. Lives as long as this object.
  const Prototype *prototype(uint32_t process, uint32_t id);

  // The name of the function that a return address leads back into.
  const std::string &caller(uint32_t process, uint64_t return_address);

  // A number for a function that is the same in all processes, for sums over them.
  uint64_t key(uint32_t process, uint32_t id);
  const std::string &name_of_key(uint64_t key);

  // The module and the linked name of the function: the same in recordings of different builds.
  std::string identity_of_key(uint64_t key);

  // The path of its module; empty if it is in no module.
  const std::string &module_path_of_key(uint64_t key);

  // The place of the function in the sources; the file is empty if its module has no debug info.
  const SourceLine &source_of_key(uint64_t key);

  // Whether a user's text means the function (read/symbols/name_match.h), among all functions that
  // could have been recorded.
  bool matches(uint64_t key, const std::string &typed);

  // Whether it is in this module or source file: a glob of the path, or of its end behind a `/`.
  bool is_in(uint64_t key, const std::string &place);

  // matches() for the function that a return address leads back into, traceable or not.
  bool caller_matches(uint32_t process, uint64_t return_address, const std::string &typed);

  // Whether matches() is true for any function.
  bool knows(const std::string &typed) { return !meant(typed).empty(); }

  // The reason why matches() is true for no function: "its calls are inlined in main", or "the
  // nearest: parse"; or empty. A name that has functions also gets an empty text.
  std::string absence(const std::string &typed);

  // The address of its site in the process.
  uint64_t address(uint32_t process, uint32_t id);

  // The place of an address within its function; nothing without a symbol.
  struct Location {
    uint64_t offset; // distance behind the function's start
    uint64_t bytes;  // size of the function; 0: unknown
  };
  std::optional<Location> locate(uint32_t process, uint64_t address);

  // The lock for callers on several threads: each holds it while it calls one of the above.
  std::mutex &mutex() { return mutex_; }

  // One line for each module whose names could not be used.
  const std::vector<std::string> &notes() const { return notes_; }

private:
  struct Module {
    std::string path;
    std::string base;                        // file name of the module
    const RecordedNames *recorded = nullptr; // the module's names in the recording, if any
    std::optional<ElfImage> image;           // the file that was recorded
    SymbolTable symbols;
    std::optional<FunctionPrototypes> prototypes;      // read at the first question
    std::optional<SourceLines> lines;                  // read at the first question
    std::vector<std::pair<uint64_t, uint64_t>> ranges; // loaded segments
    std::unordered_map<uint64_t, std::string> names;   // names by site
    std::unordered_map<uint64_t, std::string> callers;
    // Whether it consists of call stubs (docs/design/calls.md). Equal names are one function in all
    // processes, so a key has the name's index where others have an offset.
    bool has_calls = false;
    std::vector<std::string> called;
    std::unordered_map<std::string, uint32_t> called_indexes;
  };
  struct Mapped {
    const MapView *map;
    uint32_t module;
    std::vector<uint32_t> calls; // for call stubs: the indexes of their names
    std::span<const uint32_t> places() const {
      return map->names.empty() ? map->offsets : std::span(calls);
    }
  };
  struct Process {
    std::vector<Mapped> maps;               // modules by ascending first_id
    std::vector<const std::string *> names; // names by id, as far as they are known
    std::unordered_map<uint64_t, const std::string *> callers;
  };

  Process &process_of(uint32_t process) {
    if (!last_process_ || last_number_ != process) {
      last_process_ = &processes_[process];
      last_number_ = process;
    }
    return *last_process_;
  }
  const std::string &find_caller(uint32_t process, uint64_t return_address);

  uint32_t load(const MapView &map);
  std::string load_file(const MapView &map, Module *module);
  const RecordedNames *recorded(const MapView &map);
  Mapped load_calls(const MapView &map);
  const Prototype *prototype_of_call(uint32_t process, const std::string &name);
  const Mapped *find(uint32_t process, uint32_t id);
  const Mapped *find_module(uint32_t process, uint64_t address) const;
  Module *module_of_key(uint64_t key);
  std::string name_at(Module &module, uint64_t address, bool site);
  std::unordered_set<uint64_t> meant_by(const std::string &typed);
  const std::unordered_set<uint64_t> &meant(const std::string &typed);

  const std::vector<Recording::Bytes> packed_; // names of the recording itself, packed
  // The same unpacked, once they are needed.
  std::optional<std::deque<std::unique_ptr<RecordedNames>>> recorded_;
  NameStyle style_;
  std::mutex mutex_;
  std::unordered_map<uint32_t, Process> processes_;
  Process *last_process_ = nullptr; // the process of the last question
  uint32_t last_number_ = 0;
  // A recently used place: every event of the function tracer has one.
  struct LateCaller {
    uint64_t address = 0;
    uint32_t process = 0;
    const std::string *name = nullptr;
  };
  static constexpr unsigned kLateCallersShift = 10;
  std::vector<LateCaller> late_callers_{1 << kLateCallersShift};
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<std::string, uint32_t> by_identity_;
  std::unordered_map<uint64_t, std::string> unknown_;
  std::vector<std::string> notes_;
  // Keys of the functions that a text means.
  std::unordered_map<std::string, std::unordered_set<uint64_t>> meant_;
};

} // namespace nophook
