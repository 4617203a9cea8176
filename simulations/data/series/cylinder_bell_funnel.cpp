#include "simulations/data/series/cylinder_bell_funnel.hpp"

#include "kernels/random/stream.hpp"

namespace attest::data {
namespace {

constexpr std::size_t steps = 128;
enum Shape : std::int32_t { cylinder, bell, funnel, shapes };

double level(std::int32_t shape, double t, double a, double b) {
  if (t < a || t > b) return 0;
  if (shape == bell) return (t - a) / (b - a);
  return shape == funnel ? (b - t) / (b - a) : 1;
}

}  // namespace

SeriesSet generate_cylinder_bell_funnel(std::uint64_t seed, std::uint64_t first, std::size_t count) {
  SeriesSet set;
  set.problem = "cylinder-bell-funnel";
  set.dimensions = 1;
  set.classes.names = {"cylinder", "bell", "funnel"};
  set.lengths.assign(count, steps);
  set.observed.assign(count * steps, 1);
  for (std::uint64_t i = first; i < first + count; ++i) {
    random::Stream stream(seed, random::stream_key("data/cylinder-bell-funnel"), i);
    const auto shape = static_cast<std::int32_t>(stream.integer(shapes));
    const auto a = static_cast<double>(16 + stream.integer(17));
    const double b = a + static_cast<double>(32 + stream.integer(65));
    const double height = 6 + stream.normal();
    set.starts.push_back(set.values.size());
    set.labels.push_back(shape);
    for (std::size_t t = 1; t <= steps; ++t)
      set.values.push_back(height * level(shape, static_cast<double>(t), a, b) + stream.normal());
  }
  return set;
}

}  // namespace attest::data
