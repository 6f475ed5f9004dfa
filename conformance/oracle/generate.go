package main

import (
	"fmt"
	"math/rand/v2"
)

// seed fixes every pseudo-random choice, so that recording again asks the same questions.
const seed = 20260317

func newRandom(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// generated holds what is a product of small tables, and what is drawn at random. The tables are its seed material.
func generated(tables map[string][]Case) map[string][]Case {
	return map[string][]Case{
		"operators":        operators(),
		"numeric":          numeric(),
		"versions":         versions(),
		"syntax-mutations": mutations(tables, 900),
		"cost-estimates":   costEstimates(),
		"random":           randomExpressions(900),
	}
}

func plain(format string, arguments ...any) Case {
	return Case{Expr: fmt.Sprintf(format, arguments...)}
}
