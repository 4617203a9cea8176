#include "simulations/evaluation/word_swap.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "kernels/random/stream.hpp"
#include "simulations/evaluation/examples.hpp"

namespace attest::training {
namespace {

constexpr std::uint32_t swap_key = random::claim_key("evaluation/word-swap");
constexpr const char* generic = "AAA";

bool is_letter(char c) {
  // Bytes beyond ASCII belong to letters of other alphabets far more often than to signs.
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

/// Letters that stand between signs of a vocabulary, such as <unk> and <eos>, are no words.
bool is_marker(const std::string& text, std::size_t first, std::size_t end) {
  return first > 0 && text[first - 1] == '<' && end < text.size() && text[end] == '>';
}

}  // namespace

std::string with_swapped_words(const std::string& text, double share, std::uint64_t seed) {
  random::Stream stream(seed, swap_key, 0);
  std::string swapped;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == at) {
      swapped += text[at++];
      continue;
    }
    const bool swap = stream.uniform(0, 1) < share && !is_marker(text, at, end);
    swapped += swap ? generic : text.substr(at, end - at);
    at = end;
  }
  return swapped;
}

Part swapped_part(const Task& task, const Part& part, std::size_t tokens, double share, std::uint64_t seed) {
  const std::vector<std::int32_t> first(
      part.tokens.begin(), part.tokens.begin() + static_cast<std::ptrdiff_t>(std::min(tokens, part.tokens.size())));
  const std::string text = task.vocabulary.decode(first);
  Part swapped;
  swapped.tokens = task.vocabulary.encode(with_swapped_words(text, share, seed), "the text with swapped words");
  return swapped;
}

double window_loss(const TrainedModel& model, const Task& task, const Part& part, Index examples, unsigned threads) {
  const Index windows = std::min<Index>(examples, static_cast<Index>(task.examples(part)));
  const auto blocks = for_each_example_block(task, part, windows, threads, [&](const Batch& batch, Index) {
    const FloatTensor scores = model.scores(batch);
    const auto classes = static_cast<std::size_t>(scores.extent(1));
    double loss = 0;
    for (std::size_t row = 0; row < batch.answers.size(); ++row) {
      const auto one = scores.values().subspan(row * classes, classes);
      const double most = *std::max_element(one.begin(), one.end());
      double sum = 0;
      for (const float score : one) sum += std::exp(static_cast<double>(score) - most);
      loss += most + std::log(sum) - static_cast<double>(one[static_cast<std::size_t>(batch.answers[row])]);
    }
    return loss;
  });
  double sum = 0;
  for (const double block : blocks) sum += block;
  return sum / static_cast<double>(windows * task.context);
}

}  // namespace attest::training
