#include "simulations/measure/untrained/sequences.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "kernels/random/stream.hpp"
#include "reports/text/numbers.hpp"
#include "simulations/data/text/text.hpp"
#include "simulations/measure/measurement.hpp"
#include "simulations/tokens/patches.hpp"
#include "simulations/tokens/word_vectors.hpp"

namespace attest::measure {

using data::build_vocabulary;
using data::IdxImages;
using data::PixelMoments;
using data::Vocabulary;
using data::word_tokens;
using tokens::patch_count;
using tokens::patches;
using tokens::word_vectors;
namespace {

constexpr std::uint32_t draws = random::stream_key("measure/sequences");

// Strides from coarse to fine; the first leaves no overlap. Sequence lengths stand in the same order.
constexpr std::size_t strides[] = {4, 3, 2, 1};

Sequences image_sequences(std::string name, IdxImages images, std::uint64_t seed) {
  const PixelMoments moments = pixel_moments(images);
  Sequences result;
  result.name = std::move(name);
  result.unit = "image";
  result.description = fmt::format(
      "Tokens are patches of {0} × {0} pixels ({1} features), standardised by the mean and deviation of all"
      " pixels; images are drawn uniformly from the {2} of the file. Longer sequences come of patches that"
      " overlap (strides 4 to 1).",
      patch_edge, patch_edge * patch_edge, reports::readable_count(static_cast<double>(images.count)));
  result.features = patch_edge * patch_edge;
  for (const std::size_t stride : strides) result.lengths.push_back(patch_count(images, patch_edge, stride));
  result.usual_length = result.lengths.front();
  const auto shared = std::make_shared<const IdxImages>(std::move(images));
  result.draw = [shared, moments, seed, lengths = result.lengths](std::uint64_t sample, std::size_t length) {
    random::Stream stream(seed, draws, sample);
    const auto image = static_cast<std::size_t>(stream.integer(shared->count));
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] == length) return patches(*shared, image, patch_edge, strides[i], moments);
    }
    throw std::invalid_argument(
        fmt::format("no stride gives {} patches of these images; use one of the lengths listed", length));
  };
  return result;
}

Sequences text_sequences(std::string name, const std::string& text, const SequenceBudget& budget, std::uint64_t seed) {
  constexpr std::int64_t least_count = 5;  // a word seen less often has no co-occurrence to speak of
  constexpr std::size_t shortest = 16;
  const std::vector<std::string> tokens = word_tokens(text);
  const Vocabulary vocabulary = build_vocabulary(tokens, budget.vocabulary, least_count);
  const auto words = std::make_shared<const std::vector<std::int32_t>>(vocabulary.encode(tokens));
  if (vocabulary.words.size() <= 2 * word_features || words->size() < 4 * shortest) {
    throw std::invalid_argument(fmt::format(
        "{} has too few words that occur {} times or more, {}, for vectors of {} features; give a longer text", name,
        least_count, vocabulary.words.size(), word_features));
  }
  const auto vectors = std::make_shared<const Eigen::MatrixXd>(
      word_vectors(*words, vocabulary.words.size(), word_window, word_features));
  Sequences result;
  result.unit = "window";
  result.description = fmt::format(
      "Tokens are vectors of consecutive words ({} features: truncated singular value decomposition of the"
      " positive mutual information of words at most {} apart), centred and scaled over the text; the"
      " vocabulary holds the {} most frequent words, {:.1f} % of the text's {}; windows are drawn"
      " uniformly.",
      word_features, word_window, vocabulary.words.size(),
      100.0 * static_cast<double>(words->size()) / static_cast<double>(tokens.size()),
      reports::readable_count(static_cast<double>(tokens.size())));
  result.name = std::move(name);
  result.features = word_features;
  for (std::size_t length = shortest; length <= budget.longest_window && 4 * length <= words->size(); length *= 2) {
    result.lengths.push_back(length);
  }
  constexpr std::size_t usual = 64;
  result.usual_length = std::min(usual, result.lengths.back());
  result.draw = [words, vectors, seed](std::uint64_t sample, std::size_t length) {
    if (length == 0 || length > words->size()) {
      throw std::invalid_argument(
          fmt::format("a window of {} words does not fit a text of {}; ask for fewer", length, words->size()));
    }
    random::Stream stream(seed, draws, sample);
    const auto start = static_cast<std::size_t>(stream.integer(words->size() - length + 1));
    Eigen::MatrixXd sequence(static_cast<Eigen::Index>(length), vectors->cols());
    for (std::size_t i = 0; i < length; ++i) {
      sequence.row(static_cast<Eigen::Index>(i)) = vectors->row((*words)[start + i]);
    }
    return sequence;
  };
  return result;
}

}  // namespace

std::string Sequences::stem() const { return file_stem(name); }

Sequences make_sequences(Data data, const SequenceBudget& budget, std::uint64_t seed) {
  if (auto* images = std::get_if<IdxImages>(&data.content)) {
    return image_sequences(std::move(data.name), std::move(*images), seed);
  }
  return text_sequences(std::move(data.name), std::get<std::string>(data.content), budget, seed);
}

}  // namespace attest::measure
