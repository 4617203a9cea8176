// The six verdicts and the words that go with them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace attest::reports {

/// What a check concluded about a statement; `description` says what each one means.
enum class Verdict { certified, supported, refuted, undecided, vacuous, error };

/// All verdicts, in the order in which every table and legend lists them.
inline constexpr std::array<Verdict, 6> all_verdicts = {Verdict::certified, Verdict::supported, Verdict::refuted,
                                                        Verdict::undecided, Verdict::vacuous,   Verdict::error};

/// The verdict's name as it stands in results documents.
std::string_view name(Verdict verdict);

/// The verdict of that name, or nothing when no verdict is called so.
std::optional<Verdict> verdict_named(std::string_view name);

/// One character that stands for the verdict where there is no room for its name (UTF-8).
std::string_view symbol(Verdict verdict);

/// What a reader may conclude from this verdict, in one sentence or a few.
std::string_view description(Verdict verdict);

}  // namespace attest::reports
