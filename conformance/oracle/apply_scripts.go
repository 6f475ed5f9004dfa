package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A fieldKind is one way a field may merge, with three values to write to it: the second shares something with the
// first where the type allows, the third takes something away.
type fieldKind struct {
	name, first, second, third string
}

// fieldKinds are bodies of configurations: everything beside apiVersion, kind and the name.
var fieldKinds = []fieldKind{
	{"scalar", `{"spec":{"replicas":1}}`, `{"spec":{"replicas":2}}`, `{"spec":{}}`},
	{"defaulted", `{"spec":{"dflt":"a"}}`, `{"spec":{"dflt":"b"}}`, `{"spec":{}}`},
	{"nullable", `{"spec":{"note":"a"}}`, `{"spec":{"note":null}}`, `{"spec":{"name":"n"}}`},
	{"object", `{"spec":{"obj":{"a":"1","deep":{"x":1}}}}`, `{"spec":{"obj":{"a":"2","b":"1","deep":{"y":1}}}}`, `{"spec":{"obj":{"deep":{}}}}`},
	{"list-map", `{"spec":{"items":[{"name":"a","value":"1"},{"name":"b","value":"1"}]}}`, `{"spec":{"items":[{"name":"c"},{"name":"a","value":"2","nested":{"a":"x"}}]}}`, `{"spec":{"items":[{"name":"b"}]}}`},
	{"two-keys", `{"spec":{"ports":[{"port":80,"label":"a"},{"port":443,"protocol":"UDP"}]}}`, `{"spec":{"ports":[{"port":80,"protocol":"TCP","label":"b"},{"port":80,"protocol":"UDP"}]}}`, `{"spec":{"ports":[]}}`},
	{"optional-keys", `{"spec":{"opt":[{"a":"x","v":"1"},{"a":"x","b":1,"v":"1"}]}}`, `{"spec":{"opt":[{"b":1,"v":"2"},{"a":"x","b":1,"v":"2"}]}}`, `{"spec":{"opt":[{"b":1}]}}`},
	{"atomic-items", `{"spec":{"atomicItems":[{"name":"a","value":"1"},{"name":"b"}]}}`, `{"spec":{"atomicItems":[{"name":"a","value":"2"},{"name":"c"}]}}`, `{"spec":{"atomicItems":[{"name":"c"}]}}`},
	{"set", `{"spec":{"tags":["a","b"]}}`, `{"spec":{"tags":["c","b"]}}`, `{"spec":{"tags":["a"]}}`},
	{"number-set", `{"spec":{"nums":[1,10,2.5]}}`, `{"spec":{"nums":[10,1000000,2]}}`, `{"spec":{"nums":[2.5]}}`},
	{"atomic-list", `{"spec":{"plain":["a","b"]}}`, `{"spec":{"plain":["b"]}}`, `{"spec":{"plain":[]}}`},
	{"atomic-objects", `{"spec":{"objs":[{"k":"a","v":"1"}]}}`, `{"spec":{"objs":[{"k":"a","v":"2"},{"k":"b"}]}}`, `{"spec":{"objs":null}}`},
	{"granular-map", `{"spec":{"grain":{"a":"1","b":"1"}}}`, `{"spec":{"grain":{"a":"2","c":"1"}}}`, `{"spec":{"grain":{}}}`},
	{"map-of-objects", `{"spec":{"grainObj":{"a":{"a":"1"},"b":{}}}}`, `{"spec":{"grainObj":{"a":{"a":"2","b":"1"}}}}`, `{"spec":{"grainObj":{"b":{"b":"1"}}}}`},
	{"atomic-object", `{"spec":{"block":{"a":"1"}}}`, `{"spec":{"block":{"a":"1","b":"2"}}}`, `{"spec":{"block":{}}}`},
	{"atomic-map", `{"spec":{"blockMap":{"a":"1"}}}`, `{"spec":{"blockMap":{"b":"2"}}}`, `{"spec":{}}`},
	{"free-form", `{"spec":{"free":{"a":{"b":1,"c":[1,2]},"d":"x"}}}`, `{"spec":{"free":{"a":{"b":2,"e":{}},"d":{"f":1}}}}`, `{"spec":{"free":{"a":[]}}}`},
	{"anything", `{"spec":{"any":{"a":1,"b":{"c":2}}}}`, `{"spec":{"any":"text"}}`, `{"spec":{"any":["l"]}}`},
	{"open-object", `{"spec":{"semi":{"known":"a","sub":{"a":"1"},"more":{"x":1}}}}`, `{"spec":{"semi":{"known":"b","sub":{"z":[1]},"more":{"y":1}}}}`, `{"spec":{"semi":{"more":null}}}`},
	{"int-or-string", `{"spec":{"ios":1}}`, `{"spec":{"ios":"50%"}}`, `{"spec":{}}`},
	{"embedded", `{"spec":{"emb":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"1"}},"spec":{"v":"1"}}}}`, `{"spec":{"emb":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"q","labels":{"b":"1"}},"spec":{"w":1}}}}`, `{"spec":{"emb":{"metadata":{"labels":{}}}}}`},
	{"labels", `{"metadata":{"labels":{"a":"1","b":"1"}}}`, `{"metadata":{"labels":{"a":"2","c":"1"}}}`, `{"metadata":{"labels":{}}}`},
	{"finalizers", `{"metadata":{"finalizers":["x/a","x/b"]}}`, `{"metadata":{"finalizers":["x/c","x/a"]}}`, `{"metadata":{"finalizers":[]}}`},
	{"owners", `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"}]}}`, `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"q","uid":"1"},{"apiVersion":"v1","kind":"Pod","name":"r","uid":"2"}]}}`, `{"metadata":{"ownerReferences":[]}}`},
}

// A scenario is written with 1, 2 and 3 for the values of a kind.
type scenario struct {
	name  string
	steps []string
}

// Steps read: operation, manager, value, and flags.
var scenarios = []scenario{
	{"created-by-apply", []string{"apply one 1"}},
	{"created-by-post", []string{"create post 1"}},
	{"applied-twice", []string{"apply one 1", "apply one 1"}},
	{"changed-by-its-applier", []string{"apply one 1", "apply one 2"}},
	{"reduced-by-its-applier", []string{"apply one 1", "apply one 3"}},
	{"reduced-then-restored", []string{"apply one 2", "apply one 3", "apply one 2"}},
	{"shared-by-two", []string{"apply one 1", "apply two 1"}},
	{"shared-then-dropped", []string{"apply one 1", "apply two 1", "apply one 3", "apply two 3"}},
	{"conflict-between-appliers", []string{"apply one 1", "apply two 2"}},
	{"forced", []string{"apply one 1", "apply two 2 force", "apply one 1"}},
	{"forced-then-dropped", []string{"apply one 1", "apply two 2 force", "apply two 3 force"}},
	{"updated-then-applied", []string{"apply one 1", "merge up 2", "apply one 1"}},
	{"updated-then-forced", []string{"apply one 1", "merge up 2", "apply one 1 force"}},
	{"replaced", []string{"apply one 1", "replace up 2", "replace other 3"}},
	{"first-apply-over-post", []string{"create post 1", "apply one 1", "apply one 3"}},
	{"reset-then-applied", []string{"create post 1", "reset up", "merge up 2", "apply one 1 force", "apply one 3"}},
	{"atomic-now", []string{"apply one 1", "apply two 1", "schema atomic", "apply one 2 force", "schema widgets", "apply two 3"}},
	{"granular-now", []string{"apply one 1", "schema granular", "apply two 2 force", "apply one 3"}},
}

// writeApplyScripts writes every scenario for every kind, then the hand-written scripts.
func writeApplyScripts() error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, kind := range fieldKinds {
		for _, scenario := range scenarios {
			script, err := kind.script(scenario)
			if err != nil {
				return err
			}
			if err := writeLine(out, script); err != nil {
				return err
			}
		}
	}
	text, err := os.ReadFile(filepath.Join("cases", "apply.jsonl"))
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

func (k fieldKind) script(s scenario) (*ApplyCase, error) {
	script := &ApplyCase{ID: k.name + "/" + s.name, Schema: "widgets"}
	for _, line := range s.steps {
		step, err := k.step(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", script.ID, err)
		}
		script.Steps = append(script.Steps, *step)
	}
	return script, nil
}

func (k fieldKind) step(words []string) (*ApplyStep, error) {
	switch words[0] {
	case "schema":
		return &ApplyStep{Op: "schema", Schema: words[1]}, nil
	case "reset":
		return &ApplyStep{Op: "merge", Manager: words[1], Object: json.RawMessage(`{"metadata":{"managedFields":[{}]}}`)}, nil
	}
	body := map[string]string{"1": k.first, "2": k.second, "3": k.third}[words[2]]
	object := plainObject(json.RawMessage(body))
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
	}
	metadata["name"] = "w"
	object["metadata"] = metadata
	text, err := json.Marshal(object)
	force := len(words) > 3 && words[3] == "force"
	return &ApplyStep{Op: words[0], Manager: words[1], Force: force, Object: text}, err
}
