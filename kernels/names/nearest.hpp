// What somebody may have meant by an unknown name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attest::names {

/// Up to `most` of `names`, nearest first by the number of letters to insert, delete or replace (one for a name that
/// begins with the three letters or more of `wanted`); ties in their order, none twice. Beside the nearest stand only
/// those that are one letter further at most.
std::vector<std::string> nearest(std::vector<std::string> names, std::string_view wanted, std::size_t most);

/// The one of `names` that `wanted` was probably meant to be, two letters from it at most, counted as by nearest(), and
/// fewer than half of its letters; empty where there is none.
std::string mistyped(std::vector<std::string> names, std::string_view wanted);

}  // namespace attest::names
