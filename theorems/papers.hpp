// The papers whose statements the suite judges.
#pragma once

#include <span>
#include <string_view>

namespace attest::engine {

/// A paper of the suite.
struct Paper {
  std::string_view key;  ///< the part of its statements' ids before the slash
  std::string_view title;
};

/// All papers, in the order in which reports show them.
std::span<const Paper> papers();

}  // namespace attest::engine
