package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

var token = regexp.MustCompile(`'[^']*'|[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9.a-z]*|&&|\|\||[=!<>]=|\S`)

// crossings swaps words between expressions of the tables that share an environment, and keeps what still parses:
// mostly ill-typed or failing at run time in ways nobody would write down.
func crossings(random *rand.Rand, tables map[string][]Case, wanted int) []Case {
	groups := crossingGroups(tables)
	seen := map[string]bool{}
	var cases []Case
	for len(cases) < wanted {
		group := groups[random.IntN(len(groups))]
		first, second := group[random.IntN(len(group))], group[random.IntN(len(group))]
		expr := cross(random, first.Expr, second.Expr)
		if seen[expr] || len(expr) > 160 || !parses(expr) {
			continue
		}
		seen[expr] = true
		first.Expr = expr
		cases = append(cases, first)
	}
	return cases
}

// crossingGroups keeps apart what has different variables, so that swapped words mean something.
func crossingGroups(tables map[string][]Case) [][]Case {
	var groups [][]Case
	for _, topic := range []string{"checker", "macros", "optionals", "cost", "schema-values", "schema-values", "k8s-lists", "strings", "time", "k8s-quantity", "k8s-network", "authorizer"} {
		byEnvironment := map[string][]Case{}
		for _, c := range tables[topic] {
			if len(c.Expr) > 3 && len(c.Expr) < 120 && c.Limit == "" {
				key := ""
				if c.Env != nil {
					key = c.Env.Schema
				}
				byEnvironment[key] = append(byEnvironment[key], c)
			}
		}
		for _, key := range sortedKeys(byEnvironment) {
			groups = append(groups, byEnvironment[key])
		}
	}
	return groups
}

func cross(random *rand.Rand, first, second string) string {
	targets, sources := token.FindAllStringIndex(first, -1), token.FindAllString(second, -1)
	if len(targets) == 0 || len(sources) == 0 {
		return first
	}
	var out strings.Builder
	swapped, last := random.IntN(len(targets)), 0
	for i, at := range targets {
		out.WriteString(first[last:at[0]])
		if i == swapped {
			out.WriteString(sources[random.IntN(len(sources))])
		} else {
			out.WriteString(first[at[0]:at[1]])
		}
		last = at[1]
	}
	out.WriteString(first[last:])
	return out.String()
}
