// What somebody may have meant by an unknown name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attest::names {

/// Up to `most` of `names` that `wanted` may have been meant to be, nearest first by the number of letters to insert,
/// delete or replace (one where either begins with the three letters or more of the other); ties in their order, none
/// twice. A name is near when no more than every third letter of `wanted`, and not all of them, are to be changed
/// (rounded up); beside the nearest stand only those that are one letter further at most.
std::vector<std::string> nearest(std::vector<std::string> names, std::string_view wanted, std::size_t most);

/// How the refusal of a name that is not among `names` ends: "; did you mean heads or head? OTHERWISE" with up to three
/// that are near, and where none is "; OTHERWISE". Without `otherwise`, "there are NAMES" stands in its place where
/// nothing is near and the names are a dozen at most; without names the end is empty.
std::string did_you_mean(const std::vector<std::string>& names, std::string_view wanted,
                         std::string_view otherwise = "");

}  // namespace attest::names
