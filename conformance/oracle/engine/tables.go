package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// The tables: a file a topic, in a folder a kind of question. A line that begins with space continues the one before;
// # begins a comment.
//
// In `values` and `updates` these lines say what the following are asked under:
//
//	schema {…}          the schema of `spec`; forgets the lines below
//	root {…}            the schema of the whole object; likewise
//	subresources {…}    as in a version of a definition
//	status              updates are updates of the status
//
//	each […]            one question for each item of the list
//
// Every other line is a value of `spec`, or an object: with `root` what it lacks of apiVersion, kind and metadata is
// added, unless it is preceded by `raw`. An update is `old ~> new`; `=` for the new one leaves it unchanged.
//
// In `definitions` a line is a definition or `old ~> new`, each given as one of
//
//	patch {…}       a merge patch onto the base
//	schema {…}      the base with this schema
//	property {…}    the base with this schema for its property `spec`
//
// and `base {…}` patches the base itself.

//go:embed cases
var tables embed.FS

type topic struct {
	name  string
	kind  string
	cases []Case
}

func loadTables() ([]topic, error) {
	var topics []topic
	for _, kind := range []string{"values", "updates", "definitions"} {
		entries, err := tables.ReadDir(path.Join("cases", kind))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			text, err := tables.ReadFile(path.Join("cases", kind, entry.Name()))
			if err != nil {
				return nil, err
			}
			made := topic{name: kind + "-" + strings.TrimSuffix(entry.Name(), ".txt"), kind: kind}
			parser := &tableParser{kind: kind, base: baseDefinition()}
			for number, line := range logicalLines(string(text)) {
				if err := parser.read(line, &made); err != nil {
					return nil, fmt.Errorf("%s, entry %d: %s: %w", entry.Name(), number+1, line, err)
				}
			}
			topics = append(topics, made)
		}
	}
	return topics, nil
}

func logicalLines(text string) (lines []string) {
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, " ") && len(lines) > 0:
			lines[len(lines)-1] += " " + strings.TrimSpace(line)
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

type tableParser struct {
	kind  string
	asked Case
	base  map[string]any
}

func (p *tableParser) read(line string, into *topic) error {
	word, rest, _ := strings.Cut(line, " ")
	if p.kind == "definitions" {
		if word == "base" {
			return p.patchBase(rest)
		}
		return p.addDefinition(line, into)
	}
	switch word {
	case "schema", "root":
		p.asked = Case{Schema: json.RawMessage(rest), Root: word == "root"}
		return checkJSON(rest)
	case "subresources":
		p.asked.Subresources = json.RawMessage(rest)
		return checkJSON(rest)
	case "status":
		p.asked.Status = true
		return nil
	case "each":
		return p.addEach(rest, into)
	}
	return p.addObject(line, into)
}

func (p *tableParser) addEach(list string, into *topic) error {
	var items []json.RawMessage
	if err := json.Unmarshal([]byte(list), &items); err != nil {
		return err
	}
	for _, item := range items {
		if err := p.addObject(string(item), into); err != nil {
			return err
		}
	}
	return nil
}

func (p *tableParser) addObject(line string, into *topic) (err error) {
	made := p.asked
	before, after, isUpdate := strings.Cut(line, " ~> ")
	if isUpdate != (p.kind == "updates") {
		return fmt.Errorf("no update expected, or none found")
	}
	if isUpdate {
		if after == "=" {
			after = before
		}
		if made.Old, err = p.object(before); err != nil {
			return err
		}
		before = after
	}
	if made.Object, err = p.object(before); err != nil {
		return err
	}
	into.cases = append(into.cases, made)
	return nil
}

func (p *tableParser) object(text string) (json.RawMessage, error) {
	raw, isRaw := strings.CutPrefix(text, "raw ")
	if err := checkJSON(raw); err != nil {
		return nil, err
	}
	if !p.asked.Root || isRaw {
		return json.RawMessage(raw), nil
	}
	object := decoded([]byte(raw))
	for key, value := range decoded([]byte(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"default","resourceVersion":"1"}}`)) {
		if _, has := object[key]; !has {
			object[key] = value
		}
	}
	return encode(object), nil
}

func checkJSON(text string) error {
	var any json.RawMessage
	return json.Unmarshal([]byte(text), &any)
}

func baseDefinition() map[string]any {
	return decoded([]byte(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com", "resourceVersion": "1"},
		"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
			"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}`))
}

func (p *tableParser) patchBase(text string) error {
	if err := checkJSON(text); err != nil {
		return err
	}
	p.base = mergePatch(baseDefinition(), decoded([]byte(text)))
	return nil
}

func (p *tableParser) addDefinition(line string, into *topic) (err error) {
	var made Case
	before, after, isUpdate := strings.Cut(line, " ~> ")
	if isUpdate {
		if after == "=" {
			after = before
		}
		if made.Old, err = p.definition(before); err != nil {
			return err
		}
		before = after
	}
	if made.Object, err = p.definition(before); err != nil {
		return err
	}
	into.cases = append(into.cases, made)
	return nil
}

func (p *tableParser) definition(text string) (json.RawMessage, error) {
	word, rest, _ := strings.Cut(text, " ")
	if err := checkJSON(rest); err != nil {
		return nil, err
	}
	switch word {
	case "patch":
		return encode(mergePatch(decoded(encode(p.base)), decoded([]byte(rest)))), nil
	case "property":
		rest = `{"type":"object","properties":{"spec":` + rest + `}}`
		fallthrough
	case "schema":
		made := decoded(encode(p.base))
		version := made["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
		version["schema"] = decoded([]byte(`{"openAPIV3Schema":` + rest + `}`))
		return encode(made), nil
	}
	return nil, fmt.Errorf("%q is no way to give a definition", word)
}

func mergePatch(target map[string]any, patch map[string]any) map[string]any {
	for key, value := range patch {
		inner, isObject := value.(map[string]any)
		switch {
		case value == nil:
			delete(target, key)
		case isObject:
			existing, _ := target[key].(map[string]any)
			if existing == nil {
				existing = map[string]any{}
			}
			target[key] = mergePatch(existing, inner)
		default:
			target[key] = value
		}
	}
	return target
}
