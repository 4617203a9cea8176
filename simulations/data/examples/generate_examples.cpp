#include "simulations/data/examples/generate_examples.hpp"

namespace attest::data {
namespace {

/// generate(options with a part, count) for every part.
template <class Examples, class Generate>
Splits<Examples> parts(const PartCounts& counts, PassageOptions options, Generate generate) {
  Splits<Examples> splits;
  const auto make = [&](PassagePart part, std::size_t count) {
    options.part = part;
    return generate(options, count);
  };
  splits.train = make(PassagePart::train, counts.train);
  splits.validation = make(PassagePart::validation, counts.validation);
  splits.test = make(PassagePart::test, counts.test);
  return splits;
}

}  // namespace

Splits<LabelledTexts> passages(const PartCounts& counts, const PassageOptions& options, std::uint64_t seed) {
  const std::vector<Verse> verses = read_kjv();
  return parts<LabelledTexts>(counts, options, [&](const PassageOptions& of, std::size_t count) {
    return generate_passages(verses, of, seed, 0, count);
  });
}

Splits<LabelledPairs> passage_pairs(const PartCounts& counts, const PassageOptions& options, std::uint64_t seed) {
  const std::vector<Verse> verses = read_kjv();
  return parts<LabelledPairs>(counts, options, [&](const PassageOptions& of, std::size_t count) {
    return generate_passage_pairs(verses, of, seed, 0, count);
  });
}

}  // namespace attest::data
