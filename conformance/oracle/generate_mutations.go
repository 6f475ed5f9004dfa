package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
)

func bindings(text string) map[string]json.RawMessage {
	var bound map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &bound); err != nil {
		panic(err)
	}
	return bound
}

// mutators are what a slip of the hand puts into an expression.
var mutators = []string{
	"(", ")", "[", "]", "{", "}", ",", ".", ":", "?", "!", "-", "+", "*", "/", "%", "=", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "&", "|",
	"'", "\"", "'''", "\\", "`", "@", "#", "$", "^", "~", ";", " ", "\n", "\t", "in", " in ", "true", "null", "for", "0x", "1", "1u", "1.", ".5", "1e", "a", "_",
	"é", "日", "🛡", "//", "..", ".?", "[?", "{?", "r'", "b'", "u", "'\\q'", "'\\x4'", "9223372036854775808", " if ", "\u00a0", "\u0000",
}

// mutations breaks valid expressions of the other tables and keeps those that no longer parse.
func mutations(random *rand.Rand, tables map[string][]Case, wanted int) []Case {
	seeds := mutationSeeds(tables)
	seen := map[string]bool{}
	var cases []Case
	for len(cases) < wanted {
		expr := seeds[random.IntN(len(seeds))]
		for n := 1 + random.IntN(2); n > 0; n-- {
			expr = mutate(random, expr)
		}
		if seen[expr] || parses(expr) {
			continue
		}
		seen[expr] = true
		cases = append(cases, Case{Expr: expr})
	}
	return cases
}

func mutationSeeds(tables map[string][]Case) []string {
	var seeds []string
	for _, topic := range []string{"macros", "optionals", "k8s-lists", "schema-values", "checker", "strings", "literals"} {
		for _, c := range tables[topic] {
			if len(c.Expr) > 3 && len(c.Expr) < 90 && parses(c.Expr) {
				seeds = append(seeds, c.Expr)
			}
		}
	}
	return seeds
}

func mutate(random *rand.Rand, expr string) string {
	runes := []rune(expr)
	if len(runes) == 0 {
		return "("
	}
	at := random.IntN(len(runes) + 1)
	switch random.IntN(6) {
	case 0, 1:
		return string(runes[:at]) + mutators[random.IntN(len(mutators))] + string(runes[at:])
	case 2:
		end := min(at+1+random.IntN(3), len(runes))
		return string(runes[:at]) + string(runes[end:])
	case 3:
		end := min(at+1, len(runes))
		return string(runes[:at]) + mutators[random.IntN(len(mutators))] + string(runes[end:])
	case 4:
		return string(runes[:at])
	}
	words := strings.Split(expr, " ")
	first, second := random.IntN(len(words)), random.IntN(len(words))
	words[first], words[second] = words[second], words[first]
	return strings.Join(words, " ") + mutators[random.IntN(len(mutators))]
}
