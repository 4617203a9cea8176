// A dense array of any rank, row-major, that owns its memory: what the attention library takes and returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attest::attention {

using Index = std::int64_t;
using Shape = std::vector<Index>;

/// Number of entries of an array of this shape; 1 for rank 0. Precondition: no negative extent.
inline Index entries(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, [](Index a, Index b) { return a * b; });
}

/// Leaves entries without a value where none is given, so that memory about to be written is not written twice.
template <typename T>
struct UnfilledAllocator : std::allocator<T> {
  template <typename U>
  struct rebind {
    using other = UnfilledAllocator<U>;
  };
  template <typename U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

/// Row-major array; attention inputs are [batch][head][token][feature]. A value type; rank 1 with extent 0 when default
/// constructed ("absent").
template <typename T>
class Tensor {
 public:
  Tensor() : shape_{0} {}
  /// All entries zero. Errors: std::invalid_argument for a negative extent.
  explicit Tensor(Shape shape) : shape_(std::move(shape)), data_(size_of(shape_), T{}) {}
  /// Entries of no value: whoever asks for it writes them all. Errors: likewise.
  static Tensor unfilled(Shape shape) {  // NOLINT(performance-unnecessary-value-param): it is moved from
    Tensor result;
    result.shape_ = std::move(shape);
    result.data_.resize(size_of(result.shape_));
    return result;
  }
  /// Errors: std::invalid_argument when `data` has not as many entries as `shape`.
  Tensor(Shape shape, const std::vector<T>& data) : shape_(std::move(shape)), data_(data.begin(), data.end()) {
    if (static_cast<Index>(data_.size()) != entries(shape_))
      throw std::invalid_argument("an array's shape does not match its number of entries");
  }

  const Shape& shape() const { return shape_; }
  Index rank() const { return static_cast<Index>(shape_.size()); }
  /// Extent of one axis. Precondition: 0 <= axis < rank.
  Index extent(Index axis) const { return shape_[static_cast<std::size_t>(axis)]; }
  Index size() const { return static_cast<Index>(data_.size()); }
  bool empty() const { return data_.empty(); }

  T* data() { return data_.data(); }
  const T* data() const { return data_.data(); }
  std::span<T> values() { return data_; }
  std::span<const T> values() const { return data_; }

  /// Entry of a rank-4 array. No bounds are checked.
  T& at(Index b, Index h, Index n, Index d) { return data_[offset(b, h, n, d)]; }
  const T& at(Index b, Index h, Index n, Index d) const { return data_[offset(b, h, n, d)]; }

  bool operator==(const Tensor&) const = default;

 private:
  static std::size_t size_of(const Shape& shape) {
    for (const Index extent : shape)
      if (extent < 0) throw std::invalid_argument("an array's extent is negative");
    return static_cast<std::size_t>(entries(shape));
  }
  std::size_t offset(Index b, Index h, Index n, Index d) const {
    return static_cast<std::size_t>(((b * shape_[1] + h) * shape_[2] + n) * shape_[3] + d);
  }
  Shape shape_;
  std::vector<T, UnfilledAllocator<T>> data_;
};

}  // namespace attest::attention
