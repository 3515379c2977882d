module kopiur/parts/helm

go 1.26.8

require helm.sh/helm/v3 v3.21.4
