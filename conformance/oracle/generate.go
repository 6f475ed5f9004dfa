package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// seed fixes every pseudo-random choice, so that recording again asks the same questions.
const seed = 20260317

func newRandom(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// fuzz records cases for a differential run: random expressions, broken ones and crossed ones.
func fuzz(count, seedText string) error {
	wanted, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	stream, err := strconv.ParseUint(seedText, 10, 64)
	if err != nil {
		return err
	}
	tables, err := loadTables()
	if err != nil {
		return err
	}
	schemas, err := loadSchemas()
	if err != nil {
		return err
	}
	// Streams below 10 are the corpus's own.
	random := newRandom(10 + stream)
	cases := randomExpressions(random, wanted/3)
	cases = append(cases, mutations(random, tables, wanted/3)...)
	cases = append(cases, crossings(random, tables, wanted/3)...)
	recorded, _, err := recordAll("fuzz", cases, &recorder{schemas: schemas})
	if err != nil {
		return err
	}
	return writeTopic("/dev/stdout", recorded)
}

// generated holds what is a product of small tables, and what is drawn at random. The tables are its seed material.
func generated(tables map[string][]Case) map[string][]Case {
	return map[string][]Case{
		"operators":        operators(),
		"numeric":          numeric(),
		"versions":         versions(),
		"syntax-mutations": mutations(newRandom(1), tables, 900),
		"crossings":        crossings(newRandom(0), tables, 1200),
		"cost-estimates":   costEstimates(),
		"random":           randomExpressions(newRandom(2), 900),
	}
}

func plain(format string, arguments ...any) Case {
	return Case{Expr: fmt.Sprintf(format, arguments...)}
}
