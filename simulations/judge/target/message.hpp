// Requests and answers as bytes: a JSON header, then the arrays one after the other.
#pragma once

#include <string>

#include "simulations/judge/target/target.hpp"

namespace attest::judge {

/// {"options", "arrays": [{"name", "dtype", "shape", "bytes"}]} as text after its length (8 bytes, little-endian), then
/// the bytes of the arrays in that order.
std::string message_of(const Request& request);

/// The same without the bytes of the arrays, which are elsewhere in that order.
std::string message_beside(const Request& request);

/// The length of what follows the header. Errors: std::invalid_argument when the header is not a such JSON.
std::size_t payload_bytes(const nlohmann::json& header);

/// The answer of a header ({"status", "message", "arrays", "unusable", "changed"}) and the bytes after it. Errors:
/// std::invalid_argument when they do not fit each other.
Answer answer_from(const nlohmann::json& header, std::string_view payload);

/// The request of a header and the bytes after it. Errors: as answer_from.
Request request_from(const nlohmann::json& header, std::string_view payload);

/// As message_of, of an answer.
std::string message_of(const Answer& answer);

}  // namespace attest::judge
