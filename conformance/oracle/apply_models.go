package main

import (
	"strings"

	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const (
	metaPackage     = "io.k8s.apimachinery.pkg.apis.meta.v1."
	objectMetaModel = metaPackage + "ObjectMeta"
)

// metaModels are the definitions of the metadata types under the names that references use.
func metaModels() map[string]*spec.Schema {
	definitions := generatedopenapi.GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + modelName(name))
	})
	models := map[string]*spec.Schema{}
	for name, definition := range definitions {
		if model := modelName(name); strings.HasPrefix(model, metaPackage) {
			models[model] = &definition.Schema
		}
	}
	return models
}

func modelName(name string) string {
	if strings.HasPrefix(name, "io.k8s.") {
		return name
	}
	return util.ToRESTFriendlyName(name)
}
