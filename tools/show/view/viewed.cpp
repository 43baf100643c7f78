// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the recording, its index and the objects on top of them.

#include "show/view/viewed.h"

#include "process/drain/open_recording.h"
#include "read/recording/tracer_form.h"

#include <unistd.h>

namespace nophook {

Result<std::unique_ptr<Viewed>> Viewed::open(const std::string &path) {
  const std::string index_path = path + ".index";
  auto recording = open_recording(path);
  NOPHOOK_TRY(recording);
  if (is_profile_recording(*recording))
    return error_at(path, "is a profile: it has counts, which `nophook report` shows, and "
                          "no calls for a timeline");
  auto viewed = std::make_unique<Viewed>(std::move(*recording));
  if (!viewed->index.load(index_path)) {
    auto started = IndexBuilder::start(viewed->index, index_path,
                                       std::max(1u, std::thread::hardware_concurrency()));
    NOPHOOK_TRY(started);
    viewed->builder = std::move(*started);
  }
  return viewed;
}

Result<> Viewed::finish_index() {
  IndexProgress progress(index);
  while (builder && !builder->is_done()) {
    progress.show();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  progress.end();
  return saved();
}

Result<> Viewed::saved() {
  if (!builder || !builder->is_done())
    return {};
  auto saved = builder->wait();
  builder.reset();
  return saved;
}

void IndexProgress::show() {
  if (!::isatty(2) || index_.complete)
    return;
  shown_ = true;
  fmt::print(stderr, "\rindexing: {:3} %", (unsigned)(index_.progress() * 100));
  std::fflush(stderr);
}

void IndexProgress::end() {
  if (std::exchange(shown_, false))
    fmt::print(stderr, "\r               \r");
}

} // namespace nophook
