// Package validator stands for the library of this name, so that the build needs nothing of the network. The generated code calls
// it to choose among the variants of an answer.
package validator

// Validate accepts any value.
func Validate(any) error { return nil }
