// Witnesses as JSON: exact (hexadecimal floats), readable, and strict about what they accept.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/witness.hpp"

namespace attest::engine {

/// The witness as an object: claim, variant (the member `neighbour`), part, kind, inputs {name: ["0x1.8p+1", ...]},
/// values {name: [decimal]} for reading, relation, lhs, rhs, margin, precision_bits, and for a stochastic one seed,
/// effort and alpha.
nlohmann::ordered_json witness_to_json(const Witness& witness);

/// Inverse of `witness_to_json`; `values`, `lhs`, `rhs` and `margin` are not trusted and may be absent.
/// Errors: std::invalid_argument with one sentence naming the key, its value and the fix; `source` names the file.
Witness witness_from_json(const nlohmann::ordered_json& json, const std::string& source);

/// The JSON of a witness or evidence file. Errors: std::invalid_argument where it cannot be read or is not JSON.
nlohmann::ordered_json read_witness_json(const std::string& path);

/// Reads a witness file. Errors: as above, also when the file cannot be read or is not JSON.
Witness read_witness(const std::string& path);

}  // namespace attest::engine
