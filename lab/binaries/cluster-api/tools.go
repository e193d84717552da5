//go:build tools

// Package tools names the Cluster API commands that the lab builds, so that go.mod and go.sum pin everything they need.
package tools

import (
	_ "sigs.k8s.io/cluster-api/cmd/clusterctl"
	_ "sigs.k8s.io/cluster-api/core"
)
