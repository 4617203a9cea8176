#include "simulations/evaluation/word_swap.hpp"

#include <algorithm>
#include <cctype>

#include "kernels/random/stream.hpp"
#include "simulations/tasks/examples.hpp"

namespace attest::evaluation {

using models::Answers;
namespace {

constexpr std::uint32_t swap_key = random::stream_key("evaluation/word-swap");

bool is_letter(char c) {
  // Bytes beyond ASCII belong to letters of other alphabets far more often than to signs.
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

/// Letters that stand between signs of a vocabulary, such as <unk> and <eos>, are not words.
bool is_marker(const std::string& text, std::size_t first, std::size_t end) {
  return first > 0 && text[first - 1] == '<' && end < text.size() && text[end] == '>';
}

}  // namespace

std::string with_swapped_words(const std::string& text, double share, std::uint64_t seed, std::uint64_t number) {
  random::Stream stream(seed, swap_key, number);
  std::string swapped;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == at) {
      swapped += text[at++];
      continue;
    }
    const bool swap = stream.uniform(0, 1) < share && !is_marker(text, at, end);
    swapped += swap ? swapped_word : text.substr(at, end - at);
    at = end;
  }
  return swapped;
}

Part swapped_part(const Task& task, const Part& part, Index examples, double share, std::uint64_t seed) {
  const auto swapped_tokens = [&](const std::vector<std::int32_t>& tokens, std::uint64_t number) {
    return task.vocabulary.encode(with_swapped_words(task.vocabulary.decode(tokens), share, seed, number),
                                  "the text with swapped words");
  };
  Part swapped;
  if (traits_of(task.kind).answers == Answers::next_token) {
    const std::size_t tokens =
        std::min(part.tokens.size(), static_cast<std::size_t>(examples) * static_cast<std::size_t>(task.context) + 1);
    swapped.tokens =
        swapped_tokens({part.tokens.begin(), part.tokens.begin() + static_cast<std::ptrdiff_t>(tokens)}, 0);
    return swapped;
  }
  const auto longest = static_cast<std::size_t>(task.shape.tokens);
  for (std::size_t i = 0; i < static_cast<std::size_t>(examples); ++i) {
    std::vector<std::int32_t> tokens = swapped_tokens(part.sequences[i], i);
    // Where a model takes all texts as equally long, a shorter one is filled up as batches are.
    tokens.resize(task.shape.unequal ? std::min(tokens.size(), longest) : longest);
    swapped.sequences.push_back(std::move(tokens));
  }
  swapped.labels.assign(part.labels.begin(), part.labels.begin() + examples);
  return swapped;
}

}  // namespace attest::evaluation
