package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	extensionscel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// selfTypeName stands in for the time-stamped name Kubernetes invents per compilation.
const selfTypeName = "selfType"

// attempts is how often a program is built and run to find answers that depend on Go's random map order.
const attempts = 32

type recorder struct {
	schemas map[string]*schema.Structural
}

// errUnstable marks a case without one right answer.
var errUnstable = fmt.Errorf("the answer differs from run to run")

func (r *recorder) record(c *Case) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			c.Want.Panic, err = fmt.Sprint(reason), nil
		}
	}()
	env, estimator, err := r.environment(c)
	if err != nil {
		return err
	}
	c.Want = &Answer{}
	ast, issues := env.Compile(c.text())
	if issues != nil {
		c.Want.Issues = issues.String()
		return nil
	}
	c.Want.Type = checker.FormatCELType(ast.OutputType())
	estimate, err := env.EstimateCost(ast, estimator)
	if err != nil {
		return err
	}
	c.Want.Estimate = &Estimate{strconv.FormatUint(estimate.Min, 10), strconv.FormatUint(estimate.Max, 10)}
	first := ""
	for i := 0; i < attempts; i++ {
		if err := r.evaluate(c, env, ast, estimator); err != nil {
			return err
		}
		answer := marshal(c.Want)
		if first != "" && first != answer {
			return errUnstable
		}
		first = answer
	}
	return nil
}

func (r *recorder) environment(c *Case) (*cel.Env, *library.CostEstimator, error) {
	env := c.Env
	if env == nil {
		env = &CaseEnv{}
	}
	if env.Version == "" {
		env = &CaseEnv{Version: "1.36", Mode: env.Mode, Vars: env.Vars, Sizes: env.Sizes, Schema: env.Schema, Root: env.Root, OptionalOldSelf: env.OptionalOldSelf}
	}
	parsed, err := version.ParseGeneric(env.Version)
	if err != nil {
		return nil, nil, err
	}
	options, declared, err := r.declarations(env)
	if err != nil {
		return nil, nil, err
	}
	extended, err := environment.MustBaseEnvSet(parsed).Extend(options...)
	if err != nil {
		return nil, nil, err
	}
	kind := environment.StoredExpressions
	if env.Mode == "new" {
		kind = environment.NewExpressions
	}
	built, err := extended.Env(kind)
	return built, &library.CostEstimator{SizeEstimator: &sizes{root: declared, known: env.Sizes}}, err
}

func (r *recorder) declarations(env *CaseEnv) ([]environment.VersionedOptions, *apiservercel.DeclType, error) {
	options := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0)}
	for name, text := range env.Vars {
		parsed, err := parseType(text)
		if err != nil {
			return nil, nil, err
		}
		options.EnvOptions = append(options.EnvOptions, cel.Variable(name, parsed))
	}
	if env.Schema == "" {
		return []environment.VersionedOptions{options}, nil, nil
	}
	structural, ok := r.schemas[env.Schema]
	if !ok {
		return nil, nil, fmt.Errorf("no schema %q", env.Schema)
	}
	declared := model.SchemaDeclType(structural, env.Root)
	if declared == nil {
		return nil, nil, fmt.Errorf("schema %q has no declared type", env.Schema)
	}
	scoped := declared.MaybeAssignTypeName(selfTypeName)
	old := scoped.CelType()
	if env.OptionalOldSelf {
		old = cel.OptionalType(old)
	}
	options.EnvOptions = append(options.EnvOptions, cel.Variable("self", scoped.CelType()), cel.Variable("oldSelf", old))
	options.DeclTypes = []*apiservercel.DeclType{scoped}
	return []environment.VersionedOptions{options}, declared, nil
}

func (r *recorder) evaluate(c *Case, env *cel.Env, ast *cel.Ast, estimator *library.CostEstimator) error {
	bound, err := r.bindings(c)
	if err != nil {
		return err
	}
	limit := uint64(celconfig.PerCallLimit)
	if c.Limit != "" {
		if limit, err = strconv.ParseUint(c.Limit, 10, 64); err != nil {
			return err
		}
	}
	program, err := env.Program(ast,
		cel.CostLimit(limit), cel.CostTracking(estimator), cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		c.Want.ProgramError = err.Error()
		return nil
	}
	value, details, err := program.ContextEval(context.Background(), bound)
	c.Want.Value, c.Want.Error, c.Want.Cost = nil, "", ""
	if err != nil {
		c.Want.Error = err.Error()
	} else {
		c.Want.Value = []byte(marshal(encodeValue(value)))
	}
	if cost := details.ActualCost(); cost != nil {
		c.Want.Cost = strconv.FormatUint(*cost, 10)
	}
	return nil
}

func (r *recorder) bindings(c *Case) (map[string]any, error) {
	bound := map[string]any{}
	for name, data := range c.Bind {
		value, err := decodeValue(data)
		if err != nil {
			return nil, fmt.Errorf("binding %q: %w", name, err)
		}
		if c.Env != nil && c.Env.Schema != "" {
			val := extensionscel.UnstructuredToVal(value, r.schemas[c.Env.Schema])
			if name == "oldSelf" && c.Env.OptionalOldSelf {
				val = optionalOf(value, val)
			}
			bound[name] = val
			continue
		}
		bound[name] = value
	}
	return bound, nil
}

// sizes answers as apiextensions does for schemas, and from the case's own numbers for plain variables.
type sizes struct {
	root  *apiservercel.DeclType
	known map[string]uint64
}

func (s *sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if len(node.Path()) == 0 {
		return nil
	}
	if s.root == nil {
		if size, ok := s.known[strings.Join(node.Path(), ".")]; ok {
			return &checker.SizeEstimate{Min: 0, Max: size}
		}
		return nil
	}
	current := s.root
	for _, step := range node.Path()[1:] {
		if current = child(current, step); current == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(current.MaxElements)}
}

func child(declared *apiservercel.DeclType, step string) *apiservercel.DeclType {
	switch step {
	case "@items", "@values":
		return declared.ElemType
	case "@keys":
		return declared.KeyType
	}
	if field, ok := declared.Fields[step]; ok {
		return field.Type
	}
	return nil
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
