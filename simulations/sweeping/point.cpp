#include "simulations/sweeping/point.hpp"

#include <cmath>
#include <unordered_set>

#include <boost/random/sobol.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/format.h>

#include "kernels/random/stream.hpp"

namespace attest::sweeps {
namespace {

using quantities::Value;
using Values = std::map<std::string, Value, std::less<>>;

boost::uuids::uuid content_hash(const quantities::Quantity& quantity, const quantities::Arguments& arguments,
                                std::uint64_t seed, std::uint64_t samples) {
  if (quantity.deterministic()) seed = samples = 0;
  // "budget" is the earlier name of the samples; another word here would give every stored point another address.
  std::string content =
      fmt::format("attest point\n{} version {}\nseed {}\nbudget {}\n", quantity.name, quantity.version, seed, samples);
  for (const auto& [name, value] : arguments.values()) {
    const auto* number = std::get_if<double>(&value);
    content += number != nullptr ? fmt::format("{} = {:a}\n", name, *number + 0.0)  // -0 is 0
                                 : fmt::format("{} = \"{}\"\n", name, std::get<std::string>(value));
  }
  return boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(content);
}

Point make_point(const Spec& spec, const Values& given) {
  quantities::Arguments arguments = complete(*spec.quantity, given);
  const boost::uuids::uuid hash = content_hash(*spec.quantity, arguments, spec.seed, spec.samples);
  // A point with more samples begins with the same ones: its intervals hold at every stopping time.
  const boost::uuids::uuid streams = content_hash(*spec.quantity, arguments, spec.seed, 0);
  std::uint64_t seed = 0;
  for (int i = 0; i < 8; ++i) seed = seed << 8U | streams.data[i];
  return {std::move(arguments), to_string(hash), seed};
}

Value in_range(const Axis& axis, double share) {
  double value =
      axis.logarithmic ? axis.from * std::pow(axis.to / axis.from, share) : axis.from + (axis.to - axis.from) * share;
  if (axis.parameter->kind == quantities::Parameter::Kind::integer) value = std::round(value);
  return std::min(std::max(value, axis.from), axis.to);
}

/// The values of the drawn axes at every point of the design; one empty set for a plain grid.
std::vector<Values> drawn_values(const Spec& spec) {
  std::vector<const Axis*> axes;
  for (const Axis& axis : spec.axes)
    if (axis.drawn()) axes.push_back(&axis);
  if (axes.empty()) return {{}};
  boost::random::sobol sequence(axes.size());
  std::vector<Values> all(spec.drawn_points);
  for (std::size_t i = 0; i < all.size(); ++i) {
    random::Stream stream(spec.seed, random::stream_key("random design of a sweep"), i);
    for (const Axis* axis : axes) {
      const std::uint64_t word = spec.design == Design::sobol ? sequence() : stream.next_u64();
      all[i].emplace(axis->parameter->name, in_range(*axis, random::Stream::to_unit(word)));
    }
  }
  return all;
}

}  // namespace

std::string address(const quantities::Quantity& quantity, const quantities::Arguments& arguments, std::uint64_t seed,
                    std::uint64_t samples) {
  return to_string(content_hash(quantity, arguments, seed, samples));
}

std::vector<Point> points_of(const Spec& spec) {
  std::vector<const Axis*> grid;
  for (const Axis& axis : spec.axes)
    if (!axis.drawn()) grid.push_back(&axis);
  const std::vector<Values> drawn = drawn_values(spec);
  std::vector<Point> points;
  std::unordered_set<std::string> seen;
  std::vector<std::size_t> place(grid.size(), 0);
  for (bool more = true; more;) {
    for (const Values& values : drawn) {
      Values given = spec.fixed;
      given.insert(values.begin(), values.end());
      for (std::size_t i = 0; i < grid.size(); ++i) given.emplace(grid[i]->parameter->name, grid[i]->values[place[i]]);
      Point point = make_point(spec, given);
      if (seen.insert(point.id).second) points.push_back(std::move(point));
    }
    std::size_t axis = grid.size();
    while (axis > 0 && ++place[axis - 1] == grid[axis - 1]->values.size()) place[--axis] = 0;
    more = axis > 0;
  }
  return points;
}

std::string label(const Spec& spec, const Point& point) {
  std::string words;
  for (const Axis& axis : spec.axes)
    words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", axis.parameter->name,
                         quantities::text(point.arguments.values().find(axis.parameter->name)->second));
  return words;
}

}  // namespace attest::sweeps
