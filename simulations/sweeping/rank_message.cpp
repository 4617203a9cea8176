#include "simulations/sweeping/rank_message.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace attest::sweeps {
namespace {

template <class T>
void put(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
T take(std::string_view& bytes) {
  T value{};
  if (bytes.size() < sizeof value) throw std::logic_error("a message between ranks is cut off");
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

std::string packed(const PointEnd& end) {
  std::string bytes;
  put(bytes, end.point);
  put(bytes, end.bad_input);
  put(bytes, end.outcomes.size());
  for (const quantities::Outcome& outcome : end.outcomes) put(bytes, outcome);
  return bytes + end.failure;
}

PointEnd unpacked_point(std::string_view bytes) {
  PointEnd end;
  end.point = take<std::uint64_t>(bytes);
  end.bad_input = take<bool>(bytes);
  end.outcomes.resize(take<std::size_t>(bytes));
  for (quantities::Outcome& outcome : end.outcomes) outcome = take<quantities::Outcome>(bytes);
  end.failure = bytes;
  return end;
}

std::string packed(const std::vector<std::uint64_t>& points) {
  std::string bytes;
  for (const std::uint64_t point : points) put(bytes, point);
  return bytes;
}

std::vector<std::uint64_t> unpacked_list(std::string_view bytes) {
  std::vector<std::uint64_t> points;
  while (!bytes.empty()) points.push_back(take<std::uint64_t>(bytes));
  return points;
}

}  // namespace attest::sweeps
