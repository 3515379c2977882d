module kopiur/parts/versitygw

go 1.26.8

require github.com/versity/versitygw v1.7.0
