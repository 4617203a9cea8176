#include "simulations/experiment/awaiting.hpp"

#include <gtest/gtest.h>

#include "kernels/files/whole_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::experiment {
namespace {

using test_support::message_of;

std::string complaint(const std::string& text) {
  return message_of<std::invalid_argument>([&] { parse_awaiting(text, "list.toml"); });
}

TEST(Awaiting, is_read_with_what_each_statement_takes) {
  const auto all = parse_awaiting(
      "[[statement]]\nid = \"a/b\"\nexperiment = \"quick/x.toml\"\nvariants = [\"softmax\"]\n"
      "[[statement]]\nid = \"c/d\"\nlacks = \"a definition\"\n",
      "list.toml");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].variants, std::vector<std::string>{"softmax"});
  EXPECT_TRUE(all[1].experiment.empty());
  EXPECT_EQ(all[1].lacks, "a definition");
}

TEST(Awaiting, refuses_statements_without_an_answer_and_those_that_come_twice) {
  EXPECT_NE(complaint("[[statement]]\nid = \"a/b\"\n").find("names neither an experiment nor what it lacks"),
            std::string::npos);
  const std::string one = "[[statement]]\nid = \"a/b\"\nlacks = \"x\"\n";
  EXPECT_NE(complaint(one + one).find("list.toml, line 5: a/b comes twice"), std::string::npos) << complaint(one + one);
  EXPECT_NE(complaint("[[statement]\n").find("not valid TOML"), std::string::npos);
}

TEST(Awaiting, of_the_suite_names_experiments_and_variants_that_there_are) {
  const std::filesystem::path file = std::filesystem::path(ATTEST_EXPERIMENTS) / "awaiting.toml";
  std::size_t trainings = 0;
  for (const Awaiting& one : parse_awaiting(files::read_whole(file), file.string())) {
    if (one.experiment.empty()) continue;
    const Experiment experiment = experiment_of(one, file.parent_path());
    EXPECT_GE(experiment.variants.size(), 2U) << one.id;
    ++trainings;
  }
  EXPECT_GT(trainings, 5U);
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              experiment_of({"a/b", "quick/vision.toml", "", {"absent"}, ""}, file.parent_path());
            }).find("has no variant absent"),
            std::string::npos);
}

}  // namespace
}  // namespace attest::experiment
