// Asio is compiled once, here: BOOST_ASIO_SEPARATE_COMPILATION.
#include <boost/asio/impl/src.hpp>
