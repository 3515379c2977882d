module kopiur/parts/kopia

go 1.26.8

require github.com/kopia/kopia v0.23.1
