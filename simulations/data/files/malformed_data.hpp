// What every reader of data throws when a file holds something else than its format allows.
#pragma once

#include <stdexcept>

namespace attest::data {

/// A file is truncated, damaged, mislabelled or holds what its format forbids; the message is one sentence that names
/// the file, the line, record or offset, and the fix. (Files that cannot be read at all are std::runtime_error.)
struct MalformedData : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace attest::data
