module github.com/openbao/go-kms-wrapping/wrappers/static/v2

go 1.26.8

require github.com/openbao/go-kms-wrapping/v2 v2.5.0
