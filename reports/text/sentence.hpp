// Remarks as sentences.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

/// `text` with a capital at the front, unless a symbol stands there, and a full stop at the end. Empty stays empty.
std::string as_sentence(std::string_view text);

}  // namespace attest::reports
