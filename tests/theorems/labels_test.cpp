#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "theorems/engine/registry.hpp"

namespace attest::engine {
namespace {

using Labels = std::map<std::string, std::set<std::string>>;  // paper -> labels

/// labels.tsv beside this file: a line "paper<TAB>label" for every assertion of the papers that is to be judged.
Labels labels_to_judge() {
  Labels labels;
  std::ifstream file(ATTEST_LABELS_FILE);
  for (std::string line; std::getline(file, line);) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) throw std::runtime_error("labels.tsv: no tab in: " + line);
    labels[line.substr(0, tab)].insert(line.substr(tab + 1));
  }
  return labels;
}

Labels judged_as_printed() {
  Labels labels;
  for (const Claim& claim : all_claims())
    if (claim.statement.printed) labels[claim.statement.paper()].insert(claim.statement.label);
  return labels;
}

TEST(Labels, every_assertion_of_the_four_papers_is_judged_as_printed) {
  const Labels wanted = labels_to_judge();
  Labels judged = judged_as_printed();
  EXPECT_EQ(wanted.size(), 4U);
  for (const auto& [paper, labels] : wanted)
    for (const std::string& label : labels)
      EXPECT_TRUE(judged[paper].contains(label)) << paper << ": " << label << " is not judged";
}

}  // namespace
}  // namespace attest::engine
