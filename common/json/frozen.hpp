#pragma once
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace kopiur {

/// An optional value that is immutable once set, so its copies share it. For values that are large, often absent, and copied with every
/// state that contains them. The codec and the schema treat it as a `std::optional`. Not for several threads that write.
template <class T>
class frozen {
 public:
  using value_type = T;

  frozen() = default;
  frozen(std::nullopt_t) {}
  frozen(T value) : value_(std::make_shared<T const>(std::move(value))) {}
  /// From a type that becomes a T.
  template <class U>
    requires(std::convertible_to<U const&, T> && !std::derived_from<U, frozen> && !std::same_as<U, std::optional<T>>)
  frozen(U const& value) : frozen(T(value)) {}
  frozen(std::optional<T> value) : value_(value ? std::make_shared<T const>(*std::move(value)) : nullptr) {}

  explicit operator bool() const { return static_cast<bool>(value_); }
  bool has_value() const { return static_cast<bool>(value_); }
  /// Needs has_value().
  T const& operator*() const { return *value_; }
  T const* operator->() const { return value_.get(); }
  /// Throws std::bad_optional_access when it is empty.
  T const& value() const { return value_ ? *value_ : throw std::bad_optional_access(); }
  T value_or(T other) const { return value_ ? *value_ : other; }
  void reset() { value_.reset(); }

  friend bool operator==(frozen const& one, frozen const& other) {
    return one.value_ == other.value_ || (one.value_ && other.value_ && *one.value_ == *other.value_);
  }

 protected:
  explicit frozen(std::shared_ptr<T const> value) : value_(std::move(value)) {}

 private:
  std::shared_ptr<T const> value_;
};

/// A frozen value; values that are read from equal JSON share one object, as long as one of them exists. For values that thousands of
/// objects have in common. For one thread only.
template <class T>
class shared : public frozen<T> {
 public:
  using frozen<T>::frozen;

  /// The value kept for this text; empty when none exists.
  static shared known(std::string const& text) {
    auto found = pool()->find(text);
    return found == pool()->end() ? shared() : shared(found->second.lock());
  }
  /// Keeps the value as the one for this text.
  static shared keep(std::string text, T value) {
    auto leave = [text, from = pool()](T const* gone) {
      from->erase(text);
      delete gone;
    };
    std::shared_ptr<T const> kept(new T(std::move(value)), std::move(leave));
    pool()->insert_or_assign(std::move(text), kept);
    return shared(std::move(kept));
  }

 private:
  using values = std::unordered_map<std::string, std::weak_ptr<T const>>;  // by their text; each value also owns the pool
  explicit shared(std::shared_ptr<T const> value) : frozen<T>(std::move(value)) {}
  static std::shared_ptr<values> const& pool() {
    static thread_local auto const all = std::make_shared<values>();
    return all;
  }
};

/// A T that is always there, and is replaced as a whole. Equal ones that were read from JSON are one object, as with `shared`. The codec
/// and the schema treat it as a T.
template <class T>
class interned {
 public:
  using value_type = T;

  interned() : value_(nothing()) {}
  interned(T value) : value_(std::move(value)) {}
  /// Needs one that has a value.
  explicit interned(shared<T> value) : value_(std::move(value)) {}

  T const& operator*() const { return *value_; }
  T const* operator->() const { return value_.operator->(); }
  operator T const&() const { return *value_; }
  friend bool operator==(interned const& one, interned const& other) { return one.value_ == other.value_; }

 private:
  static shared<T> const& nothing() {
    static thread_local shared<T> const one{T{}};
    return one;
  }
  shared<T> value_;
};

}  // namespace kopiur
