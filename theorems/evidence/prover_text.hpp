// Scalar terms and claims as Coq and Lean spell them.
#pragma once

#include <string>

#include "theorems/evidence/scalar_terms.hpp"

namespace attest::evidence {

enum class Prover : std::uint8_t { coq, lean };

std::string text_of(const TermPointer& term, Prover prover);
std::string text_of(const TermClaim& claim, Prover prover);

/// The claim's denial, brought inwards to its relations: a < b for not a >= b.
TermClaim denial_of(const TermClaim& claim);

/// What must hold for the claim's quotients, roots and logarithms to be defined, where their form does not show it.
std::vector<TermClaim> definedness_of(const TermClaim& claim);

/// The arguments of exp in the claim, as text, each once.
std::vector<std::string> exponents_of(const TermClaim& claim, Prover prover);

/// The relations that the claim is made of are all equalities.
bool equalities_only(const TermClaim& claim);

}  // namespace attest::evidence
