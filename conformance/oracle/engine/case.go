package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Case is one question, and once recorded also its answer.
type Case struct {
	ID string `json:"id,omitempty"`
	// Schema is that of `spec`, unless Root is set: then it is that of the whole object.
	Schema json.RawMessage `json:"schema,omitempty"`
	Root   bool            `json:"root,omitempty"`
	// Subresources as a definition's version has them.
	Subresources json.RawMessage `json:"subresources,omitempty"`
	// Status asks for an update of the status only.
	Status bool `json:"status,omitempty"`
	// Object and Old are the values of `spec`, or whole objects where Root is set; for definitions, definitions.
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
	Want   *Answer         `json:"want,omitempty"`
}

// Answer is what the real code said.
type Answer struct {
	// Refused has what is wrong with the schema itself; nobody could have created the object then.
	Refused []string `json:"refused,omitempty"`
	// Decode is the error that ends the decoding.
	Decode string `json:"decode,omitempty"`
	// Object is what decoding made of the object, where that differs from what was given.
	Object   json.RawMessage `json:"object,omitempty"`
	Unknown  []string        `json:"unknown,omitempty"`
	Errors   []Finding       `json:"errors,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Costs    []Cost          `json:"costs,omitempty"`
	// Panic is set where the code crashed; an API server would answer 500.
	Panic string `json:"panic,omitempty"`
}

// Finding is one field error; Text is its message without the field.
type Finding struct {
	Type  string `json:"type"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

// Cost is the estimated cost of an expression, with the number of times it can run. 64-bit numbers are text because
// JSON readers round them.
type Cost struct {
	Path string `json:"path"`
	Cost string `json:"cost"`
}

// identify derives the id from the question itself, so that it survives reordering and new neighbours.
func (c *Case) identify(topic string) {
	question := *c
	question.ID, question.Want = "", nil
	text, err := json.Marshal(&question)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	c.ID = topic + "/" + hex.EncodeToString(sum[:5])
}

var selfType = regexp.MustCompile(`selfType\d+`)

// findings lists errors in an order of their own, because upstream's depends on Go's maps. Upstream names a type after
// the time of day; here it is always the same.
func findings(errors field.ErrorList) []Finding {
	var list []Finding
	for _, e := range errors {
		text := selfType.ReplaceAllString(e.ErrorBody(), "selfType1")
		list = append(list, Finding{Type: string(e.Type), Field: e.Field, Text: text})
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Field != b.Field {
			return a.Field < b.Field
		}
		if a.Type != b.Type {
			return a.Type < b.Type
		}
		return a.Text < b.Text
	})
	return list
}

func guarded(answer func(*Case) *Answer, c *Case) (result *Answer) {
	defer func() {
		if cause := recover(); cause != nil {
			result = &Answer{Panic: strings.SplitN(fmt.Sprint(cause), "\n", 2)[0]}
		}
	}()
	return answer(c)
}
