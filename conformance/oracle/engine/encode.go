package main

import (
	"bytes"
	"encoding/json"
	"math"
	"sort"
)

// encode writes JSON with sorted keys in which a float64 keeps its fraction: 1.0 must not come back as an int64.
func encode(value any) json.RawMessage {
	var out bytes.Buffer
	encodeTo(&out, value)
	return out.Bytes()
}

func encodeTo(out *bytes.Buffer, value any) {
	switch typed := value.(type) {
	case map[string]any:
		encodeObject(out, typed)
	case []any:
		out.WriteByte('[')
		for i, item := range typed {
			if i > 0 {
				out.WriteByte(',')
			}
			encodeTo(out, item)
		}
		out.WriteByte(']')
	case float64:
		text := plain(typed)
		out.Write(text)
		if typed == math.Trunc(typed) && !bytes.ContainsAny(text, ".eE") {
			out.WriteString(".0")
		}
	default:
		out.Write(plain(typed))
	}
}

func encodeObject(out *bytes.Buffer, object map[string]any) {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	out.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(plain(key))
		out.WriteByte(':')
		encodeTo(out, object[key])
	}
	out.WriteByte('}')
}

func plain(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
