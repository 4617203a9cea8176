// Pairs of texts with classes, as matching and retrieval have them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/data/files/labels.hpp"

namespace attest::data {

/// Well-formed UTF-8 texts, two per example, with one class each.
struct LabelledPairs {
  std::vector<std::string> first, second;
  std::vector<std::int32_t> labels;
  LabelVocabulary classes;

  std::size_t count() const { return labels.size(); }
};

/// The examples of those indices, in that order. Errors: std::out_of_range.
LabelledPairs select(const LabelledPairs& pairs, std::span<const std::size_t> indices);

/// The Long Range Arena's Retrieval (the ACL Anthology Network, Radev et al. 2013), new_aan_pairs.*.tsv: one line per
/// pair, without a header, label 0 or 1 (0.0 or 1.0 too), two numbers of papers and their two texts between tabs.
/// Errors: MalformedData naming line and fix when a line does not have five fields, the label is neither or a text is
/// empty; also when there is no pair.
LabelledPairs parse_paper_pairs(std::string_view bytes, const std::string& name);

}  // namespace attest::data
