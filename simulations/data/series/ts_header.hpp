// The header of a .ts file (UEA, UCR and time-series regression archives).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/data/files/lines.hpp"

namespace attest::data {

/// What the lines before @data say. Keys are read whatever their case.
struct TsHeader {
  std::string problem;
  bool timestamps = false;
  bool missing = false;  ///< whether values may be missing; a header without @missing allows none
  std::optional<bool> univariate;
  std::optional<bool> equal_length;
  std::optional<std::size_t> dimensions;
  std::optional<std::size_t> series_length;
  bool regression = false;           ///< @targetLabel true, or the older @classLabel false
  std::vector<std::string> classes;  ///< @classLabel true NAME...
};

/// Reads up to and with @data. Errors: MalformedData naming the line when a key is unknown, given twice, has a value
/// it cannot have, or the header contradicts itself; when @data is missing, or neither @classLabel nor @targetLabel is
/// there; when there are timestamps, which are not read.
TsHeader read_ts_header(LineReader& reader, const std::string& name);

}  // namespace attest::data
