// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of day: between the recorder's notes of two clocks, as texts, and as the user types them.

#include "foundation/wall_text.h"
#include "read/recording/wall_time.h"

#include <gtest/gtest.h>

using namespace nophook;

namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kDay = 1'777'636'800; // 2026-05-01T12:00:00Z

class TimeZone {
public:
  explicit TimeZone(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
  }
  ~TimeZone() {
    unsetenv("TZ");
    tzset();
  }
};

TEST(WallTime, IsInterpolatedBetweenTwoNotes) {
  const WallTime wall({{300, 10'400}, {100, 10'000}}); // the day's clock runs twice as fast
  EXPECT_EQ(wall.at(100), 10'000u);
  EXPECT_EQ(wall.at(200), 10'200u);
  EXPECT_EQ(wall.at(300), 10'400u);
  EXPECT_EQ(wall.at(50), 9'950u); // outside, the differences are those of the notes
  EXPECT_EQ(wall.at(400), 10'500u);
  for (uint64_t ns : {50, 100, 150, 299, 300, 400})
    EXPECT_EQ(wall.monotonic_of((int64_t)wall.at(ns)), (int64_t)ns);
}

TEST(WallTime, OneNoteIsEnoughAndNoneIsNotKnown) {
  EXPECT_FALSE(WallTime().is_known());
  const WallTime wall({{100, 10'000}, {100, 10'001}});
  EXPECT_EQ(wall.at(90), 9'990u);
  EXPECT_EQ(wall.monotonic_of(10'010), 110);
}

TEST(WallTime, AClockThatIsSetBackIsFoundAtTheFirstPlace) {
  const WallTime wall({{100, 10'000}, {200, 9'000}, {300, 9'100}});
  EXPECT_EQ(wall.at(150), 9'500u);
  EXPECT_EQ(wall.monotonic_of(9'990), 90);
}

TEST(WallText, IsInTheZoneOfTheReader) {
  WallText text;
  {
    TimeZone zone("UTC");
    EXPECT_EQ(text.text(kDay * kSecond + 250'000'999), "2026-05-01T12:00:00.250000");
    EXPECT_EQ(text.text(kDay * kSecond + 250'001'000), "2026-05-01T12:00:00.250001");
    EXPECT_EQ(text.text((kDay + 61) * kSecond), "2026-05-01T12:01:01.000000");
  }
  TimeZone zone("XYZ-2");
  EXPECT_EQ(text.text(kDay * kSecond), "2026-05-01T14:00:00.000000");
}

int64_t typed(const char *text) {
  auto time = parse_time_of_day(text);
  return time ? time->realtime_ns(kDay * kSecond) - (int64_t)(kDay * kSecond) : -1;
}

TEST(TimeOfDay, IsNearTheRecordingWithoutADate) {
  TimeZone zone("XYZ-2");
  EXPECT_EQ(typed("14:00"), 0);
  EXPECT_EQ(typed("14:00:01"), (int64_t)kSecond);
  EXPECT_EQ(typed("14:00:01.5"), (int64_t)(kSecond * 3 / 2));
  EXPECT_EQ(typed("12:00:01Z"), (int64_t)kSecond);
  EXPECT_EQ(typed("00:30"), (int64_t)(37'800 * kSecond)); // behind midnight
  EXPECT_EQ(typed("2026-05-01T14:00"), 0);
  EXPECT_EQ(typed("2026-05-02 14:00"), (int64_t)(86'400 * kSecond));
  EXPECT_EQ(typed("2026-05-01T12:00:00.000000Z"), 0);
}

TEST(TimeOfDay, RefusesOthers) {
  for (const char *text : {"", "14", "14:0", "24:00", "14:60", "2026-05-01", "2026-13-01T14:00",
                           "14:00:00,5", "14:00:00.x", "5-1T14:00", "14:00:00.5.5", "a14:00"})
    EXPECT_FALSE(parse_time_of_day(text)) << text;
}

} // namespace
