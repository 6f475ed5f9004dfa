package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	k8sjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

type decodeCase struct {
	Kind  string `json:"kind"`
	Body  string `json:"body"`
	Error string `json:"error,omitempty"`
	// Strict are unknown and duplicate fields.
	Strict []string        `json:"strict,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
}

// recordDecode tells what the API server's JSON decoder makes of bodies, before defaults and conversion.
func recordDecode(scheme *runtime.Scheme) error {
	options := k8sjson.SerializerOptions{Strict: true}
	serializer := k8sjson.NewSerializerWithOptions(k8sjson.DefaultMetaFactory, scheme, scheme, options)
	return eachLine(func(line []byte) (any, error) {
		var c decodeCase
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, err
		}
		gvk := schema.GroupVersionKind{}
		if err := parseKind(c.Kind, &gvk); err != nil {
			return nil, err
		}
		object, _, err := serializer.Decode([]byte(c.Body), &gvk, nil)
		if strict, ok := runtime.AsStrictDecodingError(err); ok {
			for _, each := range strict.Errors() {
				c.Strict = append(c.Strict, each.Error())
			}
			err = nil
		}
		if err != nil {
			c.Error = err.Error()
			return c, nil
		}
		if c.Object, err = runtime.Encode(serializer, object); err != nil {
			return nil, err
		}
		return c, nil
	})
}
