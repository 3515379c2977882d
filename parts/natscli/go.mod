module kopiur/parts/natscli

go 1.26.8

require github.com/nats-io/natscli v0.5.1
