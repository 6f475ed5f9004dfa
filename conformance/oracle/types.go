package main

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"

	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

var namedTypes = map[string]*cel.Type{
	"any": cel.AnyType, "bool": cel.BoolType, "bytes": cel.BytesType, "double": cel.DoubleType,
	"duration": cel.DurationType, "dyn": cel.DynType, "int": cel.IntType, "null_type": cel.NullType,
	"string": cel.StringType, "timestamp": cel.TimestampType, "type": cel.TypeType, "uint": cel.UintType,
	"kubernetes.URL": apiservercel.URLType, "kubernetes.Quantity": apiservercel.QuantityType,
	"kubernetes.Semver": apiservercel.SemverType, "kubernetes.NamedFormat": apiservercel.FormatType,
	"net.IP": apiservercel.IPType, "net.CIDR": apiservercel.CIDRType,
	"kubernetes.authorization.Authorizer":    library.AuthorizerType,
	"kubernetes.authorization.ResourceCheck": library.ResourceCheckType,
}

// parseType reads cel-go's own notation: int, list(string), map(string, dyn), optional_type(int).
func parseType(text string) (*cel.Type, error) {
	parser := &typeParser{rest: strings.ReplaceAll(text, " ", "")}
	parsed, err := parser.next()
	if err == nil && parser.rest != "" {
		err = fmt.Errorf("trailing %q in type %q", parser.rest, text)
	}
	return parsed, err
}

type typeParser struct{ rest string }

func (p *typeParser) next() (*cel.Type, error) {
	end := strings.IndexAny(p.rest, "(),")
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	if !strings.HasPrefix(p.rest, "(") {
		if named, ok := namedTypes[name]; ok {
			return named, nil
		}
		return nil, fmt.Errorf("unknown type %q", name)
	}
	parameters, err := p.parameters()
	if err != nil {
		return nil, err
	}
	switch {
	case name == "list" && len(parameters) == 1:
		return cel.ListType(parameters[0]), nil
	case name == "map" && len(parameters) == 2:
		return cel.MapType(parameters[0], parameters[1]), nil
	case name == "optional_type" && len(parameters) == 1:
		return cel.OptionalType(parameters[0]), nil
	}
	return nil, fmt.Errorf("unknown type %q with %d parameters", name, len(parameters))
}

func (p *typeParser) parameters() ([]*cel.Type, error) {
	var parameters []*cel.Type
	for p.rest != "" && p.rest[0] != ')' {
		p.rest = p.rest[1:]
		parameter, err := p.next()
		if err != nil {
			return nil, err
		}
		parameters = append(parameters, parameter)
	}
	if p.rest == "" {
		return nil, fmt.Errorf("unclosed type")
	}
	p.rest = p.rest[1:]
	return parameters, nil
}
