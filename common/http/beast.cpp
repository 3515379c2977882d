// The one place where Beast and Asio's TLS are compiled.
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
