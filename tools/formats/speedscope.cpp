// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of speedscope (https://www.speedscope.app/file-format-schema.json): for each stack of a
// thread one "evented" profile, the begins and ends of its calls.
//
// A profile is written in one piece, but the steps of all threads come mixed. Each thread's events
// go to a file without a name first, in blocks, and are copied from there at the end: the memory is
// one block for each thread.

#include "base/json.h"
#include "formats/event_format.h"

#include <unistd.h>

namespace nophook {

namespace {

constexpr size_t kBlockBytes = 16 << 10;

class SpeedscopeFormat : public EventFormat {
public:
  explicit SpeedscopeFormat(const FormatContext &context) : context_(context) {}

  Result<> begin() override {
    spool_ = std::tmpfile();
    return spool_ ? Result<>() : system_error("a temporary file", "cannot be made");
  }

  Result<> step(const Thread &thread, const Step &step) override {
    if (step.kind == Step::kOpen || step.kind == Step::kLeaf)
      open(thread, step);
    if (step.kind == Step::kLeaf)
      return close(thread, step, step.tsc + step.ticks);
    if (step.kind == Step::kClose && step.has_start && !step.timed)
      return close(thread, step, step.tsc);
    return {};
  }

  Result<> still_open(const Thread &thread, const Step &step) override {
    return close(thread, step, step.tsc);
  }

  Result<> finish() override {
    Output &out = *context_.output;
    out.line("{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
             "\"exporter\":\"nophook\",\"name\":{},\"profiles\":[",
             Json(context_.recording.path()).text());
    bool is_first = true;
    for (auto &[place, profile] : profiles_) {
      out.print("{}{{\"type\":\"evented\",\"name\":{},\"unit\":\"nanoseconds\",\"startValue\":{},"
                "\"endValue\":{},\"events\":[",
                is_first ? "" : ",\n", Json(profile.name).text(), profile.first_ns,
                profile.last_ns);
      is_first = false;
      NOPHOOK_TRY(copy_blocks(profile));
      out.add(profile.text);
      out.add("]}");
    }
    out.line("],");
    out.add("\"shared\":{\"frames\":[");
    for (size_t i = 0; i < frames_.size(); i++)
      out.print("{}{{\"name\":{}}}", i ? ",\n" : "", Json(frames_[i]).text());
    out.line("]}}");
    return {};
  }

  ~SpeedscopeFormat() override {
    if (spool_)
      std::fclose(spool_);
  }

private:
  struct Profile {
    std::string name;
    uint64_t first_ns = 0, last_ns = 0;
    std::vector<size_t> open; // frames of its calls
    std::string text;         // what is not in a block yet
    std::vector<std::pair<off_t, size_t>> blocks;
    bool is_empty = true;
  };

  Profile &profile_of(const Thread &thread, const Step &step, uint64_t ns) {
    Profile &profile = profiles_[{thread.stream(), step.stack}];
    if (profile.name.empty()) {
      profile.name = fmt::format("{} {}{}", thread.comm(), thread.tid(),
                                 step.stack ? fmt::format(" (stack {})", step.stack) : "");
      profile.first_ns = ns;
    }
    profile.last_ns = std::max(profile.last_ns, ns);
    return profile;
  }

  void event(Profile &profile, char type, size_t frame, uint64_t ns) {
    profile.text += fmt::format("{}{{\"type\":\"{}\",\"frame\":{},\"at\":{}}}",
                                profile.is_empty ? "" : ",", type, frame, ns);
    profile.is_empty = false;
  }

  void open(const Thread &thread, const Step &step) {
    uint64_t ns = context_.recording.clock().at(step.tsc);
    Profile &profile = profile_of(thread, step, ns);
    const std::string &name = context_.functions.name(thread.process(), step.id);
    auto [at, is_new] = numbers_.try_emplace(name, frames_.size());
    if (is_new)
      frames_.push_back(name);
    profile.open.push_back(at->second);
    event(profile, 'O', at->second, ns);
  }

  Result<> close(const Thread &thread, const Step &step, uint64_t tsc) {
    uint64_t ns = context_.recording.clock().at(tsc);
    Profile &profile = profile_of(thread, step, ns);
    if (profile.open.empty())
      return {};
    event(profile, 'C', profile.open.back(), ns);
    profile.open.pop_back();
    if (profile.text.size() < kBlockBytes)
      return {};
    std::fseek(spool_, 0, SEEK_END);
    profile.blocks.push_back({std::ftell(spool_), profile.text.size()});
    if (std::fwrite(profile.text.data(), 1, profile.text.size(), spool_) != profile.text.size())
      return system_error("a temporary file", "cannot be written");
    profile.text.clear();
    return {};
  }

  Result<> copy_blocks(const Profile &profile) {
    std::string block;
    for (const auto &[offset, bytes] : profile.blocks) {
      block.resize(bytes);
      std::fseek(spool_, offset, SEEK_SET);
      if (std::fread(block.data(), 1, bytes, spool_) != bytes)
        return system_error("a temporary file", "cannot be read");
      context_.output->add(block);
      NOPHOOK_TRY(context_.output->flush());
    }
    return {};
  }

  FormatContext context_;
  std::FILE *spool_ = nullptr;
  std::map<std::pair<uint32_t, uint32_t>, Profile> profiles_; // by stream and stack
  std::vector<std::string> frames_;
  std::unordered_map<std::string, size_t> numbers_; // of frames
};

} // namespace

std::unique_ptr<EventFormat> make_speedscope(const FormatContext &context) {
  return std::make_unique<SpeedscopeFormat>(context);
}

} // namespace nophook
