#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "proto/buckety/claim.hpp"
#include "services/controller/shell/service_context.hpp"
#include "services/provisioner/core/decision.hpp"

/// Names on stores: each belongs to one object, and one replica at a time works on it. Facts on the bus, written by compare-and-set.
namespace kopiur::provisioner {

class claims {
 public:
  /// Whether that object of this cluster still exists, and has the name or may get it, by a live read; in doubt it is so.
  using ownership = std::function<boost::asio::awaitable<bool>(proto::object_ref, resource_call)>;
  /// A hold lasts this long unless it is renewed; a call that changes a resource must end well before.
  static constexpr duration hold{60'000};
  /// A request that was sent may be done so much later, also when it was answered: a client may have sent it twice.
  static constexpr duration may_come_late{40'000};

  /// `replica`: unique among the replicas.
  claims(controller::service_context const& context, std::string replica, ownership owns)
      : context_(context), replica_(std::move(replica)), owns_(std::move(owns)) {}

  struct taken_claim {
    std::variant<claim, taken> outcome;
    bool made = false, adopted = false, removed = false;
  };
  /// Whether it records that this owner has made or adopted the resource; takes nothing.
  boost::asio::awaitable<bool> is_given(resource_call what, proto::object_ref owner);
  /// Takes the name for this owner, and holds it.
  boost::asio::awaitable<taken_claim> take(resource_call what, proto::object_ref owner);
  /// Lengthens the hold of this replica for this owner. False: it is not theirs any more, and nothing may be changed.
  boost::asio::awaitable<bool> renew(resource_call what, proto::object_ref owner);
  /// Records what the owner's call did to the resource. False as for renew().
  boost::asio::awaitable<bool> note_made(resource_call what, proto::object_ref owner);
  boost::asio::awaitable<bool> note_adopted(resource_call what, proto::object_ref owner);
  boost::asio::awaitable<bool> note_removed(resource_call what, proto::object_ref owner);
  /// Records that the owner's removal was sent and is not done yet.
  boost::asio::awaitable<bool> note_removing(resource_call what, proto::object_ref owner);
  /// Ends this replica's hold; `free`: the name belongs to nobody any more.
  boost::asio::awaitable<void> give_back(resource_call what, proto::object_ref owner, bool free);

 private:
  struct known {
    proto::resource_claim state;
    std::uint64_t sequence = 0;
  };
  boost::asio::awaitable<known> read(resource_call const& what);
  boost::asio::awaitable<bool> write(resource_call const& what, proto::resource_claim next, std::uint64_t expected);
  /// `namespace/name` of another owner that has the name; nothing: it is free, or that owner is gone or has another name.
  boost::asio::awaitable<std::optional<std::string>> other_owner(resource_call const& what, proto::resource_claim const& state,
                                                                 proto::object_ref const& owner);
  /// Changes the claim that this replica holds for this owner.
  boost::asio::awaitable<bool> change(resource_call what, proto::object_ref owner, std::function<void(proto::resource_claim&)> edit);

  controller::service_context const& context_;
  std::string replica_;
  ownership owns_;
};

}  // namespace kopiur::provisioner
