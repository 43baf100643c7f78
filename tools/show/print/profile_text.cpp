// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums the counts of threads, and prints the kernel's table.

#include "show/print/profile_text.h"

#include "foundation/json.h"
#include "read/recording/tracer_form.h"
#include "show/print/duration.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace nophook {

namespace {

struct Sums {
  uint64_t hits = 0, total = 0, self = 0, sum = 0;
  long double squares = 0;

  void add(const nophook_counts &counts) {
    hits += counts.hits;
    total += counts.total;
    self += counts.self;
    sum += counts.sum;
    squares += (long double)counts.square_high * 0x1p64L + (long double)counts.square_low;
  }
};

struct Row {
  std::string function;
  uint64_t hits, total_ns, self_ns;
  double average_us, variance_us2;
};

struct Table {
  std::string title;
  std::map<uint64_t, Sums> functions; // sums by Functions::key
};

// The variance as the kernel has it: a sample's, in square microseconds.
double variance(const Sums &sums, double us_per_tick) {
  if (sums.hits < 2)
    return 0;
  auto hits = (long double)sums.hits, total = (long double)sums.sum;
  long double squares = (hits * sums.squares - total * total) / (hits * (hits - 1));
  return (double)std::max(squares, 0.0L) * us_per_tick * us_per_tick;
}

std::vector<Row> rows_of(const Table &table, Functions &functions, const TscClock &clock) {
  std::vector<Row> rows;
  for (const auto &[key, sums] : table.functions) {
    uint64_t total_ns = clock.duration(sums.total);
    rows.push_back({functions.name_of_key(key), sums.hits, total_ns, clock.duration(sums.self),
                    (double)clock.duration(sums.sum) / 1000 / (double)sums.hits,
                    variance(sums, clock.ns_per_tick / 1000)});
  }
  return rows;
}

void sort_rows(std::vector<Row> *rows, const std::string &key) {
  std::ranges::sort(*rows, [&](const Row &a, const Row &b) {
    auto by = [&](auto of) { return of(a) != of(b) ? of(a) > of(b) : a.function < b.function; };
    if (key == "hit")
      return by([](const Row &r) { return r.hits; });
    if (key == "self")
      return by([](const Row &r) { return r.self_ns; });
    if (key == "avg")
      return by([](const Row &r) { return r.average_us; });
    if (key == "s^2")
      return by([](const Row &r) { return r.variance_us2; });
    if (key == "function")
      return a.function < b.function;
    return by([](const Row &r) { return r.total_ns; });
  });
}

void print_json(Output &output, const Table &table, const Row &row, bool with_times) {
  Json line = {{"function", row.function}, {"hits", row.hits}};
  if (with_times) {
    line.add("total_ns", row.total_ns);
    line.add("self_ns", row.self_ns);
    line.add("average_us", row.average_us);
    line.add("variance_us2", row.variance_us2);
  }
  if (!table.title.empty())
    line.add("thread", table.title);
  output.line("{}", line.text());
}

void print_head(Output &output, bool with_times) {
  if (!with_times) {
    output.line("  {:<30} {:>10}", "Function", "Hit");
    output.line("  {:<30} {:>10}", "--------", "---");
    return;
  }
  output.line("  {:<30} {:>10}    {:<14}  {:<14}  {:<14}  {}", "Function", "Hit", "Time", "Avg",
              "s^2", "Self");
  output.line("  {:<30} {:>10}    {:<14}  {:<14}  {:<14}  {}", "--------", "---", "----", "---",
              "---", "----");
}

} // namespace

void print_profile(Output &output, Functions &functions, const Recording &recording,
                   const ProfileOptions &options) {
  std::vector<Table> tables;
  for (const auto &[index, process] : recording.processes())
    for (const ProfileView &profile : process.profiles) {
      if (tables.empty() || options.by_thread) {
        tables.emplace_back();
        if (options.by_thread)
          tables.back().title = profile.tid
                                    ? fmt::format("{}-{}", printable(profile.comm), profile.tid)
                                    : "threads that have ended";
      }
      for (const ProfileRow &row : profile.rows)
        tables.back().functions[functions.key(index, (uint32_t)row.id)].add(row.counts);
    }
  const bool with_times = !has_counts_only(recording);
  for (const Table &table : tables) {
    std::vector<Row> rows = rows_of(table, functions, recording.clock());
    sort_rows(&rows, options.sort);
    if (options.rows && rows.size() > options.rows)
      rows.resize(options.rows);
    if (!options.json) {
      const Output::Header uncounted(output);
      if (!table.title.empty())
        output.line("# {}", table.title);
      print_head(output, with_times);
    }
    for (const Row &row : rows) {
      if (options.json)
        print_json(output, table, row, with_times);
      else if (!with_times)
        output.line("  {:<30} {:>10}", row.function, row.hits);
      else
        output.line("  {:<30} {:>10}    {:<14}  {:<14}  {:<14}  {:.3f} us", row.function, row.hits,
                    fmt::format("{:.3f} us", (double)row.total_ns / 1000),
                    fmt::format("{:.3f} us", row.average_us),
                    fmt::format("{:.3f} us", row.variance_us2), (double)row.self_ns / 1000);
    }
  }
}

} // namespace nophook
