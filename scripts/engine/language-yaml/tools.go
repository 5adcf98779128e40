//go:build tools

// Package tools names the program that scripts/engine/obtain.js builds, so that `go mod tidy` fills go.sum for it.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
