// Command policy asks upstream's type checker what it has to say about policies.
//
//	go run ./policy < cases.jsonl > recorded.jsonl
//
// A case is a policy, the schemas of kinds ("group/version/Kind") and the kinds of resources
// ("group/version/resource"); the answer is added as "warnings". It is needed only to record the corpus again.
//
//	go run ./policy bench
//
// is the Go side of a benchmark.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type testCase struct {
	ID        string                                      `json:"id"`
	Policy    json.RawMessage                             `json:"policy"`
	Schemas   map[string]json.RawMessage                  `json:"schemas"`
	Resources map[string]string                           `json:"resources"`
	Warnings  []admissionregistrationv1.ExpressionWarning `json:"warnings"`
}

func main() {
	start := run
	if len(os.Args) > 1 && os.Args[1] == "bench" {
		start = runBench
	}
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, "policy:", err)
		os.Exit(1)
	}
}

func run() error {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var c testCase
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return err
		}
		if err := c.record(); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		if err := encoder.Encode(&c); err != nil {
			return err
		}
	}
	return in.Err()
}

func (c *testCase) record() error {
	var policy admissionregistrationv1.ValidatingAdmissionPolicy
	if err := json.Unmarshal(c.Policy, &policy); err != nil {
		return err
	}
	schemas := schemaTable{}
	for name, text := range c.Schemas {
		var s spec.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		schemas[kindOf(name)] = &s
	}
	checker := &validating.TypeChecker{SchemaResolver: schemas, RestMapper: c.mapper()}
	c.Warnings = checker.Check(&policy)
	if c.Warnings == nil {
		c.Warnings = []admissionregistrationv1.ExpressionWarning{}
	}
	for i := range c.Warnings {
		c.Warnings[i].Warning = c.steady(c.Warnings[i].Warning)
	}
	return nil
}

// steady replaces the time in the names of types by a constant.
func (c *testCase) steady(text string) string {
	for name := range c.Schemas {
		kind := kindOf(name).Kind
		text = regexp.MustCompile(`\b`+kind+`\d+\b`).ReplaceAllString(text, kind+"<N>")
	}
	return text
}

func (c *testCase) mapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for name, kind := range c.Resources {
		parts := strings.Split(name, "/")
		gv := schema.GroupVersion{Group: parts[0], Version: parts[1]}
		mapper.AddSpecific(gv.WithKind(kind), gv.WithResource(parts[2]), gv.WithResource(strings.TrimSuffix(parts[2], "s")), meta.RESTScopeNamespace)
	}
	return mapper
}

type schemaTable map[schema.GroupVersionKind]*spec.Schema

func (t schemaTable) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	if s, ok := t[gvk]; ok {
		return s, nil
	}
	return nil, resolver.ErrSchemaNotFound
}

func kindOf(name string) schema.GroupVersionKind {
	parts := strings.Split(name, "/")
	return schema.GroupVersionKind{Group: parts[0], Version: parts[1], Kind: parts[2]}
}
