package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"syscall"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionscel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// runBench is the Go side of `npm run bench -- engine`. In comes a case; out goes what was found wrong with its object.
// Then each {phase, millis} is answered with {ns}: CPU time of this process, all threads, per run of the phase.
func runBench() error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	in.Scan()
	var c Case
	must(json.Unmarshal(in.Bytes(), &c))
	phases := benchPhases(&c)
	out := bufio.NewWriter(os.Stdout)
	must(writeLine(out, answerValue(&c)))
	must(out.Flush())
	for in.Scan() {
		var request struct {
			Phase  string `json:"phase"`
			Millis int64  `json:"millis"`
		}
		must(json.Unmarshal(in.Bytes(), &request))
		must(writeLine(out, map[string]float64{"ns": measure(phases[request.Phase], request.Millis*1e6)}))
		must(out.Flush())
	}
	return in.Err()
}

func benchPhases(c *Case) map[string]func() {
	r := resourceFor(c)
	validator := schemaValidator(c)
	rules := extensionscel.NewValidator(r.structural, true, celconfig.PerCallLimit)
	object := r.wrap(c.Object)
	_, err := r.coerce(object)
	must(err)
	old := &unstructured.Unstructured{Object: object}
	ctx := (&recorder{}).context()
	received := func() *unstructured.Unstructured {
		made := decoded(c.Object)
		_, err := r.coerce(made)
		must(err)
		return &unstructured.Unstructured{Object: made}
	}
	return map[string]func(){
		"decode": func() { decoded(c.Object) },
		"prune": func() {
			pruning.Prune(object, r.structural, true)
			defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
		},
		"default":    func() { defaulting.Default(object, r.structural) },
		"schema":     func() { validation.ValidateCustomResource(nil, object, validator) },
		"list types": func() { listtype.ValidateListSetsAndMaps(nil, r.structural, object) },
		"rules": func() {
			rules.Validate(context.Background(), nil, r.structural, object, nil, celconfig.RuntimeCELCostBudget)
		},
		"create": func() {
			made := received()
			r.strategy.PrepareForCreate(ctx, made)
			r.strategy.Validate(ctx, made)
		},
		"update": func() {
			made := received()
			r.strategy.PrepareForUpdate(ctx, made, old)
			r.strategy.ValidateUpdate(ctx, made, old)
		},
	}
}

func schemaValidator(c *Case) validation.SchemaValidator {
	var internal apiextensions.CustomResourceValidation
	must(apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(definitionFor(c).Spec.Versions[0].Schema, &internal, nil))
	validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	must(err)
	return validator
}

// measure doubles the batch until it lasts long enough for the clock.
func measure(run func(), enough int64) float64 {
	for batch := 1; ; batch *= 2 {
		start := cpuTime()
		for i := 0; i < batch; i++ {
			run()
		}
		if spent := cpuTime() - start; spent >= enough {
			return float64(spent) / float64(batch)
		}
	}
}

func cpuTime() int64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}
