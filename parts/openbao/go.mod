module kopiur/parts/openbao

go 1.26.8

require github.com/openbao/openbao v0.0.0-20250828202315-f9407a27fbee

require (
	github.com/openbao/openbao/api/v2 v2.4.0
	github.com/openbao/openbao/sdk/v2 v2.4.0
)

replace (
	github.com/openbao/go-kms-wrapping/wrappers/aead/v2 => github.com/openbao/go-kms-wrapping/wrappers/aead/v2 v2.1.0
	github.com/openbao/go-kms-wrapping/wrappers/transit/v2 => github.com/openbao/go-kms-wrapping/wrappers/transit/v2 v2.4.0
	github.com/openbao/go-kms-wrapping/wrappers/static/v2 => ./static
)
