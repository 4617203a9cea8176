#include "theorems/referee/points/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "theorems/language/problem.hpp"
#include "theorems/referee/points/cases.hpp"
#include "theorems/referee/points/chosen_variables.hpp"
#include "theorems/referee/points/work.hpp"

namespace attest::referee {
namespace {

using language::Binder;
using language::Choices;
using language::Expr;
using language::Statement;

/// Where along its range a variable is taken: the least values, the middle, the end (of a size: up to `cap`), a draw
/// before it, and the declared end itself.
enum class Position : std::uint8_t { first, second, third, fourth, middle, end, drawn, last };

/// How far the declared end of a size is followed.
constexpr double largest_size = 1024;
/// What one point may take there, in bytes.
constexpr std::size_t memory_of_far_sizes = std::size_t{32} << 20;

double at_place(const Values& values, Position place, double cap, double shrink, random::Stream& stream) {
  const double lower = values.lower;
  // A range that begins where sizes usually end is taken as it is.
  const bool far = (place == Position::last && std::isfinite(values.upper)) || lower >= cap;
  const double most = std::min(values.upper, far ? std::max(cap, largest_size) : cap);
  const double end = std::max(lower, std::floor(most * shrink));
  switch (place) {
    case Position::first:
      return lower;
    case Position::second:
      return std::min(lower + 1, end);
    case Position::third:
      return std::min(lower + 2, end);
    case Position::fourth:
      return std::min(lower + 3, end);
    case Position::middle:
      return std::clamp(std::round(std::sqrt(std::max(lower, 1.0) * std::max(end, 1.0))), lower, end);
    case Position::end:
    case Position::last:
      return end;
    case Position::drawn: {
      // Log-uniform over what is above the lower end, so that small sizes are tried more often.
      const double width = end - lower + 1;
      return std::min(end, lower + std::floor(std::exp(stream.uniform() * std::log(width))) - (width > 1 ? 1 : 0));
    }
  }
  return lower;
}

/// Every choice, as long as there are at most `most`; false where there are more.
bool enumerate(const Statement& statement, const std::vector<Chosen>& variables, std::size_t at, Choices& prefix,
               std::size_t most, std::vector<Choices>& all) {
  if (at == variables.size()) {
    all.push_back(prefix);
    return all.size() <= most;
  }
  const Values values = values_of(statement, variables[at], prefix);
  if (!(values.count() <= static_cast<double>(most))) return false;
  for (double k = 0; k < values.count(); ++k) {
    prefix[variables[at].name] = values.listed.empty() ? values.lower + k : values.listed[static_cast<std::size_t>(k)];
    const bool fits = enumerate(statement, variables, at + 1, prefix, most, all);
    prefix.erase(variables[at].name);
    if (!fits) return false;
  }
  return true;
}

/// All choices that finite sets allow where ranges stand at these places.
void spread(const Statement& statement, const std::vector<Chosen>& variables, const std::vector<Position>& places,
            double shrink, std::size_t at, Choices& prefix, random::Stream& stream, std::vector<Choices>& all) {
  if (at == variables.size()) {
    if (std::find(all.begin(), all.end(), prefix) == all.end()) all.push_back(prefix);
    return;
  }
  const Values values = values_of(statement, variables[at], prefix);
  if (values.count() < 1)
    throw language::Problem(variables[at].set->place, fmt::format("'{}' has no value: the range {}..{} is empty",
                                                                  variables[at].name, values.lower, values.upper));
  std::vector<double> taken = values.listed;
  if (taken.size() > 6) taken = {taken.front(), taken[taken.size() / 2], taken.back()};
  if (taken.empty()) taken = {at_place(values, places[at], variables[at].cap, shrink, stream)};
  for (const double value : taken) {
    prefix[variables[at].name] = value;
    spread(statement, variables, places, shrink, at + 1, prefix, stream, all);
    prefix.erase(variables[at].name);
  }
}

std::vector<std::vector<Position>> all_places(std::size_t variables) {
  using enum Position;
  std::vector<std::vector<Position>> places;
  for (const Position same : {first, second, third, fourth, middle, end, last}) places.emplace_back(variables, same);
  // The place of one variable, and that of the others.
  constexpr std::pair<Position, Position> pairs[] = {{end, second},    {second, end}, {first, middle},
                                                     {end, first},     {first, end},  {middle, second},
                                                     {second, middle}, {end, middle}, {last, second}};
  for (std::size_t i = 0; i < variables && variables > 1; ++i) {
    for (const auto& [own, others] : pairs) {
      std::vector<Position> mixed(variables, others);
      mixed[i] = own;
      places.push_back(mixed);
    }
  }
  return places;
}

/// What was asked about first, and what did not fit.
struct Asked {
  std::optional<Choices> first;    ///< the least values come first
  std::exception_ptr first_error;  ///< why there is no program at these
  std::string left_out;            ///< where shapes do not fit
};

/// Whether the statement is meant at these sizes and cheap enough, with a program of at most `memory` bytes.
bool fits(const Statement& statement, const Choices& choices, double most_work, Asked& asked,
          std::size_t memory = language::default_memory_limit) {
  const bool first = !asked.first;
  if (first) asked.first = choices;
  try {
    return work_of(language::compile(statement, choices, memory)) <= most_work;
  } catch (const language::Oversized&) {
    if (first) asked.first_error = std::current_exception();
    return false;
  } catch (const language::Problem& problem) {
    if (first) asked.first_error = std::current_exception();
    if (asked.left_out.empty()) asked.left_out = fmt::format("{}, where {}", shown(choices), problem.sentence());
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Corners of the ranges, the least values, the middles and ends, then draws, at most about `most` choices.
std::vector<Choices> spread_out(const Statement& statement, const std::vector<Chosen>& variables,
                                const engine::Context& context, std::size_t most, double most_work, Asked& asked,
                                std::size_t memory = language::default_memory_limit) {
  std::vector<Choices> found;
  random::Stream stream(context.seed, context.key, 0x51235);
  const auto keep = [&](const std::vector<Position>& places, double shrink) {
    std::vector<Choices> here;
    Choices prefix;
    spread(statement, variables, places, shrink, 0, prefix, stream, here);
    bool kept = false;
    const bool far = std::find(places.begin(), places.end(), Position::last) != places.end();
    // What is false in high dimensions alone shows at the end: there a few points are worth much.
    constexpr double dear = 20;
    const bool at_end = context.effort >= 1 && shrink == 1 &&
                        std::ranges::all_of(places, [](Position p) { return p == Position::end; });
    const double work = at_end ? dear * most_work : most_work;
    Asked too_far;  // shapes that do not fit there need no word
    for (const Choices& choices : here) {
      if (std::find(found.begin(), found.end(), choices) != found.end()) {
        kept = true;
      } else if (far ? fits(statement, choices, work, too_far, memory_of_far_sizes)
                     : fits(statement, choices, work, asked, memory)) {
        kept = true;
        found.push_back(choices);
      }
    }
    return kept;
  };
  for (const std::vector<Position>& places : all_places(variables.size())) {
    // An end that is too large is halved until it fits.
    for (double shrink = 1; shrink > 1e-3 && !keep(places, shrink);) shrink /= 2;
  }
  std::size_t failed = 0;
  for (std::size_t k = 0; found.size() < most && k < 4 * most && failed < most; ++k)
    if (!keep(std::vector<Position>(variables.size(), Position::drawn), 1.0)) ++failed;
  return found;
}

double total(const Choices& choices) {
  double sum = 0;
  for (const auto& [name, value] : choices)
    if (std::isfinite(value)) sum += std::abs(value);
  return sum;
}

void put_in_order(Sizes& sizes) {
  std::stable_sort(sizes.tried.begin(), sizes.tried.end(),
                   [](const Choices& a, const Choices& b) { return total(a) < total(b); });
}

/// Whether all of them can be made and looked at with `most_flops`; told from some of them, the last included. True
/// for none.
bool affordable(const Statement& statement, const std::vector<Choices>& all, double most_flops) {
  if (all.empty()) return true;
  const std::size_t looked_at = std::min<std::size_t>(8, all.size());
  // Steps of making them all together.
  constexpr double most_steps = 1e7, least_steps = 200;
  const double steps = std::max(least_steps, 4 * most_steps / static_cast<double>(all.size()));
  const auto memory = static_cast<std::size_t>(steps * static_cast<double>(language::bytes_a_step));
  double work = 0;
  for (std::size_t k = 1; k <= looked_at; ++k) {
    try {
      work += work_of(language::compile(statement, all[k * all.size() / looked_at - 1], memory));
    } catch (const language::Oversized&) {
      return false;
    } catch (const language::Problem&) {
      continue;  // where the statement means nothing there is nothing to do
    }
  }
  return work / static_cast<double>(looked_at) * static_cast<double>(all.size()) <= most_flops;
}

void record_extents(const Statement& statement, const std::vector<Chosen>& variables, Sizes& sizes) {
  sizes.extents.clear();
  for (const Chosen& variable : variables) {
    Extent extent{.name = variable.name,
                  .range = variable.set->kind == language::SetKind::range,
                  .lower = std::numeric_limits<double>::infinity(),
                  .upper = -std::numeric_limits<double>::infinity()};
    for (const Choices& choices : sizes.tried) {
      const Values values = values_of(statement, variable, choices);
      extent.lower = std::min(extent.lower, values.lower);
      extent.upper = std::max(extent.upper, values.upper);
      extent.tried.push_back(choices.find(variable.name)->second);
    }
    std::sort(extent.tried.begin(), extent.tried.end());
    extent.tried.erase(std::unique(extent.tried.begin(), extent.tried.end()), extent.tried.end());
    sizes.extents.push_back(std::move(extent));
  }
}

}  // namespace

Sizes choose_sizes(const Statement& statement, const engine::Context& context, std::size_t most, double most_work) {
  Sizes sizes;
  std::vector<Chosen> variables = chosen_variables(statement);
  Choices prefix;
  std::vector<Choices> all;
  Asked asked;
  if (variables.empty()) {
    sizes.tried.emplace_back();
    sizes.exhaustive = true;
    return sizes;
  }
  // Without real variables a choice is one evaluation, and thousands of them are a proof.
  const bool random = std::any_of(statement.binders.begin(), statement.binders.end(), [](const Binder& binder) {
    return binder.quantifier == language::Quantifier::random;
  });
  const bool only_chosen =
      !random && std::none_of(statement.binders.begin(), statement.binders.end(), [&](const Binder& binder) {
        return std::any_of(binder.names.begin(), binder.names.end(), [&](const std::string& name) {
          return binder.quantifier != language::Quantifier::limit &&
                 std::none_of(variables.begin(), variables.end(), [&](const Chosen& v) { return v.name == name; });
        });
      });
  constexpr std::size_t many_cases = 4000, most_cases = 100000, judged_cases = 400, dear_cases = 100;
  const bool listed = enumerate(statement, variables, 0, prefix, only_chosen ? most_cases : most, all);
  const bool many = listed && all.size() > many_cases;
  const bool cheap = listed && (!only_chosen || affordable(statement, all, 2000 * most_work));
  if (many && cheap) {
    // All are looked at in doubles, the tightest are judged.
    sizes.tried = tightest_cases(statement, all, judged_cases, context);
    if (sizes.tried.empty()) (void)fits(statement, all.front(), most_work, asked);
    sizes.cases = all;
  } else if (cheap) {
    sizes.exhaustive = true;
    for (const Choices& choices : all)
      if (fits(statement, choices, most_work, asked))
        sizes.tried.push_back(choices);
      else
        sizes.exhaustive = false;
  } else {
    // Cases are many, and their numbers, which cost no work, are made for each.
    constexpr std::size_t memory_of_cases = std::size_t{4} << 20;
    constexpr double far_end = 1e6;
    if (only_chosen)
      for (Chosen& variable : variables) variable.cap = std::max(variable.cap, far_end);
    sizes.tried = only_chosen ? spread_out(statement, variables, context, listed ? dear_cases : judged_cases, most_work,
                                           asked, memory_of_cases)
                              : spread_out(statement, variables, context, most, most_work, asked);
    if (only_chosen)
      for (Choices& found : descended_cases(statement, tightest_cases(statement, sizes.tried, 20, context), context))
        if (std::find(sizes.tried.begin(), sizes.tried.end(), found) == sizes.tried.end())
          sizes.tried.push_back(std::move(found));
  }
  if (!asked.first) {
    // No variable has a value: the sentence about the least ones says where.
    prefix.clear();
    random::Stream stream(context.seed, context.key, 0x51235);
    spread(statement, variables, std::vector<Position>(variables.size(), Position::first), 1.0, 0, prefix, stream, all);
  }
  if (sizes.tried.empty()) {
    if (asked.first_error) std::rethrow_exception(asked.first_error);
    sizes.tried.push_back(asked.first.value());
  }
  sizes.left_out = asked.left_out;
  put_in_order(sizes);
  record_extents(statement, variables, sizes);
  return sizes;
}

Untried untried_choices(const Statement& statement, const Sizes& sizes, std::size_t most) {
  const std::vector<Chosen> variables = chosen_variables(statement);
  std::vector<Choices> all;
  Choices prefix;
  const bool complete = enumerate(statement, variables, 0, prefix, most, all);
  if (!complete) {
    all.clear();
    random::Stream stream(0, 0, 0);  // `second` draws nothing
    for (const Chosen& moved : variables) {
      prefix.clear();
      std::vector<Choices> seconds;
      spread(statement, variables, std::vector<Position>(variables.size(), Position::second), 1.0, 0, prefix, stream,
             seconds);
      for (const Choices& second : seconds) {
        const Values values = values_of(statement, moved, second);
        const double end = std::min(values.upper, moved.cap);
        if (!values.listed.empty() || end - values.lower >= static_cast<double>(most)) continue;
        for (double value = values.lower; value <= end && all.size() < most; ++value) {
          Choices here = second;
          here[moved.name] = value;
          if (outside_of_sets(statement, here).empty()) all.push_back(std::move(here));
        }
      }
    }
  }
  std::erase_if(all, [&](const Choices& each) { return std::ranges::find(sizes.tried, each) != sizes.tried.end(); });
  return {std::move(all), complete};
}

void add_choices(const Statement& statement, const std::vector<Choices>& choices, Sizes& sizes) {
  sizes.tried.insert(sizes.tried.end(), choices.begin(), choices.end());
  put_in_order(sizes);
  record_extents(statement, chosen_variables(statement), sizes);
}

std::string shown(const Choices& choices) {
  std::string text;
  for (const auto& [name, value] : choices) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace attest::referee
