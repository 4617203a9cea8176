#include "simulations/tasks/task.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/random/stream.hpp"
#include "simulations/data/images/masked_images.hpp"
#include "simulations/models/model_kind.hpp"

namespace attest::tasks {

using models::Answers;
using models::ModelTraits;
using models::Reads;
namespace {

constexpr std::uint32_t order_key = random::stream_key("training/order");
constexpr std::uint32_t places_key = random::stream_key("training/places");
constexpr std::uint32_t augment_key = random::stream_key("training/augment");

/// Fisher and Yates's shuffle of 0 .. count - 1.
std::vector<std::size_t> shuffled(std::uint64_t seed, std::uint64_t epoch, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random::Stream stream(seed, order_key, epoch);
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[stream.integer(left)]);
  return order;
}

/// How one image is changed: mirrored, and moved down and to the right.
struct Change {
  bool mirrored = false;
  Index down = 0, right = 0;
};

Change drawn_change(const Augmentation& how, random::Stream stream) {
  Change change;
  change.mirrored = how.flip && stream.integer(2) == 1;
  const auto places = static_cast<std::uint64_t>(2 * how.shift + 1);
  change.down = static_cast<Index>(stream.integer(places)) - how.shift;
  change.right = static_cast<Index>(stream.integer(places)) - how.shift;
  return change;
}

void add_image(const Task& task, const Part& part, std::size_t index, const Change& change, Batch& batch) {
  const auto rows = static_cast<Index>(part.images.rows), columns = static_cast<Index>(part.images.columns);
  const auto pixels = part.images.image(index);
  for (std::size_t c = 0; c < part.images.channels; ++c) {
    const Moments& moments = task.channels[c];
    const std::uint8_t* plane = pixels.data() + static_cast<Index>(c) * rows * columns;
    for (Index y = 0; y < rows; ++y)
      for (Index x = 0; x < columns; ++x) {
        const Index row = y - change.down, straight = x - change.right;
        const bool inside = row >= 0 && row < rows && straight >= 0 && straight < columns;
        const Index column = change.mirrored ? columns - 1 - straight : straight;
        // The mean colour is 0 once standardised.
        batch.values.push_back(
            inside ? static_cast<float>((static_cast<double>(plane[row * columns + column]) / 255 - moments.mean) /
                                        moments.deviation)
                   : 0.0F);
      }
  }
}

void add_mask(const Part& part, std::size_t index, const Change& change, Batch& batch) {
  const auto rows = static_cast<Index>(part.images.rows), columns = static_cast<Index>(part.images.columns);
  const std::uint8_t* mask = part.masks.data() + static_cast<Index>(index) * rows * columns;
  for (Index y = 0; y < rows; ++y)
    for (Index x = 0; x < columns; ++x) {
      const Index row = y - change.down, straight = x - change.right;
      const bool inside = row >= 0 && row < rows && straight >= 0 && straight < columns;
      const Index column = change.mirrored ? columns - 1 - straight : straight;
      const std::uint8_t number = inside ? mask[row * columns + column] : data::unlabelled;
      batch.answers.push_back(number == data::unlabelled ? unasked : number);
    }
}

/// The image's class, or those of its pixels, changed as the image is.
void add_image_answers(const Task& task, const Part& part, std::size_t index, const Change& change, Batch& batch) {
  if (traits_of(task.kind).answers != Answers::pixels) return batch.answers.push_back(part.images.labels[index]);
  add_mask(part, index, change, batch);
}

void add_window(const Task& task, const Part& part, std::size_t start, Batch& batch) {
  const auto first = part.tokens.begin() + static_cast<std::ptrdiff_t>(start);
  batch.tokens.insert(batch.tokens.end(), first, first + task.context);
  batch.answers.insert(batch.answers.end(), first + 1, first + 1 + task.context);
}

void add_text(const Task& task, const std::vector<std::int32_t>& sequence, Batch& batch) {
  batch.tokens.insert(batch.tokens.end(), sequence.begin(), sequence.end());
  batch.tokens.resize(batch.tokens.size() + static_cast<std::size_t>(task.shape.tokens) - sequence.size());
  if (task.shape.unequal) batch.lengths.push_back(static_cast<Index>(sequence.size()));
}

void add_tokens(const Task& task, const Part& part, std::size_t index, Batch& batch) {
  const ModelTraits& kind = traits_of(task.kind);
  if (kind.answers == Answers::next_token)
    return add_window(task, part, index * static_cast<std::size_t>(task.context), batch);
  batch.answers.push_back(part.labels[index]);
  const auto texts = static_cast<std::size_t>(kind.texts);
  for (std::size_t text = texts * index; text < texts * (index + 1); ++text)
    add_text(task, part.sequences[text], batch);
}

void add_series(const Task& task, const Part& part, std::size_t index, Batch& batch) {
  const data::SeriesSet& set = part.series;
  const std::size_t entries = set.lengths[index] * set.dimensions, begin = set.starts[index];
  for (std::size_t i = 0; i < entries; ++i) {
    const Moments& moments = task.channels[i % set.dimensions];
    batch.values.push_back(set.observed[begin + i] == 0
                               ? 0.0F
                               : static_cast<float>((set.values[begin + i] - moments.mean) / moments.deviation));
  }
  batch.values.resize(batch.values.size() + static_cast<std::size_t>(task.shape.tokens) * set.dimensions - entries);
  if (task.shape.unequal) batch.lengths.push_back(static_cast<Index>(set.lengths[index]));
  if (task.shape.regression)
    batch.targets.push_back(static_cast<float>((set.targets[index] - task.targets.mean) / task.targets.deviation));
  else
    batch.answers.push_back(set.labels[index]);
}

void add_token_example(const Task& task, const TokenExamples& all, std::size_t index, Batch& batch) {
  const auto tokens = static_cast<std::size_t>(task.shape.tokens);
  const auto append = [&](const auto& from, auto& to, std::size_t size) {
    if (from.empty()) return;
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(index * size);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(size));
  };
  append(all.tokens, batch.tokens, tokens);
  append(all.values, batch.values, tokens * static_cast<std::size_t>(task.shape.dimensions));
  append(all.answers, batch.answers, tokens);
  append(all.targets, batch.targets, tokens);
}

void add(const Task& task, const Part& part, std::size_t index, const Change& change, Batch& batch) {
  ++batch.count;
  if (task.shape.per_token) return add_token_example(task, part.per_token, index, batch);
  switch (traits_of(task.kind).reads) {
    case Reads::patches:
      add_image(task, part, index, change, batch);
      return add_image_answers(task, part, index, change, batch);
    case Reads::tokens:
      return add_tokens(task, part, index, batch);
    case Reads::steps:
      return add_series(task, part, index, batch);
  }
}

template <class T>
void add_to_digest(std::uint64_t& digest, const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());  // NOLINT
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) digest = (digest ^ bytes[i]) * 1099511628211U;
}

}  // namespace

std::uint64_t digest_of(const Batch& batch) {
  std::uint64_t digest = 14695981039346656037U;
  add_to_digest(digest, batch.values);
  add_to_digest(digest, batch.tokens);
  add_to_digest(digest, batch.lengths);
  add_to_digest(digest, batch.answers);
  add_to_digest(digest, batch.targets);
  return digest;
}

Index Task::answers_per_example() const {
  return traits_of(kind).answers == Answers::pixels ? shape.rows * shape.columns : std::max<Index>(1, context);
}

std::size_t Task::examples(const Part& part) const {
  if (shape.per_token) return part.per_token.count;
  const ModelTraits& row = traits_of(kind);
  switch (row.reads) {
    case Reads::patches:
      return part.images.count;
    case Reads::steps:
      return part.series.count();
    case Reads::tokens:
      break;
  }
  if (row.answers != Answers::next_token) return part.sequences.size() / static_cast<std::size_t>(row.texts);
  return part.tokens.empty() ? 0 : (part.tokens.size() - 1) / static_cast<std::size_t>(context);
}

Batch Task::batch(const Part& part, std::size_t first, std::size_t count) const {
  Batch batch;
  for (std::size_t i = first; i < first + count; ++i) add(*this, part, i, {}, batch);
  return batch;
}

Batch Task::training_batch(std::uint64_t seed, std::uint64_t number, Index size, EpochOrder& known) const {
  Batch batch;
  const auto wanted = static_cast<std::uint64_t>(size);
  if (traits_of(kind).answers == Answers::next_token) {
    random::Stream stream(seed, places_key, number);
    const std::size_t places = train.tokens.size() - static_cast<std::size_t>(context);
    for (std::uint64_t i = 0; i < wanted; ++i) add_window(*this, train, stream.integer(places), batch);
    batch.count = size;
    return batch;
  }
  const std::size_t count = examples(train);
  for (std::uint64_t at = number * wanted; at < (number + 1) * wanted; ++at) {
    if (known.order.size() != count || known.epoch != at / count)
      known = {at / count, shuffled(seed, at / count, count)};
    const Change change =
        augmentation == Augmentation{} ? Change{} : drawn_change(augmentation, random::Stream(seed, augment_key, at));
    add(*this, train, known.order[at % count], change, batch);
  }
  return batch;
}

}  // namespace attest::tasks
