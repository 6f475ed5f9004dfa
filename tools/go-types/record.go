package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	k8sjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// eachLine feeds the lines of standard input to a function and writes down what it answers, one line each.
func eachLine(answer func(line []byte) (any, error)) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		result, err := answer(in.Bytes())
		if err != nil {
			return err
		}
		if err := encoder.Encode(result); err != nil {
			return err
		}
	}
	return in.Err()
}

type protobufCase struct {
	Object   json.RawMessage `json:"object"`
	Protobuf string          `json:"protobuf"`
	// Again is the object as it reads after a round trip through protobuf.
	Again json.RawMessage `json:"again"`
}

func recordProtobuf(scheme *runtime.Scheme) error {
	codecs := serializer.NewCodecFactory(scheme)
	proto := protobuf.NewSerializer(scheme, scheme)
	text := k8sjson.NewSerializerWithOptions(k8sjson.DefaultMetaFactory, scheme, scheme, k8sjson.SerializerOptions{})
	return eachLine(func(line []byte) (any, error) {
		object, _, err := codecs.UniversalDeserializer().Decode(line, nil, nil)
		if err != nil {
			return nil, err
		}
		data, err := runtime.Encode(proto, object)
		if err != nil {
			return nil, err
		}
		again, _, err := proto.Decode(data, nil, nil)
		if err != nil {
			return nil, err
		}
		written, err := runtime.Encode(text, again)
		if err != nil {
			return nil, err
		}
		return protobufCase{append(json.RawMessage(nil), line...), base64.StdEncoding.EncodeToString(data), written}, nil
	})
}

type strategicCase struct {
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Original json.RawMessage `json:"original"`
	Patch    json.RawMessage `json:"patch"`
	Result   any             `json:"result,omitempty"`
	Error    string          `json:"error,omitempty"`
	// Conversion is what the converter says of the result; Unknown are its unknown fields.
	Conversion string `json:"conversion,omitempty"`
}

func recordStrategic(scheme *runtime.Scheme) error {
	return eachLine(func(line []byte) (any, error) {
		var c strategicCase
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, err
		}
		gvk := schema.FromAPIVersionAndKind("v1", c.Kind)
		if c.Kind == "Deployment" {
			gvk.Group = "apps"
		}
		object, err := scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		original, patch := map[string]any{}, map[string]any{}
		if err := utiljson.Unmarshal(c.Original, &original); err != nil {
			return nil, err
		}
		if err := utiljson.Unmarshal(c.Patch, &patch); err != nil {
			return nil, err
		}
		result, err := applyStrategic(original, patch, object)
		if err != nil {
			c.Error = err.Error()
			return c, nil
		}
		c.Result = result
		fresh := reflect.New(reflect.TypeOf(object).Elem()).Interface()
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(result, fresh, true); err != nil {
			c.Conversion = err.Error()
		}
		return c, nil
	})
}

// applyStrategic turns a panic into an error: the server catches those too.
func applyStrategic(original, patch map[string]any, object runtime.Object) (result map[string]any, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v", caught)
		}
	}()
	return strategicpatch.StrategicMergeMapPatch(original, patch, object)
}
