module kopiur/parts/fake-gcs

go 1.26.8

require github.com/fsouza/fake-gcs-server v1.56.1
