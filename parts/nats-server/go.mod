module kopiur/parts/nats-server

go 1.26.8

require github.com/nats-io/nats-server/v2 v2.12.15
