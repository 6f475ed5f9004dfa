package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// ApplyCase is a script of writes to one object, and once recorded what became of it.
type ApplyCase struct {
	ID     string      `json:"id"`
	Schema string      `json:"schema"`
	Steps  []ApplyStep `json:"steps"`
	// Each asks for the object after every step, not only after the last.
	Each bool         `json:"each,omitempty"`
	Want *ApplyAnswer `json:"want,omitempty"`
}

// ApplyStep is one write. The object is what is created, replaced or applied, or a merge patch.
type ApplyStep struct {
	Op          string          `json:"op"`
	Manager     string          `json:"manager,omitempty"`
	Version     string          `json:"version,omitempty"`
	Subresource string          `json:"subresource,omitempty"`
	Force       bool            `json:"force,omitempty"`
	Schema      string          `json:"schema,omitempty"`
	Object      json.RawMessage `json:"object,omitempty"`
}

// ApplyAnswer has one entry a step, null where it succeeded, and the object in the end.
type ApplyAnswer struct {
	Errors  []*ApplyError   `json:"errors"`
	Object  json.RawMessage `json:"object"`
	Objects []any           `json:"objects,omitempty"`
}

type ApplyError struct {
	Code    int32    `json:"code"`
	Reason  string   `json:"reason,omitempty"`
	Message string   `json:"message"`
	Causes  []string `json:"causes,omitempty"`
}

const (
	applyGroup = "example.com"
	applyKind  = "Widget"
)

// recordApply answers the scripts on standard input. Schemas come from a file beside the corpora.
func recordApply(schemasFile string) error {
	definitions, err := loadApplySchemas(schemasFile)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var c ApplyCase
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return err
		}
		if c.Want, err = runScript(definitions, &c); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		if err := writeLine(out, &c); err != nil {
			return err
		}
	}
	return in.Err()
}

// applyDefinition is the part of a CustomResourceDefinition that merging depends on.
type applyDefinition struct {
	PreserveUnknownFields bool `json:"preserveUnknownFields"`
	Status                bool `json:"status"`
	// Schemas by version; null where a version has none.
	Schemas map[string]any `json:"versions"`

	structurals map[string]*structuralschema.Structural
	converter   managedfields.TypeConverter
}

func loadApplySchemas(file string) (map[string]*applyDefinition, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	definitions := map[string]*applyDefinition{}
	if err := json.Unmarshal(text, &definitions); err != nil {
		return nil, err
	}
	for name, definition := range definitions {
		if err := definition.compile(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return definitions, nil
}

// compile builds the models as the API server's OpenAPI builder does: metadata and type fields are put over the schema.
func (d *applyDefinition) compile() error {
	models := metaModels()
	d.structurals = map[string]*structuralschema.Structural{}
	for version, raw := range d.Schemas {
		model := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}
		if raw != nil {
			structural, err := structuralOf(raw)
			if err != nil {
				return err
			}
			d.structurals[version] = structural
			model = structural.DeepCopy().Unfold().ToKubeOpenAPI()
			addResourceFields(model)
			addEmbeddedFields(model)
		}
		model.AddExtension("x-kubernetes-group-version-kind", []interface{}{
			map[string]interface{}{"group": applyGroup, "version": version, "kind": applyKind},
		})
		models["com.example."+version+"."+applyKind] = model
	}
	converter, err := managedfields.NewTypeConverter(models, d.PreserveUnknownFields)
	d.converter = converter
	return err
}

func structuralOf(raw any) (*structuralschema.Structural, error) {
	text, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	external := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(text, external); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(internal)
}

func addResourceFields(model *spec.Schema) {
	text := spec.StringProperty()
	model.SetProperty("apiVersion", *text)
	model.SetProperty("kind", *text)
	model.SetProperty("metadata", *spec.RefSchema("#/components/schemas/" + objectMetaModel))
}

func addEmbeddedFields(model *spec.Schema) {
	if model == nil {
		return
	}
	for name, member := range model.Properties {
		addEmbeddedFields(&member)
		model.Properties[name] = member
	}
	if model.Items != nil {
		addEmbeddedFields(model.Items.Schema)
	}
	if model.AdditionalProperties != nil {
		addEmbeddedFields(model.AdditionalProperties.Schema)
	}
	if embedded, ok := model.Extensions.GetBool("x-kubernetes-embedded-resource"); ok && embedded {
		addResourceFields(model)
	}
}

// script is the state of a run.
type script struct {
	definitions map[string]*applyDefinition
	definition  *applyDefinition
	live        *unstructured.Unstructured
}

func runScript(definitions map[string]*applyDefinition, c *ApplyCase) (*ApplyAnswer, error) {
	s := &script{definitions: definitions, definition: definitions[c.Schema]}
	if s.definition == nil {
		return nil, fmt.Errorf("no schema %q", c.Schema)
	}
	answer := &ApplyAnswer{}
	for index, step := range c.Steps {
		failure, err := s.run(index, &step)
		if err != nil {
			return nil, err
		}
		answer.Errors = append(answer.Errors, failure)
		if c.Each {
			answer.Objects = append(answer.Objects, snapshot(s.live))
		}
	}
	object, err := json.Marshal(snapshot(s.live))
	answer.Object = object
	return answer, err
}

func snapshot(live *unstructured.Unstructured) any {
	if live == nil {
		return nil
	}
	return live.DeepCopy().Object
}

func (s *script) run(index int, step *ApplyStep) (*ApplyError, error) {
	if step.Op == "schema" {
		s.definition = s.definitions[step.Schema]
		if s.definition == nil {
			return nil, fmt.Errorf("no schema %q", step.Schema)
		}
		return nil, nil
	}
	version := step.Version
	if version == "" {
		version = "v1"
	}
	manager, err := s.fieldManager(version, step.Subresource)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	next, err := s.write(manager, version, step)
	if err != nil {
		return failureOf(err), nil
	}
	if s.live != nil {
		kept, err := fieldmanager.IgnoreManagedFieldsTimestampsTransformer(context.Background(), next, s.current(version))
		if err != nil {
			return nil, err
		}
		next = kept.(*unstructured.Unstructured)
	}
	s.live = withLogicalTimes(next, start, index)
	if s.live.GetUID() == "" {
		s.live.SetUID("uid")
	}
	return nil, nil
}

func (s *script) write(manager *managedfields.FieldManager, version string, step *ApplyStep) (*unstructured.Unstructured, error) {
	live := s.current(version)
	var next runtime.Object
	switch step.Op {
	case "create", "replace":
		object := &unstructured.Unstructured{Object: withKind(step.Object, version)}
		if step.Op == "create" {
			live = emptyWidget(version)
		} else {
			object.SetUID(live.GetUID())
		}
		next = manager.UpdateNoErrors(live, object, step.Manager)
	case "merge":
		patched := live.DeepCopy()
		patched.Object = mergePatched(patched.Object, plainObject(step.Object)).(map[string]any)
		next = manager.UpdateNoErrors(live, patched, step.Manager)
	case "apply":
		patch := &unstructured.Unstructured{Object: withKind(step.Object, version)}
		applied, err := manager.Apply(live, patch, step.Manager, step.Force)
		if err != nil {
			return nil, err
		}
		next = applied
	default:
		return nil, fmt.Errorf("no operation %q", step.Op)
	}
	return next.(*unstructured.Unstructured).DeepCopy(), nil
}

// current is the live object in the version of the request, or a new one.
func (s *script) current(version string) *unstructured.Unstructured {
	if s.live == nil {
		return emptyWidget(version)
	}
	live := s.live.DeepCopy()
	live.SetAPIVersion(applyGroup + "/" + version)
	return live
}

func emptyWidget(version string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetGroupVersionKind(schema.GroupVersionKind{Group: applyGroup, Version: version, Kind: applyKind})
	return object
}

// withKind is the object of a step, with its version and kind where the script leaves them out.
func withKind(text json.RawMessage, version string) map[string]any {
	object := plainObject(text)
	if _, ok := object["apiVersion"]; !ok {
		object["apiVersion"] = applyGroup + "/" + version
	}
	if _, ok := object["kind"]; !ok {
		object["kind"] = applyKind
	}
	return object
}

// plainObject tells int64 from float64 as the API server's decoder does.
func plainObject(text json.RawMessage) map[string]any {
	object := map[string]any{}
	if err := utiljson.Unmarshal(text, &object); err != nil {
		panic(err)
	}
	return object
}

func mergePatched(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, change := range changes {
		if change == nil {
			delete(object, name)
			continue
		}
		object[name] = mergePatched(object[name], change)
	}
	return object
}

// withLogicalTimes replaces what the clock said by the number of the step, so that recordings do not depend on it.
func withLogicalTimes(object *unstructured.Unstructured, start time.Time, step int) *unstructured.Unstructured {
	entries := object.GetManagedFields()
	if len(entries) == 0 {
		return object
	}
	logical := metav1.NewTime(time.Date(2020, 1, 1, 0, step, 0, 0, time.UTC))
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.Time.Unix() >= start.Unix() {
			entries[i].Time = &logical
		}
	}
	object.SetManagedFields(entries)
	return object
}

func failureOf(err error) *ApplyError {
	failure := &ApplyError{Code: 500, Message: err.Error()}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		failure.Code, failure.Reason = status.Status().Code, string(status.Status().Reason)
		if details := status.Status().Details; details != nil {
			for _, cause := range details.Causes {
				failure.Causes = append(failure.Causes, fmt.Sprintf("%s|%s|%s", cause.Type, cause.Message, cause.Field))
			}
		}
	}
	slices.Sort(failure.Causes)
	// Findings of one map come in random order.
	if lines := strings.Split(failure.Message, "\n"); len(lines) > 2 && strings.HasSuffix(lines[0], "errors:") {
		slices.Sort(lines[1:])
		failure.Message = strings.Join(lines, "\n")
	}
	return failure
}

func (s *script) fieldManager(version, subresource string) (*managedfields.FieldManager, error) {
	gv := schema.GroupVersion{Group: applyGroup, Version: version}
	return managedfields.NewDefaultCRDFieldManager(
		s.definition.converter,
		widgetConverter{s.definition},
		widgetDefaulter{s.definition},
		widgetCreater{},
		gv.WithKind(applyKind),
		gv,
		subresource,
		fieldpath.NewExcludeFilterSetMap(s.definition.resetFields(version, subresource)),
	)
}

// resetFields covers all versions for the status endpoint, but only that of the request for the resource itself.
func (d *applyDefinition) resetFields(own, subresource string) map[fieldpath.APIVersion]*fieldpath.Set {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	if !d.Status {
		return reset
	}
	for version := range d.Schemas {
		set := fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
		if subresource == "" && version != own {
			continue
		}
		if subresource == "status" {
			set = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
		}
		reset[fieldpath.APIVersion(applyGroup+"/"+version)] = set
	}
	return reset
}

// widgetConverter converts by name, as custom resources without a conversion webhook are.
type widgetConverter struct{ definition *applyDefinition }

func (widgetConverter) Convert(in, out, context interface{}) error {
	return errors.New("not used")
}

func (c widgetConverter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	from := in.GetObjectKind().GroupVersionKind()
	to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from})
	if !ok {
		return nil, fmt.Errorf("%v is unstructured and is not suitable for converting to %q", from.String(), target)
	}
	if _, ok := c.definition.Schemas[to.Version]; !ok {
		return nil, fmt.Errorf("request to convert CR to an invalid group/version: %s", to.GroupVersion().String())
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(to)
	return out, nil
}

func (widgetConverter) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("not used")
}

type widgetDefaulter struct{ definition *applyDefinition }

func (d widgetDefaulter) Default(in runtime.Object) {
	object := in.(*unstructured.Unstructured)
	if structural := d.definition.structurals[object.GroupVersionKind().Version]; structural != nil {
		defaulting.Default(object.UnstructuredContent(), structural)
	}
}

type widgetCreater struct{}

func (widgetCreater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	return emptyWidget(kind.Version), nil
}
