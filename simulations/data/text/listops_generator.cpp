#include "simulations/data/text/listops_generator.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"
#include "simulations/data/text/listops.hpp"

namespace attest::data {
namespace {

constexpr std::array<std::string_view, 4> operators = {"[MIN", "[MAX", "[MED", "[SM"};
constexpr double operator_probability = 0.25;
constexpr std::uint64_t tries_an_example = 100'000;

struct Tree {
  std::string text;
  std::size_t length = 0;
};

// Appends a random tree; gives up (false) once it is too long to be kept.
bool grow(Tree& tree, std::size_t depth, const ListOpsOptions& options, random::Stream& stream) {
  if (!tree.text.empty()) tree.text += ' ';
  if (depth >= options.deepest || stream.uniform() > operator_probability) {
    tree.text += static_cast<char>('0' + static_cast<char>(stream.integer(10)));
    return ++tree.length < options.below;
  }
  const std::uint64_t arguments = 2 + stream.integer(options.most_arguments - 1);
  tree.text += operators[stream.integer(operators.size())];
  tree.length += 2;
  for (std::uint64_t i = 0; i < arguments; ++i) {
    if (!grow(tree, depth + 1, options, stream)) return false;
  }
  tree.text += " ]";
  return tree.length < options.below;
}

void check(const ListOpsOptions& options) {
  if (options.deepest < 1 || options.most_arguments < 2 || options.above + 1 >= options.below ||
      options.deepest > 1000) {
    throw std::invalid_argument(
        fmt::format("ListOps trees of depth {} (1 to 1000), {} arguments (at least 2) and lengths between {} and {} "
                    "cannot be drawn; give a range that holds a length",
                    options.deepest, options.most_arguments, options.above, options.below));
  }
}

}  // namespace

Splits<LabelledTexts> generate_listops(const ListOpsOptions& options, std::uint64_t seed) {
  check(options);
  Splits<LabelledTexts> splits;
  for (LabelledTexts* part : {&splits.train, &splits.validation, &splits.test}) part->classes = numbered_labels(10);
  std::unordered_set<std::string> seen;
  std::uint64_t sample = 0;
  const auto draw = [&](LabelledTexts& part, std::size_t count) {
    const std::uint64_t last = sample + tries_an_example * count;
    while (part.count() < count) {
      if (sample == last) {
        throw std::invalid_argument(
            fmt::format("{} tries gave {} of {} ListOps expressions with lengths between {} and {}; widen the range",
                        tries_an_example * count, part.count(), count, options.above, options.below));
      }
      random::Stream stream(seed, random::stream_key("data/listops"), sample++);
      Tree tree;
      if (!grow(tree, 1, options, stream) || tree.length <= options.above) continue;
      if (!seen.insert(tree.text).second) continue;
      part.labels.push_back(evaluate_listops(tree.text, "generated ListOps").value);
      part.texts.push_back(std::move(tree.text));
    }
  };
  draw(splits.train, options.train);
  draw(splits.validation, options.validation);
  draw(splits.test, options.test);
  return splits;
}

}  // namespace attest::data
