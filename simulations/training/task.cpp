#include "simulations/training/task.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/random/stream.hpp"

namespace attest::training {
namespace {

constexpr std::uint32_t order_key = random::claim_key("training/order");
constexpr std::uint32_t places_key = random::claim_key("training/places");

/// Fisher and Yates's shuffle of 0 .. count - 1.
std::vector<std::size_t> epoch_order(std::uint64_t seed, std::uint64_t epoch, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random::Stream stream(seed, order_key, epoch);
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[stream.integer(left)]);
  return order;
}

void add_image(const Task& task, const Part& part, std::size_t index, Batch& batch) {
  for (const std::uint8_t pixel : part.images.image(index))
    batch.pixels.push_back(static_cast<float>((static_cast<double>(pixel) / 255 - task.mean) / task.deviation));
  batch.answers.push_back(part.labels[index]);
}

void add_window(const Task& task, const Part& part, std::size_t start, Batch& batch) {
  const auto first = part.tokens.begin() + static_cast<std::ptrdiff_t>(start);
  batch.tokens.insert(batch.tokens.end(), first, first + task.context);
  batch.answers.insert(batch.answers.end(), first + 1, first + 1 + task.context);
}

}  // namespace

std::size_t Task::examples(const Part& part) const {
  if (context == 0) return part.images.count;
  return part.tokens.empty() ? 0 : (part.tokens.size() - 1) / static_cast<std::size_t>(context);
}

Batch Task::batch(const Part& part, std::size_t first, std::size_t count) const {
  Batch batch;
  for (std::size_t i = first; i < first + count; ++i) {
    if (context == 0)
      add_image(*this, part, i, batch);
    else
      add_window(*this, part, i * static_cast<std::size_t>(context), batch);
  }
  return batch;
}

Batch Task::training_batch(std::uint64_t seed, std::uint64_t number, Index size) const {
  Batch batch;
  const auto wanted = static_cast<std::uint64_t>(size);
  if (context > 0) {
    random::Stream stream(seed, places_key, number);
    const std::size_t places = train.tokens.size() - static_cast<std::size_t>(context);
    for (std::uint64_t i = 0; i < wanted; ++i) add_window(*this, train, stream.integer(places), batch);
    return batch;
  }
  const std::size_t count = train.images.count;
  std::vector<std::size_t> order;
  for (std::uint64_t at = number * wanted; at < (number + 1) * wanted; ++at) {
    if (order.empty() || at % count == 0) order = epoch_order(seed, at / count, count);
    add_image(*this, train, order[at % count], batch);
  }
  return batch;
}

}  // namespace attest::training
