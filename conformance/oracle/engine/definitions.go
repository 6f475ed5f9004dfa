package main

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	extensionscel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

var definitions = func() *runtime.Scheme {
	made := runtime.NewScheme()
	install.Install(made)
	return made
}()

var decoder = serializer.NewCodecFactory(definitions).UniversalDecoder(apiextensions.SchemeGroupVersion)

// answerDefinition creates a definition, or updates it where the case has an old one. Decoding applies the defaults of
// the API and converts to the internal version, which moves what all versions share to the top.
func answerDefinition(c *Case) *Answer {
	answer := &Answer{}
	created, err := decodeDefinition(c.Object)
	if err != nil {
		answer.Decode = err.Error()
		return answer
	}
	strategy := customresourcedefinition.NewStrategy(definitions)
	warned := &recorder{}
	ctx := warned.context()
	if len(c.Old) == 0 {
		strategy.PrepareForCreate(ctx, created)
		answer.Errors = findings(strategy.Validate(ctx, created))
		answer.Warnings = append(warned.sorted(), strategy.WarningsOnCreate(ctx, created)...)
	} else {
		old, err := decodeDefinition(c.Old)
		must(err)
		strategy.PrepareForUpdate(ctx, created, old)
		answer.Errors = findings(strategy.ValidateUpdate(ctx, created, old))
		answer.Warnings = append(warned.sorted(), strategy.WarningsOnUpdate(ctx, created, old)...)
	}
	sort.Strings(answer.Warnings)
	if len(answer.Errors) == 0 || onlyCosts(answer.Errors) {
		answer.Costs = costsOf(created)
	}
	return answer
}

func decodeDefinition(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	object, _, err := decoder.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	return object.(*apiextensions.CustomResourceDefinition), nil
}

// onlyCosts tells whether the schema is sound but for the cost of its rules, so that the costs can be told.
func onlyCosts(errors []Finding) bool {
	for _, e := range errors {
		if e.Type != string(field.ErrorTypeForbidden) || !strings.Contains(e.Text, "estimated") {
			return false
		}
	}
	return true
}

func costsOf(definition *apiextensions.CustomResourceDefinition) (costs []Cost) {
	spec := field.NewPath("spec")
	if definition.Spec.Validation != nil {
		costs = append(costs, schemaCosts(definition.Spec.Validation, spec.Child("validation"))...)
	}
	for i, version := range definition.Spec.Versions {
		if version.Schema != nil {
			costs = append(costs, schemaCosts(version.Schema, spec.Child("versions").Index(i).Child("schema"))...)
		}
	}
	sort.Slice(costs, func(i, j int) bool { return costs[i].Path < costs[j].Path })
	return costs
}

func schemaCosts(validation *apiextensions.CustomResourceValidation, path *field.Path) (costs []Cost) {
	schema := validation.OpenAPIV3Schema
	if schema == nil {
		return nil
	}
	if _, err := structuralschema.NewStructural(schema); err != nil {
		return nil
	}
	walkCosts(schema, apiextensionsvalidation.RootCELContext(schema), path.Child("openAPIV3Schema"), &costs)
	return costs
}

func walkCosts(schema *apiextensions.JSONSchemaProps, at *apiextensionsvalidation.CELSchemaContext, path *field.Path, costs *[]Cost) {
	if schema == nil {
		return
	}
	nodeCosts(schema, at, path, costs)
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		inner := schema.AdditionalProperties.Schema
		walkCosts(inner, at.ChildAdditionalPropertiesContext(inner), path.Child("additionalProperties"), costs)
	}
	for name := range schema.Properties {
		inner := schema.Properties[name]
		walkCosts(&inner, at.ChildPropertyContext(&inner, name), path.Child("properties").Key(name), costs)
	}
	if schema.Items != nil {
		walkCosts(schema.Items.Schema, at.ChildItemsContext(schema.Items.Schema), path.Child("items"), costs)
	}
}

func nodeCosts(schema *apiextensions.JSONSchemaProps, at *apiextensionsvalidation.CELSchemaContext, path *field.Path, costs *[]Cost) {
	if len(schema.XValidations) == 0 {
		return
	}
	types, err := at.TypeInfo()
	if err != nil || types == nil {
		return
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := extensionscel.Compile(types.Schema, types.DeclType, celconfig.PerCallLimit, base, extensionscel.NewExpressionsEnvLoader())
	if err != nil {
		return
	}
	for i, result := range results {
		times := result.MaxCardinality
		if at.MaxCardinality != nil {
			times = *at.MaxCardinality
		}
		rule := path.Child("x-kubernetes-validations").Index(i)
		*costs = append(*costs, Cost{Path: rule.Child("rule").String(), Cost: fmt.Sprint(multiply(result.MaxCost, times))})
		if result.MessageExpression != nil {
			*costs = append(*costs, Cost{Path: rule.Child("messageExpression").String(), Cost: fmt.Sprint(result.MessageExpressionMaxCost)})
		}
	}
}

func multiply(cost, times uint64) uint64 {
	if cost == 0 {
		return 0
	}
	if math.MaxUint/cost < times {
		return math.MaxUint
	}
	return cost * times
}
