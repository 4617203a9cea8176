#include "simulations/outcomes/shipped_result.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace attest::outcomes {
namespace {

using nlohmann::ordered_json;
using test_support::message_of;

ordered_json summary() {
  return ordered_json::parse(R"json({
    "schema": "attest-training-1", "experiment": "tiny", "title": "A tiny comparison", "seed": 1,
    "metric": "test_loss", "seconds": 90.0, "data": "on a text", "power": "nothing can be found",
    "variants": [
      {"name": "softmax", "seeds": 3, "metrics": {"test_loss": {"mean": 2.0, "interval": [1.5, 2.5], "values": [2, 2, 2]}}},
      {"name": "twicing", "seeds": 3, "metrics": {"test_loss": {"mean": 1.0, "interval": [null, null], "values": [1, 1, 1]}}}],
    "comparisons": [{"a": "twicing", "b": "softmax", "metric": "test_loss", "difference": -1.0, "interval": [-1.2, -0.8],
                     "verdict": "a better"}],
    "tables": [], "figures": [],
    "provenance": {"command": "attest train tiny.toml", "commit": "0123456789abcdef", "machine": "a processor (1 thread)",
                   "date": "2026-11-23", "data_digest": "fedcba9876543210"
}
})json");
}

TEST(ShippedResult, comes_back_as_it_was_written) {
  const std::string text = shipped_text(shipped_from_summary(summary(), "tiny", "summary.json"));
  const ShippedResult back = parse_shipped(text, "tiny.json");
  EXPECT_EQ(back.name, "tiny");
  EXPECT_EQ(back.seeds, 3);
  EXPECT_EQ(back.seconds, 90);
  EXPECT_EQ(back.provenance.commit, "0123456789abcdef");
  EXPECT_EQ(back.summary["comparisons"], summary()["comparisons"]);
  EXPECT_FALSE(back.summary.contains("figures"));
  EXPECT_EQ(shipped_text(back), text);
}

TEST(ShippedResult, that_was_changed_is_refused_in_one_sentence) {
  std::string text = shipped_text(shipped_from_summary(summary(), "tiny", "summary.json"));
  text.replace(text.find("\"mean\": 2.0"), 11, "\"mean\": 1.0");
  const std::string sentence = message_of<std::invalid_argument>([&] { parse_shipped(text, "tiny.json"); });
  EXPECT_EQ(sentence.find("tiny.json was changed after it was written"), 0U) << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos);
  EXPECT_NE(
      message_of<std::invalid_argument>([&] { parse_shipped(text.substr(0, 200), "tiny.json"); }).find("no digest"),
      std::string::npos);
}

TEST(ShippedResult, of_another_schema_is_refused) {
  ordered_json other = summary();
  other["schema"] = "attest-sweep-1";
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              shipped_from_summary(other, "tiny", "summary.json");
            }).find("attest-sweep-1"),
            std::string::npos);
  other.erase("schema");
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              shipped_from_summary(other, "tiny", "summary.json");
            }).find("not a summary of this version's attest train"),
            std::string::npos);
  other = summary();
  other.erase("provenance");
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              shipped_from_summary(other, "tiny", "summary.json");
            }).find("provenance"),
            std::string::npos);
}

TEST(ShippedPage, shows_table_verdict_and_where_it_comes_from) {
  const std::string page = shipped_page({shipped_from_summary(summary(), "tiny", "summary.json")});
  for (const char* part :
       {"## A tiny comparison", "| softmax | 2.0000 | [1.5000, 2.5000] |", "| twicing | 1.0000 |", "twicing better",
        "[tiny.json](tiny.json): 3 paired seeds", "a processor (1 thread), 2026-11-23", "commit 0123456789ab",
        "data fedcba987654", "attest train tiny.toml", "On a text."})
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
}

TEST(ShippedPage, agrees_with_its_numbers_also_where_a_sealed_file_does_not) {
  ordered_json old = summary();
  old["seconds"] = 60.0;
  old["power"] = "1 comparisons with 3 paired seeds at level 0.01 together find, with probability 0.8, a difference";
  const std::string page = shipped_page({shipped_from_summary(old, "tiny", "summary.json")});
  EXPECT_NE(page.find("1 comparison with 3 paired seeds at level 0.01 finds, with probability 0.8, a difference"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("3 paired seeds, 1 minute of wall time"), std::string::npos) << page;
}

TEST(ShippedPage, shows_what_a_variant_costs_where_it_was_measured) {
  ordered_json costed = summary();
  for (ordered_json& variant : costed["variants"]) variant["cost"] = ordered_json::parse(R"([["ms per step", "1.5"]])");
  const std::string page = shipped_page({shipped_from_summary(costed, "tiny", "summary.json")});
  EXPECT_NE(page.find("| verdict | ms per step |\n"), std::string::npos) << page;
  EXPECT_NE(page.find("| 1.5 |\n"), std::string::npos) << page;
}

TEST(ShippedFolder, is_read_in_the_order_of_names) {
  const test_support::ScratchFolder folder;
  for (const char* name : {"b", "a"})
    folder.write(std::string(name) + ".json", shipped_text(shipped_from_summary(summary(), name, "summary.json")));
  folder.write("README.md", "a page");
  const auto all = read_shipped_folder(folder.path());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.front().name, "a");
}

}  // namespace
}  // namespace attest::outcomes
