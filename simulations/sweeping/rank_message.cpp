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

std::string take_text(std::string_view& bytes, std::size_t length) {
  if (bytes.size() < length) throw std::logic_error("a message between ranks is cut off");
  std::string text(bytes.substr(0, length));
  bytes.remove_prefix(length);
  return text;
}

}  // namespace

std::string packed(const PointEnd& end) {
  std::string bytes;
  put(bytes, end.point);
  put(bytes, end.bad_input);
  put(bytes, end.outcomes.size());
  for (const auto& [name, outcome] : end.outcomes) {
    put(bytes, name.size());
    bytes += name;
    put(bytes, outcome);
  }
  return bytes + end.failure;
}

PointEnd unpacked_point(std::string_view bytes) {
  PointEnd end;
  end.point = take<std::uint64_t>(bytes);
  end.bad_input = take<bool>(bytes);
  for (auto left = take<std::size_t>(bytes); left > 0; --left) {
    const std::string name = take_text(bytes, take<std::size_t>(bytes));
    end.outcomes.emplace(name, take<quantities::Outcome>(bytes));
  }
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
