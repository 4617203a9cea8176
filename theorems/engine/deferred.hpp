// A value that may wait until somebody asks for it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace attest::engine {

/// A value, or what computes it at its first use: once for all copies and threads. Where computing throws, the use that
/// asked throws, and the next one asks again.
template <typename T>
class Deferred {
 public:
  Deferred() : Deferred(T{}) {}
  /// A value that is there already.
  template <typename Value>
  requires(!std::same_as<std::remove_cvref_t<Value>, Deferred> && std::convertible_to<Value, T>)
      Deferred(Value&& value)                // NOLINT(bugprone-forwarding-reference-overload): copies are excluded
      : state_(std::make_shared<State>()) {  // implicit: fields are given values as before
    state_->value = T(std::forward<Value>(value));
  }
  /// `compute` is called at the first use.
  static Deferred later(std::function<T()> compute) {
    Deferred deferred;
    deferred.state_ = std::make_shared<State>();
    deferred.state_->compute = std::move(compute);
    return deferred;
  }

  const T& get() const {
    if (state_->compute) std::call_once(state_->once, [this] { state_->value = state_->compute(); });
    return *state_->value;
  }
  operator const T&() const { return get(); }
  /// Nothing has to be computed to read it.
  bool is_there() const { return !state_->compute; }

 private:
  struct State {
    std::optional<T> value = {};
    std::function<T()> compute = {};
    std::once_flag once = {};
  };
  std::shared_ptr<State> state_;
};

}  // namespace attest::engine
