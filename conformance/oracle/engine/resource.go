package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/registry/rest"
)

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

// resource is one custom resource served with a schema, put together as the API server's handler does it.
type resource struct {
	refused    []string
	structural *structuralschema.Structural
	strategy   strategy
	status     rest.RESTUpdateStrategy
	isRoot     bool
}

type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// lastResource keeps the most recent one: tables and generators ask many questions about one schema in a row.
var lastResource struct {
	key      string
	resource *resource
}

func resourceFor(c *Case) *resource {
	key := fmt.Sprintf("%s %v %s", c.Schema, c.Root, c.Subresources)
	if lastResource.key != key || lastResource.resource == nil {
		lastResource.resource = newResource(c)
		lastResource.key = key
	}
	return lastResource.resource
}

func newResource(c *Case) *resource {
	definition := definitionFor(c)
	version := definition.Spec.Versions[0]
	var internal apiextensions.CustomResourceValidation
	must(apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(version.Schema, &internal, nil))
	props := internal.OpenAPIV3Schema
	structural, err := structuralschema.NewStructural(props)
	must(err)
	structural = structural.DeepCopy()
	must(defaulting.PruneDefaults(structural))
	made := &resource{refused: refusals(definition), structural: structural, isRoot: c.Root}
	validator, _, err := validation.NewSchemaValidator(props)
	must(err)
	var status *apiextensions.CustomResourceSubresourceStatus
	var statusValidator validation.SchemaValidator
	var scale *apiextensions.CustomResourceSubresourceScale
	if sub := version.Subresources; sub != nil && sub.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
		if statusSchema, ok := props.Properties["status"]; ok {
			statusValidator, _, err = validation.NewSchemaValidator(&statusSchema)
			must(err)
		}
	}
	if sub := version.Subresources; sub != nil && sub.Scale != nil {
		scale = &apiextensions.CustomResourceSubresourceScale{}
		must(apiextensionsv1.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(sub.Scale, scale, nil))
	}
	base := customresource.NewStrategy(runtime.NewScheme(), true, widget, validator, statusValidator, structural, status, scale, nil)
	made.strategy = base
	made.status = customresource.NewStatusStrategy(base)
	return made
}

func definitionFor(c *Case) *apiextensionsv1.CustomResourceDefinition {
	var props apiextensionsv1.JSONSchemaProps
	must(json.Unmarshal(c.Schema, &props))
	if !c.Root {
		props = apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": props}}
	}
	version := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: widget.Version, Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &props},
	}
	if len(c.Subresources) > 0 {
		version.Subresources = &apiextensionsv1.CustomResourceSubresources{}
		must(json.Unmarshal(c.Subresources, version.Subresources))
	}
	definition := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: widget.Group, Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Kind: widget.Kind},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version},
		},
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(definition)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
	return definition
}

func refusals(definition *apiextensionsv1.CustomResourceDefinition) (texts []string) {
	internal := &apiextensions.CustomResourceDefinition{}
	must(apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(definition.DeepCopy(), internal, nil))
	internal.Status.StoredVersions = []string{widget.Version}
	for _, e := range apiextensionsvalidation.ValidateCustomResourceDefinition(context.Background(), internal) {
		texts = append(texts, e.Error())
	}
	return texts
}

// wrap makes a whole object of what a case gives.
func (r *resource) wrap(given json.RawMessage) map[string]any {
	if r.isRoot {
		return decoded(given)
	}
	metadata := map[string]any{"name": "a", "namespace": "default", "resourceVersion": "1"}
	object := map[string]any{"apiVersion": "example.com/v1", "kind": widget.Kind, "metadata": metadata}
	if len(given) > 0 {
		object["spec"] = decoded([]byte(`{"spec":` + string(given) + `}`))["spec"]
	}
	return object
}

func decoded(text []byte) map[string]any {
	object := map[string]any{}
	must(utiljson.Unmarshal(text, &object))
	return object
}

// coerce does to an object what decoding a request does: prune, drop nulls, rewrite metadata, default.
func (r *resource) coerce(object map[string]any) (unknown []string, err error) {
	u := unstructured.Unstructured{Object: object}
	kind, hasKind, err := unstructured.NestedString(object, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(object, "apiVersion")
	if err != nil {
		return nil, err
	}
	meta, hasMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	isOurs := gv.Group == widget.Group && kind == widget.Kind
	if isOurs {
		track := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
		unknown = append(unknown, pruning.PruneWithOptions(object, r.structural, true, track)...)
		defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
		coerceErr, paths := objectmeta.CoerceWithOptions(nil, object, r.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
		if coerceErr != nil {
			return nil, coerceErr
		}
		unknown = append(unknown, paths...)
	}
	if hasKind {
		u.SetKind(kind)
	}
	if hasVersion {
		u.SetAPIVersion(apiVersion)
	}
	if hasMeta {
		if err := objectmeta.SetObjectMeta(object, meta); err != nil {
			return nil, err
		}
	}
	if isOurs {
		defaulting.Default(object, r.structural)
	}
	return unknown, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
