#include "simulations/data/images/pathfinder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/core.h>

#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"

namespace attest::data {
namespace {

constexpr int tries_a_scene = 10'000;
constexpr int tries_a_dash = 30;

double squared_distance(PixelPoint p, const Dash& dash) {
  const double dx = dash.to.x - dash.from.x;
  const double dy = dash.to.y - dash.from.y;
  const double along = ((p.x - dash.from.x) * dx + (p.y - dash.from.y) * dy) / (dx * dx + dy * dy);
  const double t = std::clamp(along, 0.0, 1.0);
  const double ex = p.x - dash.from.x - t * dx;
  const double ey = p.y - dash.from.y - t * dy;
  return ex * ex + ey * ey;
}

// Of two dashes that do not cross, an end is nearest; dashes that cross by less than their length have a middle or an
// end within reach of the clearance.
double squared_distance(const Dash& a, const Dash& b) {
  const PixelPoint middle{(a.from.x + a.to.x) / 2, (a.from.y + a.to.y) / 2};
  return std::min({squared_distance(a.from, b), squared_distance(a.to, b), squared_distance(middle, b),
                   squared_distance(b.from, a), squared_distance(b.to, a)});
}

struct Growth {
  std::vector<Dash> dashes;
  double angle = 0;
};

// One scene in the making.
class Scene {
 public:
  Scene(const PathfinderOptions& options, random::Stream& stream) : options_(options), stream_(stream) {}

  // The two long curves, grown dash by dash in turn, so that neither has the better place.
  bool long_curves() {
    const auto side = static_cast<double>(options_.side);
    const double inner = std::min(2 * options_.seed_distance, side / 2 - 1);
    const PixelPoint first{stream_.uniform(inner, side - inner), stream_.uniform(inner, side - inner)};
    const double turn = stream_.uniform(0, 2 * std::numbers::pi);
    const PixelPoint second{first.x + options_.seed_distance * std::cos(turn),
                            first.y + options_.seed_distance * std::sin(turn)};
    curves_.assign(2, {});
    for (std::size_t c = 0; c < 2; ++c) {
      if (!begin(c, c == 0 ? first : second)) return false;
    }
    for (std::size_t dash = 1; dash < options_.dashes; ++dash) {
      for (std::size_t c = 0; c < 2; ++c) {
        if (!extend(c)) return false;
      }
    }
    return true;
  }

  // Short curves, as many as find room.
  void short_curves() {
    const auto side = static_cast<double>(options_.side);
    for (std::size_t i = 0; i < options_.distractors; ++i) {
      for (int attempt = 0; attempt < options_.distractor_tries; ++attempt) {
        curves_.emplace_back();
        const std::size_t c = curves_.size() - 1;
        const PixelPoint start{stream_.uniform(0, side), stream_.uniform(0, side)};
        bool whole = begin(c, start);
        while (whole && curves_[c].dashes.size() < options_.distractor_dashes) whole = extend(c);
        if (whole) break;
        curves_.pop_back();
      }
    }
  }

  std::vector<std::vector<Dash>> take() {
    std::vector<std::vector<Dash>> curves;
    for (Growth& curve : curves_) curves.push_back(std::move(curve.dashes));
    return curves;
  }

 private:
  bool begin(std::size_t curve, PixelPoint start) {
    return add(curve, start, stream_.uniform(-std::numbers::pi, std::numbers::pi));
  }

  bool extend(std::size_t curve) {
    for (int attempt = 0; attempt < tries_a_dash; ++attempt) {
      // By rejection: density proportional to cos^2.
      const double bend = stream_.uniform(-std::numbers::pi / 2, std::numbers::pi / 2);
      const bool accepted = stream_.uniform() < std::cos(bend) * std::cos(bend);
      if (!accepted) continue;
      const Growth& grown = curves_[curve];
      const double angle = grown.angle + bend;
      // Half of the gap on either side of the joint, so that curves bend between dashes.
      const PixelPoint end = grown.dashes.back().to;
      const double half = options_.gap / 2;
      const PixelPoint start{end.x + half * (std::cos(grown.angle) + std::cos(angle)),
                             end.y + half * (std::sin(grown.angle) + std::sin(angle))};
      if (add(curve, start, angle)) return true;
    }
    return false;
  }

  // Adds a dash where there is room for it.
  bool add(std::size_t curve, PixelPoint start, double angle) {
    const Dash dash{
        start, {start.x + options_.dash_length * std::cos(angle), start.y + options_.dash_length * std::sin(angle)}};
    const double last = static_cast<double>(options_.side) - options_.border;
    for (const PixelPoint& p : {dash.from, dash.to}) {
      if (!(p.x >= options_.border && p.x <= last && p.y >= options_.border && p.y <= last)) return false;
    }
    const double least = options_.clearance * options_.clearance;
    // Dashes whose middles are farther apart than this are clear of each other without a closer look.
    const double far = options_.dash_length + options_.clearance;
    for (std::size_t c = 0; c < curves_.size(); ++c) {
      const std::vector<Dash>& others = curves_[c].dashes;
      // The dash before on the same curve is nearer by right.
      const std::size_t count = c == curve && !others.empty() ? others.size() - 1 : others.size();
      for (std::size_t i = 0; i < count; ++i) {
        const double dx = (dash.from.x + dash.to.x - others[i].from.x - others[i].to.x) / 2;
        const double dy = (dash.from.y + dash.to.y - others[i].from.y - others[i].to.y) / 2;
        if (dx * dx + dy * dy >= far * far) continue;
        if (!(squared_distance(dash, others[i]) >= least)) return false;
      }
    }
    curves_[curve].dashes.push_back(dash);
    curves_[curve].angle = angle;
    return true;
  }

  const PathfinderOptions& options_;
  random::Stream& stream_;
  std::vector<Growth> curves_;
};

constexpr std::size_t points_a_side = 4;  // of a pixel

// Brightness at points_a_side^2 points a pixel; shapes are laid on it one after the other.
class Canvas {
 public:
  explicit Canvas(std::size_t side) : width_(side * points_a_side), points_(width_ * width_) {}

  // Raises to `level` every point of the square about `centre` that is inside.
  template <class Inside>
  void lay(PixelPoint centre, double reach, double level, Inside inside) {
    const auto cell = [&](double coordinate) {
      const double position = std::clamp(coordinate * points_a_side, 0.0, static_cast<double>(width_));
      return static_cast<std::size_t>(position);
    };
    const std::size_t last_row = std::min(cell(centre.y + reach) + 1, width_);
    const std::size_t last_column = std::min(cell(centre.x + reach) + 1, width_);
    for (std::size_t row = cell(centre.y - reach); row < last_row; ++row) {
      for (std::size_t column = cell(centre.x - reach); column < last_column; ++column) {
        const PixelPoint p{(static_cast<double>(column) + 0.5) / points_a_side,
                           (static_cast<double>(row) + 0.5) / points_a_side};
        double& point = points_[row * width_ + column];
        if (inside(p)) point = std::max(point, level);
      }
    }
  }

  // The mean of a pixel's points, 255 for 1 and above.
  std::uint8_t pixel(std::size_t row, std::size_t column) const {
    double sum = 0;
    for (std::size_t y = 0; y < points_a_side; ++y) {
      for (std::size_t x = 0; x < points_a_side; ++x)
        sum += points_[(row * points_a_side + y) * width_ + column * points_a_side + x];
    }
    return static_cast<std::uint8_t>(std::lround(255 * std::min(1.0, sum / (points_a_side * points_a_side))));
  }

 private:
  std::size_t width_;
  std::vector<double> points_;
};

}  // namespace

PathfinderScene pathfinder_scene(const PathfinderOptions& options, std::uint64_t seed, std::uint64_t sample) {
  if (options.side < 4 || options.dashes < 1 || !(options.dash_length > 0)) {
    throw std::invalid_argument(
        fmt::format("Pathfinder images of side {} with {} dashes of length {} cannot be drawn; "
                    "give a side of at least 4, a dash and a positive length",
                    options.side, options.dashes, options.dash_length));
  }
  random::Stream stream(seed, random::stream_key("data/pathfinder"), sample);
  for (int attempt = 0; attempt < tries_a_scene; ++attempt) {
    Scene growing(options, stream);
    if (!growing.long_curves()) continue;
    growing.short_curves();
    PathfinderScene scene{growing.take(), {}, static_cast<std::int32_t>(stream.integer(2))};
    const std::size_t marked = stream.integer(2);
    scene.discs[0] = scene.curves[marked].front().from;
    scene.discs[1] = scene.curves[scene.label == 1 ? marked : 1 - marked].back().to;
    return scene;
  }
  throw std::invalid_argument(
      fmt::format("no room for two curves of {} dashes in {} x {} pixels; give fewer dashes or a "
                  "larger side",
                  options.dashes, options.side, options.side));
}

std::vector<std::uint8_t> draw(const PathfinderScene& scene, const PathfinderOptions& options) {
  Canvas canvas(options.side);
  const double half = options.dash_thickness / 2;
  for (std::size_t curve = 0; curve < scene.curves.size(); ++curve) {
    const double contrast = curve < 2 ? options.contrast : options.distractor_contrast;
    for (const Dash& dash : scene.curves[curve]) {
      const PixelPoint middle{(dash.from.x + dash.to.x) / 2, (dash.from.y + dash.to.y) / 2};
      canvas.lay(middle, options.dash_length / 2 + half, contrast,
                 [&](PixelPoint p) { return squared_distance(p, dash) <= half * half; });
    }
  }
  for (const PixelPoint& disc : scene.discs) {
    canvas.lay(disc, options.disc_radius, 1, [&](PixelPoint p) {
      const double dx = p.x - disc.x;
      const double dy = p.y - disc.y;
      return dx * dx + dy * dy <= options.disc_radius * options.disc_radius;
    });
  }
  std::vector<std::uint8_t> pixels;
  pixels.reserve(options.side * options.side);
  for (std::size_t row = 0; row < options.side; ++row) {
    for (std::size_t column = 0; column < options.side; ++column) pixels.push_back(canvas.pixel(row, column));
  }
  return pixels;
}

LabelledImages generate_pathfinder(const PathfinderOptions& options, std::uint64_t seed, std::uint64_t first,
                                   std::size_t count, unsigned threads) {
  const std::size_t size = options.side * options.side;
  LabelledImages images{count,
                        1,
                        options.side,
                        options.side,
                        std::vector<std::uint8_t>(count * size),
                        std::vector<std::int32_t>(count),
                        numbered_labels(2)};
  parallel::for_each_block(static_cast<std::int64_t>(count), threads, [&](std::int64_t block) {
    const auto i = static_cast<std::size_t>(block);
    const PathfinderScene scene = pathfinder_scene(options, seed, first + i);
    const std::vector<std::uint8_t> pixels = draw(scene, options);
    std::copy(pixels.begin(), pixels.end(), images.pixels.begin() + static_cast<std::ptrdiff_t>(i * size));
    images.labels[i] = scene.label;
  });
  return images;
}

}  // namespace attest::data
