module capoa.io/lab/binaries/cluster-api-operator

go 1.26.0

require sigs.k8s.io/cluster-api-operator v0.28.0
