package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// encodeValue writes a value with its type, so that 1, 1u and 1.0 stay apart: {"int":"1"}.
func encodeValue(value ref.Val) any {
	switch v := value.(type) {
	case types.Null:
		return tag("null", nil)
	case types.Bool:
		return tag("bool", bool(v))
	case types.Int:
		return tag("int", strconv.FormatInt(int64(v), 10))
	case types.Uint:
		return tag("uint", strconv.FormatUint(uint64(v), 10))
	case types.Double:
		return tag("double", strconv.FormatFloat(float64(v), 'g', -1, 64))
	case types.String:
		return tag("string", string(v))
	case types.Bytes:
		return tag("bytes", base64.StdEncoding.EncodeToString(v))
	case types.Duration:
		return tag("duration", v.Duration.String())
	case types.Timestamp:
		return tag("timestamp", v.Time.UTC().Format(time.RFC3339Nano))
	case *types.Type:
		return tag("type", v.TypeName())
	case *types.Err:
		return tag("error", v.Error())
	case *types.Optional:
		if !v.HasValue() {
			return tag("optional", nil)
		}
		return tag("optional", encodeValue(v.GetValue()))
	case apiservercel.Quantity:
		return tag("kubernetes.Quantity", v.Quantity.String())
	case *apiservercel.Quantity:
		return tag("kubernetes.Quantity", v.Quantity.String())
	case apiservercel.Semver:
		return tag("kubernetes.Semver", v.Version.String())
	case apiservercel.URL:
		return tag("kubernetes.URL", v.URL.String())
	case apiservercel.IP:
		return tag("net.IP", v.Addr.String())
	case apiservercel.CIDR:
		return tag("net.CIDR", v.Prefix.String())
	case apiservercel.Format:
		return tag("kubernetes.NamedFormat", v.Name)
	case *apiservercel.Format:
		return tag("kubernetes.NamedFormat", v.Name)
	case traits.Mapper:
		return tag("map", encodeEntries(v))
	case traits.Lister:
		return tag("list", encodeElements(v))
	}
	return tag("opaque", value.Type().TypeName())
}

func tag(name string, content any) map[string]any { return map[string]any{name: content} }

func encodeElements(list traits.Lister) []any {
	elements := []any{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		elements = append(elements, encodeValue(it.Next()))
	}
	return elements
}

// encodeEntries sorts by the encoded key: Go's order is random.
func encodeEntries(mapper traits.Mapper) [][2]any {
	entries := [][2]any{}
	for it := mapper.Iterator(); it.HasNext() == types.True; {
		// An object's iterator yields nil for each property its schema does not know.
		key := it.Next()
		if key == nil {
			continue
		}
		if value, found := mapper.Find(key); found {
			entries = append(entries, [2]any{encodeValue(key), encodeValue(value)})
		}
	}
	sort.Slice(entries, func(i, j int) bool { return marshal(entries[i][0]) < marshal(entries[j][0]) })
	return entries
}

func marshal(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

// decodeValue is the inverse, for bindings. {"json": …} binds the native form of an unstructured object.
func decodeValue(data json.RawMessage) (any, error) {
	var tagged map[string]json.RawMessage
	if err := json.Unmarshal(data, &tagged); err != nil {
		return nil, err
	}
	if len(tagged) != 1 {
		return nil, fmt.Errorf("a binding has one tag: %s", data)
	}
	for name, content := range tagged {
		return decodeTagged(name, content)
	}
	panic("unreachable")
}

func decodeTagged(name string, content json.RawMessage) (any, error) {
	switch name {
	case "null":
		return types.NullValue, nil
	case "bool":
		return string(content) == "true", nil
	case "json":
		return decodeJSON(content)
	case "list":
		return decodeList(content)
	case "map":
		return decodeMap(content)
	case "optional":
		if string(content) == "null" {
			return types.OptionalNone, nil
		}
		inner, err := decodeValue(content)
		return types.OptionalOf(types.DefaultTypeAdapter.NativeToValue(inner)), err
	case "authorizer", "resourceCheck":
		return decodeAuthorizer(name, content)
	}
	var text string
	if err := json.Unmarshal(content, &text); err != nil {
		return nil, err
	}
	return decodeScalar(name, text)
}

func decodeScalar(name, text string) (any, error) {
	switch name {
	case "int":
		return strconv.ParseInt(text, 10, 64)
	case "uint":
		return strconv.ParseUint(text, 10, 64)
	case "double":
		return strconv.ParseFloat(text, 64)
	case "string":
		return text, nil
	case "bytes":
		return base64.StdEncoding.DecodeString(text)
	case "duration":
		return time.ParseDuration(text)
	case "timestamp":
		return time.Parse(time.RFC3339Nano, text)
	}
	return nil, fmt.Errorf("unknown tag %q", name)
}

// decodeJSON gives integers int64, as the API server's decoder does.
func decodeJSON(content json.RawMessage) (any, error) {
	wrapped := map[string]any{}
	err := utiljson.Unmarshal([]byte(`{"value":`+string(content)+`}`), &wrapped)
	return wrapped["value"], err
}

func decodeList(content json.RawMessage) (any, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(content, &items); err != nil {
		return nil, err
	}
	list := []any{}
	for _, item := range items {
		value, err := decodeValue(item)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

func decodeMap(content json.RawMessage) (any, error) {
	var entries [][2]json.RawMessage
	if err := json.Unmarshal(content, &entries); err != nil {
		return nil, err
	}
	decoded := map[ref.Val]ref.Val{}
	for _, entry := range entries {
		key, err := decodeValue(entry[0])
		if err != nil {
			return nil, err
		}
		value, err := decodeValue(entry[1])
		if err != nil {
			return nil, err
		}
		decoded[types.DefaultTypeAdapter.NativeToValue(key)] = types.DefaultTypeAdapter.NativeToValue(value)
	}
	return decoded, nil
}
