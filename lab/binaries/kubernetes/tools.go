//go:build tools

// Package tools names the Kubernetes commands that the lab builds, so that go.mod and go.sum pin everything they need.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kubectl"
)
