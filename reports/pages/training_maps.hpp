// The pictures of where trained vision models look, for their report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/record/results.hpp"

namespace attest::reports {

/// The folder beside a training's summary that holds VARIANT-seed-N-image-I.png.
inline constexpr const char* maps_folder_name = "maps";

/// One gallery per image, I = 0, 1, ... up to the first that no variant has a picture of and eight at most, of what the
/// variants trained with `seed` make of it, in their order; a variant without a picture (its mechanism is not a matrix)
/// is left out. Errors: IoError.
std::vector<Gallery> attention_galleries(const std::filesystem::path& directory,
                                         const std::vector<std::string>& variants, std::uint64_t seed);

}  // namespace attest::reports
