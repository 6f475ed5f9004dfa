// Command bench measures cel-go for `npm run bench -- cel`. It speaks the line protocol of bench/contestants:
// first the rules and the data, then one request a line, each answered with nanoseconds of CPU time per evaluation.
//
//	bench bare   cel-go with its optimizer, native maps, no cost tracking
//	bench vap    the Kubernetes base environment with cost tracking and limit, as for admission policies
//	bench crd    declared types over unstructured data, as for custom resources
//
// The second argument is the version of Kubernetes, which must be that of the modules.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"syscall"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	extensionscel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type setup struct {
	Rules []string        `json:"rules"`
	Data  json.RawMessage `json:"data"`
}

type readiness struct {
	OK    bool   `json:"ok"`
	Value any    `json:"value,omitempty"`
	Cost  uint64 `json:"cost,omitempty"`
	Error string `json:"error,omitempty"`
}

type contestant struct {
	env     *cel.Env
	options []cel.ProgramOption
	bind    func() any
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	in.Scan()
	var given setup
	check(json.Unmarshal(in.Bytes(), &given))
	data := map[string]any{}
	check(utiljson.Unmarshal(given.Data, &data))
	subject, err := contestants[os.Args[1]](data)
	check(err)
	programs := make([]cel.Program, len(given.Rules))
	ready := make([]readiness, len(given.Rules))
	for i, rule := range given.Rules {
		programs[i], ready[i] = subject.prepare(rule)
	}
	reply(ready)
	batches := make([]int, len(programs))
	for in.Scan() {
		var request struct {
			Rule   int   `json:"rule"`
			Millis int64 `json:"millis"`
		}
		check(json.Unmarshal(in.Bytes(), &request))
		ns, batch := measure(programs[request.Rule], subject.bind, max(batches[request.Rule], 1), request.Millis*1e6)
		batches[request.Rule] = batch
		reply(map[string]float64{"ns": ns})
	}
}

func (c *contestant) prepare(rule string) (cel.Program, readiness) {
	ast, issues := c.env.Compile(rule)
	if issues != nil && issues.Err() != nil {
		return nil, readiness{Error: issues.Err().Error()}
	}
	program, err := c.env.Program(ast, c.options...)
	if err != nil {
		return nil, readiness{Error: err.Error()}
	}
	value, details, err := program.ContextEval(context.Background(), c.bind())
	if err != nil {
		return nil, readiness{Error: err.Error()}
	}
	state := readiness{OK: true, Value: value.Value()}
	if cost := details.ActualCost(); cost != nil {
		state.Cost = *cost
	}
	return program, state
}

// measure doubles the batch until it lasts long enough for the clock. It returns the time and that batch, with which
// the next measurement of the program starts.
func measure(program cel.Program, bind func() any, batch int, enough int64) (float64, int) {
	for ; ; batch *= 2 {
		start := cpuTime()
		for i := 0; i < batch; i++ {
			if _, _, err := program.ContextEval(context.Background(), bind()); err != nil {
				panic(err)
			}
		}
		if spent := cpuTime() - start; spent >= enough {
			return float64(spent) / float64(batch), batch
		}
	}
}

func cpuTime() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

var contestants = map[string]func(map[string]any) (*contestant, error){"bare": bare, "vap": vap, "crd": crd}

func bare(data map[string]any) (*contestant, error) {
	env, err := cel.NewEnv(cel.Variable("self", cel.DynType), ext.Strings(ext.StringsVersion(2)))
	bound := map[string]any{"self": data}
	return &contestant{env, []cel.ProgramOption{cel.EvalOptions(cel.OptOptimize), cel.InterruptCheckFrequency(celconfig.CheckFrequency)}, func() any { return bound }}, err
}

func vap(data map[string]any) (*contestant, error) {
	env, err := extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", cel.DynType)},
	})
	bound := map[string]any{"self": data}
	return &contestant{env, []cel.ProgramOption{cel.InterruptCheckFrequency(celconfig.CheckFrequency)}, func() any { return bound }}, err
}

func crd(data map[string]any) (*contestant, error) {
	structural := infer(data)
	declared := model.SchemaDeclType(&structural, false).MaybeAssignTypeName("selfType")
	env, err := extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType())},
		DeclTypes:         []*apiservercel.DeclType{declared},
	})
	options := []cel.ProgramOption{
		cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(&library.CostEstimator{}), cel.InterruptCheckFrequency(celconfig.CheckFrequency),
	}
	return &contestant{env, options, func() any {
		return map[string]any{"self": extensionscel.UnstructuredToVal(data, &structural)}
	}}, err
}

func extend(options environment.VersionedOptions) (*cel.Env, error) {
	set, err := environment.MustBaseEnvSet(version.MustParseGeneric(os.Args[2])).Extend(options)
	if err != nil {
		return nil, err
	}
	return set.Env(environment.StoredExpressions)
}

// infer describes the data with a schema; an object whose values are all strings is taken for a map.
func infer(data any) schema.Structural {
	switch value := data.(type) {
	case map[string]any:
		return inferObject(value)
	case []any:
		items := infer(value[0])
		return schema.Structural{Generic: schema.Generic{Type: "array"}, Items: &items}
	case int64:
		return schema.Structural{Generic: schema.Generic{Type: "integer"}}
	case float64:
		return schema.Structural{Generic: schema.Generic{Type: "number"}}
	case bool:
		return schema.Structural{Generic: schema.Generic{Type: "boolean"}}
	}
	return schema.Structural{Generic: schema.Generic{Type: "string"}}
}

func inferObject(object map[string]any) schema.Structural {
	described := schema.Structural{Generic: schema.Generic{Type: "object"}, Properties: map[string]schema.Structural{}}
	isMap := true
	for name, value := range object {
		described.Properties[name] = infer(value)
		_, isString := value.(string)
		isMap = isMap && isString
	}
	if isMap {
		described.Properties = nil
		described.AdditionalProperties = &schema.StructuralOrBool{Structural: &schema.Structural{Generic: schema.Generic{Type: "string"}}}
	}
	return described
}

func reply(value any) {
	text, err := json.Marshal(value)
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
