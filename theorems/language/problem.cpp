#include "theorems/language/problem.hpp"

#include <fmt/format.h>

namespace attest::language {
namespace {

/// Nodes that were made rather than read stand nowhere.
std::string with_place(Place place, const std::string& sentence) {
  return place.line > 0 ? fmt::format("line {}, column {}: {}", place.line, place.column, sentence) : sentence;
}

}  // namespace

Problem::Problem(Place place, const std::string& sentence)
    : std::runtime_error(with_place(place, sentence)), place_(place), sentence_(sentence) {}

}  // namespace attest::language
