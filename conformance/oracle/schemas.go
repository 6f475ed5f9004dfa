package main

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

//go:embed cases/schemas.json
var schemaFile []byte

// loadSchemas turns the named OpenAPI schemas of the tables into structural ones.
func loadSchemas() (map[string]*schema.Structural, error) {
	var named map[string]*v1.JSONSchemaProps
	if err := json.Unmarshal(schemaFile, &named); err != nil {
		return nil, err
	}
	structurals := map[string]*schema.Structural{}
	for name, props := range named {
		internal := &apiextensions.JSONSchemaProps{}
		if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
			return nil, fmt.Errorf("schema %q: %w", name, err)
		}
		structural, err := schema.NewStructural(internal)
		if err != nil {
			return nil, fmt.Errorf("schema %q: %w", name, err)
		}
		structurals[name] = structural
	}
	return structurals, nil
}

func optionalOf(raw any, value ref.Val) ref.Val {
	if raw == nil {
		return types.OptionalNone
	}
	return types.OptionalOf(value)
}
