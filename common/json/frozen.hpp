#pragma once
#include <memory>
#include <optional>
#include <utility>

namespace kopiur {

/// An optional value that nobody edits once it is there: its copies share it. For what is large, often absent, and copied with every state
/// that holds it. To the codec and the schema it is a `std::optional`. Not for several threads that write.
template <class T>
class frozen {
 public:
  using value_type = T;

  frozen() = default;
  frozen(std::nullopt_t) {}
  frozen(T value) : value_(std::make_shared<T const>(std::move(value))) {}
  frozen(std::optional<T> value) : value_(value ? std::make_shared<T const>(*std::move(value)) : nullptr) {}

  explicit operator bool() const { return static_cast<bool>(value_); }
  bool has_value() const { return static_cast<bool>(value_); }
  /// Needs has_value().
  T const& operator*() const { return *value_; }
  T const* operator->() const { return value_.get(); }
  /// Throws std::bad_optional_access where there is none.
  T const& value() const { return value_ ? *value_ : throw std::bad_optional_access(); }
  T value_or(T other) const { return value_ ? *value_ : other; }
  void reset() { value_.reset(); }

  friend bool operator==(frozen const& one, frozen const& other) {
    return one.value_ == other.value_ || (one.value_ && other.value_ && *one.value_ == *other.value_);
  }

 private:
  std::shared_ptr<T const> value_;
};

}  // namespace kopiur
