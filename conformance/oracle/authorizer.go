package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/library"
)

// stubAuthorizer decides by data. The first rule whose attributes all agree decides; otherwise there is no
// opinion, and the reason repeats the attributes so that a corpus can see what was asked.
type stubAuthorizer struct {
	User     stubUser      `json:"user"`
	Rules    []stubRule    `json:"rules"`
	Resource *stubResource `json:"resource"`
}

type stubUser struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups"`
}

type stubRule struct {
	Match    map[string]string `json:"match"`
	Decision string            `json:"decision"`
	Reason   string            `json:"reason"`
	Error    string            `json:"error"`
}

type stubResource struct {
	Group, Version, Resource, Subresource, Namespace, Name string
}

func (r stubResource) GetName() string        { return r.Name }
func (r stubResource) GetNamespace() string   { return r.Namespace }
func (r stubResource) GetSubresource() string { return r.Subresource }
func (r stubResource) GetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
}

func decodeAuthorizer(tag string, content json.RawMessage) (any, error) {
	stub := &stubAuthorizer{}
	if err := json.Unmarshal(content, stub); err != nil {
		return nil, err
	}
	info := &user.DefaultInfo{Name: stub.User.Name, Groups: stub.User.Groups}
	if tag == "authorizer" {
		return library.NewAuthorizerVal(info, stub), nil
	}
	if stub.Resource == nil {
		return nil, fmt.Errorf("a resourceCheck needs a resource")
	}
	return library.NewResourceAuthorizerVal(info, stub, *stub.Resource), nil
}

func (s *stubAuthorizer) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	asked := attributes(a)
	for _, rule := range s.Rules {
		if !rule.matches(asked) {
			continue
		}
		var err error
		if rule.Error != "" {
			err = errors.New(rule.Error)
		}
		return decisions[rule.Decision], rule.Reason, err
	}
	var parts []string
	for _, pair := range asked {
		if pair[1] != "" {
			parts = append(parts, pair[0]+"="+pair[1])
		}
	}
	return authorizer.DecisionNoOpinion, strings.Join(parts, " "), nil
}

var decisions = map[string]authorizer.Decision{
	"allow": authorizer.DecisionAllow, "deny": authorizer.DecisionDeny, "noOpinion": authorizer.DecisionNoOpinion,
}

func (r stubRule) matches(asked [][2]string) bool {
	matched := 0
	for _, pair := range asked {
		if want, ok := r.Match[pair[0]]; ok {
			if want != pair[1] {
				return false
			}
			matched++
		}
	}
	return matched == len(r.Match)
}

func attributes(a authorizer.Attributes) [][2]string {
	fields, fieldError := a.GetFieldSelector()
	labels, labelError := a.GetLabelSelector()
	return [][2]string{
		{"user", a.GetUser().GetName()},
		{"groups", strings.Join(a.GetUser().GetGroups(), ",")},
		{"verb", a.GetVerb()},
		{"group", a.GetAPIGroup()},
		{"version", a.GetAPIVersion()},
		{"resource", a.GetResource()},
		{"subresource", a.GetSubresource()},
		{"namespace", a.GetNamespace()},
		{"name", a.GetName()},
		{"path", a.GetPath()},
		{"resourceRequest", fmt.Sprint(a.IsResourceRequest())},
		{"fieldSelector", textOf(fields)},
		{"fieldSelectorError", errorText(fieldError)},
		{"labelSelector", textOf(labels)},
		{"labelSelectorError", errorText(labelError)},
	}
}

func textOf[T any](requirements []T) string {
	if len(requirements) == 0 {
		return ""
	}
	var parts []string
	for _, requirement := range requirements {
		parts = append(parts, fmt.Sprintf("%v", requirement))
	}
	return strings.Join(parts, ";")
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
