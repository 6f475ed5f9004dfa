package main

import (
	"bytes"
	"context"
	"encoding/json"
	"sort"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
)

func answerValue(c *Case) *Answer {
	r := resourceFor(c)
	answer := &Answer{Refused: r.refused}
	object := r.accept(c.Object, answer)
	if object == nil {
		return answer
	}
	u := &unstructured.Unstructured{Object: object}
	warned := &recorder{}
	ctx := warned.context()
	settleNew(u)
	r.strategy.PrepareForCreate(ctx, u)
	answer.Errors = findings(r.strategy.Validate(ctx, u))
	answer.Warnings = append(warned.sorted(), r.strategy.WarningsOnCreate(ctx, u)...)
	return answer
}

// settleNew does what the generic registry does before a strategy sees a new object. The suffix of a generated name is
// random there.
func settleNew(u *unstructured.Unstructured) {
	u.SetNamespace("default")
	if base := u.GetGenerateName(); base != "" && u.GetName() == "" {
		u.SetName(base + "abcde")
	}
}

// answerUpdate passes both objects through decoding, as the API server does with what it reads from storage.
func answerUpdate(c *Case) *Answer {
	r := resourceFor(c)
	answer := &Answer{Refused: r.refused}
	old := r.accept(c.Old, &Answer{})
	object := r.accept(c.Object, answer)
	if object == nil || old == nil {
		return answer
	}
	uNew, uOld := &unstructured.Unstructured{Object: object}, &unstructured.Unstructured{Object: old}
	var chosen rest.RESTUpdateStrategy = r.strategy
	if c.Status {
		chosen = r.status
	}
	warned := &recorder{}
	ctx := warned.context()
	uNew.SetGeneration(uOld.GetGeneration())
	uNew.SetNamespace("default")
	chosen.PrepareForUpdate(ctx, uNew, uOld)
	answer.Errors = findings(chosen.ValidateUpdate(ctx, uNew, uOld))
	answer.Warnings = append(warned.sorted(), chosen.WarningsOnUpdate(ctx, uNew, uOld)...)
	return answer
}

// accept decodes what a case gives and notes what decoding made of it; nil where decoding fails.
func (r *resource) accept(given json.RawMessage, answer *Answer) map[string]any {
	before := encode(r.visible(r.wrap(given)))
	object := r.wrap(given)
	unknown, err := r.coerce(object)
	if err != nil {
		answer.Decode = err.Error()
		return nil
	}
	answer.Unknown = unknown
	if after := encode(r.visible(object)); !bytes.Equal(before, after) {
		answer.Object = after
	}
	return object
}

// visible is the part of an object that a case speaks of.
func (r *resource) visible(object map[string]any) any {
	if r.isRoot {
		return object
	}
	rest := map[string]any{}
	for key, value := range object {
		if key != "apiVersion" && key != "kind" && key != "metadata" {
			rest[key] = value
		}
	}
	return rest
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

func (r *recorder) sorted() []string {
	sort.Strings(r.texts)
	return r.texts
}

func (r *recorder) context() context.Context {
	ctx := warning.WithWarningRecorder(context.Background(), r)
	return genericapirequest.WithNamespace(ctx, "default")
}
