// Base64, for data: URIs.
#pragma once

#include <string>
#include <string_view>

namespace attest::reports::html {

/// `bytes` in base64 (RFC 4648, with padding, on one line).
std::string base64(std::string_view bytes);

}  // namespace attest::reports::html
