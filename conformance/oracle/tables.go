package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

//go:embed cases/*.txt
var tableFiles embed.FS

// loadTables reads cases/*.txt. A line is an expression; `json:` starts one with characters a line cannot hold,
// `parts:` a long one as pairs of text and count.
// Directives hold until changed: @vars @bind @sizes @version @schema @limit, and @reset clears them all.
func loadTables() (map[string][]Case, error) {
	names, err := tableFiles.ReadDir("cases")
	if err != nil {
		return nil, err
	}
	topics := map[string][]Case{}
	for _, entry := range names {
		text, err := tableFiles.ReadFile("cases/" + entry.Name())
		if err != nil {
			return nil, err
		}
		topic := strings.TrimSuffix(path.Base(entry.Name()), ".txt")
		table := &table{}
		for number, line := range strings.Split(string(text), "\n") {
			if err := table.read(line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", entry.Name(), number+1, err)
			}
		}
		topics[topic] = table.cases
	}
	return topics, nil
}

var directives = map[string]bool{
	"@reset": true, "@vars": true, "@bind": true, "@sizes": true, "@limit": true, "@version": true, "@schema": true,
}

type table struct {
	env   CaseEnv
	bind  map[string]json.RawMessage
	limit string
	cases []Case
}

func (t *table) read(line string) error {
	line = strings.TrimRight(line, "\r")
	if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "# ") {
		return nil
	}
	if directive, rest, _ := strings.Cut(line, " "); directives[directive] {
		return t.direct(directive, strings.TrimSpace(rest))
	}
	expr := line
	if encoded, ok := strings.CutPrefix(line, "json:"); ok {
		if err := json.Unmarshal([]byte(encoded), &expr); err != nil {
			return err
		}
	}
	var parts []Part
	if encoded, ok := strings.CutPrefix(line, "parts:"); ok {
		if err := json.Unmarshal([]byte(encoded), &parts); err != nil {
			return err
		}
		expr = ""
	}
	c := t.caseFor(expr)
	c.Parts = parts
	t.cases = append(t.cases, c)
	return nil
}

func (t *table) caseFor(expr string) Case {
	c := Case{Expr: expr, Bind: mentioned(t.bind, expr), Limit: t.limit}
	env := t.env
	env.Vars = mentioned(env.Vars, expr)
	if marshal(env) != "{}" {
		c.Env = &env
	}
	return c
}

// mentioned drops what the expression cannot refer to, to keep the corpora small.
func mentioned[T any](named map[string]T, expr string) map[string]T {
	kept := map[string]T{}
	for name, value := range named {
		if first, _, _ := strings.Cut(name, "."); strings.Contains(expr, first) {
			kept[name] = value
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

func (t *table) direct(directive, rest string) error {
	switch directive {
	case "@reset":
		*t = table{cases: t.cases}
	case "@vars":
		t.env.Vars = map[string]string{}
		for _, pair := range strings.Fields(rest) {
			name, kind, ok := strings.Cut(pair, "=")
			if !ok {
				return fmt.Errorf("want name=type, got %q", pair)
			}
			t.env.Vars[name] = kind
		}
	case "@bind":
		t.bind = nil
		return json.Unmarshal([]byte(rest), &t.bind)
	case "@sizes":
		t.env.Sizes = nil
		return json.Unmarshal([]byte(rest), &t.env.Sizes)
	case "@limit":
		t.limit = rest
	case "@version":
		t.env.Version, t.env.Mode, _ = strings.Cut(rest, " ")
	case "@schema":
		words := strings.Fields(rest)
		t.env = CaseEnv{Schema: words[0]}
		for _, word := range words[1:] {
			t.env.Root = t.env.Root || word == "root"
			t.env.OptionalOldSelf = t.env.OptionalOldSelf || word == "optionalOldSelf"
		}
	}
	return nil
}
