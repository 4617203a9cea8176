#include "reports/record/replay_command.hpp"

#include <gtest/gtest.h>

namespace attest::reports {
namespace {

TEST(ReplayCommand, has_a_file_and_perhaps_a_paper) {
  const auto built_in = read_replay_command("./attest replay witnesses/a.json");
  ASSERT_TRUE(built_in);
  EXPECT_EQ(built_in->program, "./attest replay ");
  EXPECT_EQ(built_in->file, "witnesses/a.json");
  EXPECT_EQ(built_in->paper, "");
  const auto own = read_replay_command("./attest replay witnesses/a.json 'my paper.attest'");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->file, "witnesses/a.json");
  EXPECT_EQ(own->paper, " 'my paper.attest'");
}

TEST(ReplayCommand, is_nothing_else) {
  for (const char* text : {"", "replay", "./attest check", "rm -rf a"}) EXPECT_FALSE(read_replay_command(text)) << text;
  EXPECT_EQ(read_replay_command("./attest replay ")->file, "");
}

}  // namespace
}  // namespace attest::reports
