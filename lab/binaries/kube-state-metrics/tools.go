//go:build tools

// Package tools names the command that the tests build, so that go.mod and go.sum pin everything it needs.
package tools

import (
	_ "k8s.io/kube-state-metrics/v2"
)
