// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers to the page's questions about a recording (docs/design/view.md), without the network:
// a path and a query in, bytes out. Any thread may ask.

#pragma once

#include "show/view/hits.h"
#include "show/view/names.h"
#include "show/view/query.h"

namespace nophook {

struct ViewAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

ViewAnswer refuse(int status, const std::string &problem);

class ViewApi {
public:
  ViewApi(RecordingIndex &index, ViewNames &names) : index_(index), names_(names), tracks_(index) {}

  // Answers a question: `what` is "recording", "rows", ...
  ViewAnswer answer(const std::string &what, const ViewQuery &query);

  // Sets a second recording, to be compared with this one.
  void set_other(ViewApi &other) { other_ = &other; }

  std::string recording_json();
  std::string functions_json(bool with_sources = false);
  std::string events_json(const ViewQuery &query);
  std::string other_json(); // "null": there is none
  ViewNames &names() { return names_; }
  Tracks &tracks() { return tracks_; }

private:
  ViewAnswer rows(const ViewQuery &query);
  ViewAnswer call(const ViewQuery &query);
  ViewAnswer search(const ViewQuery &query);
  ViewAnswer hits(const ViewQuery &query);
  ViewAnswer hit(const ViewQuery &query);
  ViewAnswer selection(const ViewQuery &query);

  std::string name() const;
  void update_names();
  static constexpr uint64_t kMostTime = 9'000'000'000'000'000; // each below is exact in a double

  HitQuery wanted_hits(const ViewQuery &query);
  uint64_t from(const ViewQuery &query) const;
  uint64_t to(const ViewQuery &query) const;
  std::vector<uint32_t> threads(const ViewQuery &query);

  RecordingIndex &index_;
  ViewNames &names_;
  ViewApi *other_ = nullptr;
  Tracks tracks_;
  std::mutex known_lock_;
  std::vector<ViewNames::Name> known_; // by function number
};

} // namespace nophook
