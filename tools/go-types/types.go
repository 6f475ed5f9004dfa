package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type typeDump struct {
	Kinds map[string]string      `json:"kinds"`
	Types map[string]*structDump `json:"types"`
}

type structDump struct {
	Go     string      `json:"go"`
	Fields []fieldDump `json:"fields"`
}

type fieldDump struct {
	JSON          string `json:"json"`
	Type          string `json:"type"`
	Inline        bool   `json:"inline,omitempty"`
	OmitEmpty     bool   `json:"omitempty,omitempty"`
	OmitZero      bool   `json:"omitzero,omitempty"`
	PatchStrategy string `json:"patchStrategy,omitempty"`
	PatchMergeKey string `json:"patchMergeKey,omitempty"`
	Proto         string `json:"proto,omitempty"`
}

var unmarshaler = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()

type protoMarshaler interface{ Marshal() ([]byte, error) }

var protoType = reflect.TypeOf((*protoMarshaler)(nil)).Elem()

func writeTypes(scheme *runtime.Scheme) error {
	dump := &typeDump{Kinds: map[string]string{}, Types: map[string]*structDump{}}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		gvk := schema.GroupVersionKind{}
		if err := parseKind(in.Text(), &gvk); err != nil {
			return err
		}
		object, err := scheme.New(gvk)
		if err != nil {
			return err
		}
		t := reflect.TypeOf(object).Elem()
		dump.addStruct(t)
		dump.Kinds[in.Text()] = typeKey(t)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(dump)
}

// parseKind reads "group/version/Kind"; the core group is empty.
func parseKind(text string, gvk *schema.GroupVersionKind) error {
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return fmt.Errorf("%q is no kind", text)
	}
	gvk.Group, gvk.Version, gvk.Kind = parts[0], parts[1], parts[2]
	return nil
}

func typeKey(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

func (d *typeDump) addStruct(t reflect.Type) {
	key := typeKey(t)
	if _, known := d.Types[key]; known {
		return
	}
	s := &structDump{Go: t.String(), Fields: []fieldDump{}}
	d.Types[key] = s
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		tag, ok := field.Tag.Lookup("json")
		if tag == "-" || !field.IsExported() || (!ok && !field.Anonymous) {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		f := fieldDump{
			JSON:          name,
			Inline:        name == "" && field.Anonymous,
			PatchStrategy: field.Tag.Get("patchStrategy"),
			PatchMergeKey: field.Tag.Get("patchMergeKey"),
			Proto:         field.Tag.Get("protobuf"),
		}
		for _, option := range strings.Split(options, ",") {
			f.OmitEmpty = f.OmitEmpty || option == "omitempty"
			f.OmitZero = f.OmitZero || option == "omitzero"
		}
		f.Type = d.typeText(field.Type)
		s.Fields = append(s.Fields, f)
	}
}

// typeText describes a type in the notation of the data file; see shapes.ts.
func (d *typeDump) typeText(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "*" + d.typeText(t.Elem())
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return "!" + t.String()
	}
	name := ""
	if t.Name() != t.Kind().String() {
		name = t.String()
	}
	switch t.Kind() {
	case reflect.String:
		return named("s", name)
	case reflect.Bool:
		return named("b", name)
	case reflect.Int32:
		return named("i", name)
	case reflect.Int64, reflect.Int:
		return named("l", name)
	case reflect.Float64:
		return named("f", name)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return named("y", name)
		}
		if t.Name() == "" {
			name = ""
		} else if reflect.PointerTo(t).Implements(protoType) {
			name = "=" + name
		}
		return "[" + name + "]" + d.typeText(t.Elem())
	case reflect.Map:
		if t.Name() == "" && t.Key().Name() == "string" {
			name = ""
		}
		if t.Name() != "" && t.Elem().Name() != "" && reflect.PointerTo(t).Implements(protoType) {
			name = "=" + name
		}
		return "<" + name + ">" + d.typeText(t.Elem())
	case reflect.Struct:
		d.addStruct(t)
		return "@" + typeKey(t)
	}
	panic(fmt.Sprintf("type %s of kind %s", t, t.Kind()))
}

func named(code, name string) string {
	if name == "" {
		return code
	}
	return code + ":" + name
}
