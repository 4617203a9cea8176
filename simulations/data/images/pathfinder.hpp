// Our own Pathfinder images, after Linsley et al. 2018 with the Long Range Arena's settings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulations/data/images/labelled_images.hpp"

namespace attest::data {

/// Lengths in pixels. The defaults are Pathfinder32 with 14 dashes per curve (the Long Range Arena's hard set).
struct PathfinderOptions {
  std::size_t side = 32;
  std::size_t dashes = 14;            ///< of each of the two long curves
  std::size_t distractors = 5;        ///< short curves that carry no disc
  int distractor_tries = 4;           ///< to find room for one; crowded pictures have fewer short curves
  std::size_t distractor_dashes = 4;  ///< of each short curve
  double dash_length = 2;
  double dash_thickness = 0.5;
  double gap = 2;            ///< between dashes of a curve: a margin of 1 at both their ends
  double border = 1;         ///< least distance of a dash's ends from the border
  double clearance = 2;      ///< least distance between the middles of dashes' lines that do not follow each other
  double seed_distance = 7;  ///< between the first ends of the two long curves
  double disc_radius = 1.5;
  double contrast = 1.5;  ///< a long curve's brightness where it covers a point, before a pixel's mean is cut at 1
  double distractor_contrast = 2;  ///< the same of a short curve
};

struct PixelPoint {
  double x = 0;  ///< to the right
  double y = 0;  ///< down
};

/// A straight dash from one end to the other.
struct Dash {
  PixelPoint from;
  PixelPoint to;
};

/// A picture before it is drawn. Curve 0 and 1 are the long ones; label 1 says that both discs lie on one of them.
struct PathfinderScene {
  std::vector<std::vector<Dash>> curves;
  std::array<PixelPoint, 2> discs;
  std::int32_t label = 0;
};

/// Scene `sample`: a pure function of options, seed and sample, from the stream (seed, "data/pathfinder", sample).
/// Curves turn from dash to dash by an angle of density proportional to cos^2 on (-pi/2, pi/2); one disc lies on the
/// first end of one long curve, the other on the last end of the same (label 1) or of the other (label 0), each with
/// probability 1/2. Errors: std::invalid_argument when the options leave no room (10^4 tries per scene).
PathfinderScene pathfinder_scene(const PathfinderOptions& options, std::uint64_t seed, std::uint64_t sample);

/// The grey picture, row by row: each pixel's brightness is the mean over 4 x 4 points, 255 the brightest.
std::vector<std::uint8_t> draw(const PathfinderScene& scene, const PathfinderOptions& options);

/// Images of scenes first, ..., first + count - 1, with the same bits for any number of threads (0: one per core).
/// Splits are ranges of scenes. Memory: side^2 + 4 bytes per image. Errors: as pathfinder_scene.
LabelledImages generate_pathfinder(const PathfinderOptions& options, std::uint64_t seed, std::uint64_t first,
                                   std::size_t count, unsigned threads);

}  // namespace attest::data
