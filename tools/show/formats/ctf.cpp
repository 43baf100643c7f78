// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Common Trace Format 1.8 (https://diamon.org/ctf/v1.8.3/), a folder for babeltrace2 and Trace
// Compass, with the events of `report --json`, by name:
//
//   entry, exit      begin and end of a call; a call without calls inside it has both, too
//   entry_only, function, mark, stack, repeats     as in JSON; events made by text by their names
//   lost             how many events are missing; the stream has them as discarded events, too
//
// There is a stream for each CPU, as in the traces of LTTng, and each event says which thread it is
// of. With a stream for each thread, 10,000 threads took a minute to write and were more than
// babeltrace2 could read: both look through all streams again and again.
//
// An event class has a fixed list of fields, but events have different ones: the arguments of their
// function, an end, counters. So there is one class for each combination that occurs, and several
// classes have the same name. show/ctf/ctf_writer.h writes them.

#include "foundation/derived_file.h"
#include "foundation/installation.h"
#include "foundation/output_folder.h"
#include "foundation/overloaded.h"
#include "read/steps/call_values.h"
#include "read/steps/marks.h"
#include "show/ctf/ctf_writer.h"
#include "show/formats/event_format.h"
#include "show/print/trace_context.h"

#include <charconv>
#include <dlfcn.h>
#include <filesystem>
#include <optional>
#include <queue>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

// An event while it is made: its class as a text, and its values.
class Record {
public:
  void begin(std::string_view event) {
    signature_.assign(event);
    values_.clear();
    texts_.clear();
  }
  void number(std::string_view name, uint64_t value) { add(CtfField::kUnsigned, "", name, value); }
  void number(std::string_view group, std::string_view name, uint64_t value) {
    add(CtfField::kUnsigned, group, name, value);
  }
  void text(std::string_view name, std::string_view value) { add_text("", name, value); }

  // Adds a value. A text that is a whole number becomes a number.
  void value(std::string_view group, std::string_view name, std::string_view value) {
    int64_t number;
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size())
      add(CtfField::kSigned, group, name, (uint64_t)number);
    else
      add_text(group, name, value);
  }

  // The text that identifies the record's class: the event's name, then KIND GROUP NAME of each
  // field.
  const std::string &signature() const { return signature_; }

  // The values, valid until the next change.
  const CtfValue *values() {
    finished_.clear();
    for (const Value &value : values_)
      finished_.push_back(value.is_text ? CtfValue{.text = texts_.data() + value.number}
                                        : CtfValue{.number = value.number});
    return finished_.data();
  }

private:
  struct Value {
    bool is_text;
    uint64_t number; // the number itself, or an offset in texts_
  };

  void add(CtfField::Kind kind, std::string_view group, std::string_view name, uint64_t value) {
    signature_ += '\n';
    signature_ += (char)('0' + kind);
    signature_ += group;
    signature_ += '\t';
    signature_ += name;
    values_.push_back({kind == CtfField::kText, value});
  }
  void add_text(std::string_view group, std::string_view name, std::string_view value) {
    add(CtfField::kText, group, name, texts_.size());
    texts_ += value.substr(0, value.find('\0'));
    texts_ += '\0';
  }

  std::string signature_, texts_;
  std::vector<Value> values_;
  std::vector<CtfValue> finished_;
};

// A name that is valid for a field and not in `used`, to which it is added.
std::string identifier(std::string_view name, std::set<std::string> *used) {
  std::string text;
  for (char c : name)
    text += std::isalnum((unsigned char)c) ? c : '_';
  if (text.empty() || std::isdigit((unsigned char)text[0]))
    text = "value_" + text;
  std::string found = text;
  for (unsigned number = 2; !used->insert(found).second; number++)
    found = fmt::format("{}_{}", text, number);
  return found;
}

class CtfFormat : public EventFormat {
public:
  explicit CtfFormat(const FormatContext &context) : context_(context) {}
  ~CtfFormat() override {
    writer_.reset();
    if (library_)
      dlclose(library_);
  }

  Result<> accepts() const override {
    std::error_code error;
    if (std::filesystem::exists(context_.path, error))
      return error_at(context_.path,
                      "is there already: remove it, or choose another folder with --output");
    return {};
  }

  Result<> begin() override {
    auto library = find_ctf_writer();
    NOPHOOK_TRY(library);
    ::umask(derived_umask(context_.recording.file().descriptor()));
    // The library could create the folder, but does not say why it cannot.
    auto folder = OutputFolder::create(context_.path);
    NOPHOOK_TRY(folder);
    folder_.emplace(std::move(*folder));
    library_ = dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL);
    auto *make = library_ ? (MakeCtfWriter *)dlsym(library_, kMakeCtfWriter) : nullptr;
    if (!make) // the message begins with the name of the library that is missing
      return Error{"export", "--format ctf", dlerror()};
    const std::string clock = context_.recording.clock().counts_events ? "counter" : "monotonic";
    CtfTrace about = {folder_->unfinished().c_str(), clock.c_str(), context_.recording.lost(),
                      false, 0};
    if (const WallTime &wall = context_.recording.wall_time(); wall.is_known()) {
      const auto [monotonic_ns, realtime_ns] = wall.notes().front();
      about.has_epoch = realtime_ns >= monotonic_ns;
      about.epoch_ns = (int64_t)(realtime_ns - monotonic_ns);
    }
    writer_.reset(make(about));
    return checked(!*writer_->error());
  }

  Result<> step(const Thread &thread, const Step &step) override {
    NOPHOOK_TRY(end_leaves(step.tsc));
    if (step.kind == Step::kLost) {
      record_.begin("lost");
      record_.number("count", step.lost);
      return add(thread, step.cpu, step.tsc, &record_, step.lost);
    }
    if (step.is_mark()) {
      mark(thread, step);
      return add(thread, step.cpu, step.tsc, &record_);
    }
    if (step.ends() && !step.is_leaf())
      return add(thread, step.cpu, step.tsc, &begin_exit(&record_, thread, step));
    NOPHOOK_TRY(begin_call(thread, step));
    if (!step.is_leaf())
      return {};
    // The end waits until other threads have come so far.
    Waiting &waiting = waiting_[thread.stream()];
    waiting.thread = &thread;
    waiting.cpu = step.cpu;
    begin_exit(&waiting.end, thread, step);
    leaves_.push({step.to(), &waiting});
    return {};
  }

  Result<> finish() override {
    NOPHOOK_TRY(end_leaves(~uint64_t{0}));
    NOPHOOK_TRY(checked(writer_->finish()));
    return folder_->finish();
  }

private:
  struct Waiting { // the state of a thread
    const Thread *thread = nullptr;
    uint32_t cpu = 0;
    Record end; // the end of a leaf that waits in leaves_
  };
  struct Stream {        // the stream of a CPU
    uint32_t number = 0; // the writer's number for it
    uint64_t last_ns = 0;
  };
  // A damaged recording may have any CPU; the numbers from here on share a stream. Linux has at
  // most 8192.
  static constexpr uint32_t kOtherCpus = 8192;

  Result<> checked(bool ok) const {
    return ok ? Result<>() : error_at(context_.path, writer_->error());
  }

  Result<> stream_of(uint32_t cpu, Stream **stream) {
    auto [at, is_new] = streams_.try_emplace(std::min(cpu, kOtherCpus));
    *stream = &at->second;
    if (!is_new)
      return {};
    const std::string name = cpu < kOtherCpus ? fmt::format("cpu-{}", cpu) : "no-cpu";
    return checked(writer_->add_stream(name.c_str(), &at->second.number));
  }

  Result<> event_class(const std::string &signature, uint32_t *number) {
    auto [at, is_new] = classes_.try_emplace(signature);
    if (is_new) {
      std::vector<CtfField> fields;
      std::vector<std::string> words; // the texts that `fields` refers to
      std::string name = signature.substr(0, signature.find('\n'));
      for (size_t i = name.size(); i < signature.size();) {
        size_t end = std::min(signature.find('\n', i + 1), signature.size());
        words.push_back(signature.substr(i + 1, end - i - 1));
        i = end;
      }
      for (std::string &word : words) {
        const size_t tab = word.find('\t');
        word[tab] = '\0';
        fields.push_back({word.c_str() + tab + 1, tab > 1 ? word.c_str() + 1 : nullptr,
                          (CtfField::Kind)(word[0] - '0')});
      }
      NOPHOOK_TRY(
          checked(writer_->define(name.c_str(), fields.data(), fields.size(), &at->second)));
    }
    *number = at->second;
    return {};
  }

  Result<> add(const Thread &thread, uint32_t cpu, uint64_t tsc, Record *record,
               uint64_t lost = 0) {
    Stream *stream;
    uint32_t number;
    NOPHOOK_TRY(stream_of(cpu, &stream));
    NOPHOOK_TRY(event_class(record->signature(), &number));
    stream->last_ns = std::max(stream->last_ns, context_.recording.clock().at(tsc));
    const std::string comm = thread.comm();
    const CtfEvent event = {.stream = stream->number,
                            .event = number,
                            .time = stream->last_ns,
                            .cpu = cpu == NOPHOOK_CPU_UNKNOWN ? -1 : (int32_t)cpu,
                            .pid = thread.pid(),
                            .tid = thread.tid(),
                            .comm = comm.c_str(),
                            .values = record->values()};
    return checked(lost ? writer_->add_lost(event, lost) : writer_->add(event));
  }

  Result<> end_leaves(uint64_t tsc) {
    for (; !leaves_.empty() && leaves_.top().tsc <= tsc; leaves_.pop()) {
      Waiting &waiting = *leaves_.top().waiting;
      NOPHOOK_TRY(add(*waiting.thread, waiting.cpu, leaves_.top().tsc, &waiting.end));
    }
    return {};
  }

  Result<> begin_call(const Thread &thread, const Step &step) {
    Functions &functions = context_.functions;
    record_.begin(step.kind == Step::kFunction    ? "function"
                  : step.kind == Step::kEntryOnly ? "entry_only"
                                                  : "entry");
    record_.text("function", functions.name(thread.process(), step.id));
    if (step.kind == Step::kFunction)
      record_.text("parent", functions.caller(thread.process(), step.parent));
    else
      record_.number("depth", step.depth);
    if (!step.arguments.empty()) {
      std::set<std::string> used;
      size_t count = 0;
      for (const NamedValue &argument :
           argument_values(functions.prototype(thread.process(), step.id), step.arguments)) {
        const std::string name =
            argument.name.empty() ? fmt::format("arg{}", count + 1) : argument.name;
        record_.value("arguments", identifier(name, &used), argument.text);
        count++;
      }
    }
    return add(thread, step.cpu, step.tsc, &record_);
  }

  Record &begin_exit(Record *record, const Thread &thread, const Step &step) {
    Functions &functions = context_.functions;
    record->begin("exit");
    record->text("function", functions.name(thread.process(), step.id));
    record->number("depth", step.depth);
    if (step.has_duration())
      record->number("duration_ns", context_.recording.clock().duration(step.ticks));
    if (step.end != Step::kReturned)
      record->text("end", end_name(step.end));
    if (!step.result.empty()) {
      std::set<std::string> used;
      for (const CounterGrowth &counter : counter_growth(step.result))
        record->number("counters", identifier(counter.name, &used), counter.growth);
      if (auto result = result_value(functions.prototype(thread.process(), step.id), step.result))
        record->value("", "result", result->text);
    }
    return *record;
  }

  void mark(const Thread &thread, const Step &step) {
    Functions &functions = context_.functions;
    const uint32_t process = thread.process();
    const Mark mark = read_mark(step);
    std::set<std::string> used;
    std::visit(Overloaded{[&](const StackMark &stack) {
                            record_.begin("stack");
                            record_.text("stack", stack_text(functions, process, stack.addresses));
                          },
                          [&](const RepeatsMark &repeats) {
                            record_.begin("repeats");
                            record_.text("function", functions.name(process, repeats.id));
                            record_.text("parent", functions.caller(process, repeats.parent));
                            record_.number("repeats", repeats.count);
                          },
                          [&](const ProbeEvent &event) {
                            record_.begin(event.group + ":" + event.name);
                            record_.text("function", functions.caller(process, event.ip + 1));
                            for (const ProbeEvent::Argument &argument : event.arguments)
                              record_.value("arguments", identifier(argument.name, &used),
                                            argument.text);
                          },
                          [&](const TextMark &text) {
                            record_.begin("mark");
                            if (text.ip)
                              record_.text("function", functions.caller(process, text.ip));
                            record_.text("text", text.text);
                          },
                          [&](const RawMark &raw) {
                            record_.begin("mark");
                            record_.value("", "number", fmt::format("{}", raw.number));
                            record_.text("text", mark_text(raw));
                          },
                          [&](const OtherMark &other) {
                            record_.begin(other.name);
                            for (const NamedValue &field : other.fields)
                              record_.value("arguments", identifier(field.name, &used), field.text);
                          }},
               mark);
  }

  struct Leaf {
    uint64_t tsc;
    Waiting *waiting;
    bool operator<(const Leaf &other) const { return tsc > other.tsc; } // the earliest on top
  };

  FormatContext context_;
  std::optional<OutputFolder> folder_;
  void *library_ = nullptr;
  std::unique_ptr<CtfWriter> writer_;
  Record record_;
  std::unordered_map<uint32_t, Waiting> waiting_; // by the thread's stream in the recording
  std::unordered_map<uint32_t, Stream> streams_;  // by CPU
  std::unordered_map<std::string, uint32_t> classes_;
  std::priority_queue<Leaf> leaves_; // the leaves whose ends wait
};

} // namespace

std::unique_ptr<EventFormat> make_ctf(const FormatContext &context) {
  return std::make_unique<CtfFormat>(context);
}

} // namespace nophook
