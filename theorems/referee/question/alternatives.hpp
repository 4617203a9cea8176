// What exists among finitely many whole numbers, written out.
#pragma once

#include "theorems/language/tree.hpp"

namespace attest::referee {

/// `forall x in S: exists k in a..b where c: claim` as `forall x in S: any(k in a..b: c and claim)`, for each name that
/// `exists` binds to a finite range after `forall`, unless a definition, a recursion or a later set or condition
/// depends on it; a condition after the claim that depends on it goes with c. Every other statement stays as it is, and
/// raw numbers keep their places.
language::Statement with_alternatives(language::Statement statement);

}  // namespace attest::referee
