package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"syscall"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	listersv1 "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// benchQuestion is a set of policies with bindings, and a Deployment that is to be created.
type benchQuestion struct {
	Policies  []*admissionregistrationv1.ValidatingAdmissionPolicy        `json:"policies"`
	Bindings  []*admissionregistrationv1.ValidatingAdmissionPolicyBinding `json:"bindings"`
	Namespace *corev1.Namespace                                           `json:"namespace"`
	Object    *appsv1.Deployment                                          `json:"object"`
}

// runBench is the Go side of `npm run bench -- policy`. In comes a question; out goes the verdict. Then each {millis} is
// answered with {ns}: CPU time of this process, all threads, per verdict of upstream's own dispatcher.
func runBench() error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	in.Scan()
	var question benchQuestion
	if err := json.Unmarshal(in.Bytes(), &question); err != nil {
		return err
	}
	ask := question.asker()
	out := json.NewEncoder(os.Stdout)
	message, err := verdict(ask())
	if err != nil {
		return err
	}
	if err := out.Encode(map[string]string{"message": message}); err != nil {
		return err
	}
	for in.Scan() {
		var request struct {
			Millis int64 `json:"millis"`
		}
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			return err
		}
		if err := out.Encode(map[string]float64{"ns": measure(func() { _ = ask() }, request.Millis*1e6)}); err != nil {
			return err
		}
	}
	return in.Err()
}

// verdict is the message of a refusal, "" for none.
func verdict(err error) (string, error) {
	var status *apierrors.StatusError
	if err == nil {
		return "", nil
	}
	if errors.As(err, &status) {
		return status.ErrStatus.Message, nil
	}
	return "", err
}

func (q *benchQuestion) asker() func() error {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	if err := indexer.Add(q.Namespace); err != nil {
		panic(err)
	}
	matcher := generic.NewPolicyMatcher(matching.NewMatcher(listersv1.NewNamespaceLister(indexer), nil))
	dispatcher := validating.NewDispatcher(nobody{}, matcher)
	hooks := q.hooks()
	resource := appsv1.SchemeGroupVersion.WithResource("deployments")
	kind := appsv1.SchemeGroupVersion.WithKind("Deployment")
	objects := admission.NewObjectInterfacesFromScheme(runtime.NewScheme())
	objects.(*admission.RuntimeObjectInterfaces).EquivalentResourceMapper = equivalents(resource, kind)
	alice := &user.DefaultInfo{Name: "alice", Groups: []string{"devs"}}
	return func() error {
		attributes := admission.NewAttributesRecord(q.Object, nil, kind, q.Object.Namespace, q.Object.Name, resource, "",
			admission.Create, nil, false, alice)
		return dispatcher.Dispatch(context.Background(), attributes, objects, hooks)
	}
}

func equivalents(resource schema.GroupVersionResource, kind schema.GroupVersionKind) runtime.EquivalentResourceMapper {
	registry := runtime.NewEquivalentResourceRegistry()
	registry.RegisterKindFor(resource, "", kind)
	return registry
}

func (q *benchQuestion) hooks() []validating.PolicyHook {
	bindings := map[string][]*validating.PolicyBinding{}
	for _, binding := range q.Bindings {
		bindings[binding.Spec.PolicyName] = append(bindings[binding.Spec.PolicyName], binding)
	}
	environments := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	hooks := make([]validating.PolicyHook, len(q.Policies))
	for i, policy := range q.Policies {
		hooks[i] = validating.PolicyHook{
			Policy:    policy,
			Bindings:  bindings[policy.Name],
			Evaluator: compile(policy, environments),
		}
	}
	return hooks
}

// compile puts the published parts together as the plugin does, for policies without params.
func compile(policy *validating.Policy, environments *environment.EnvSet) validating.Validator {
	compiler, err := plugincel.NewCompositedCompiler(environments)
	if err != nil {
		panic(err)
	}
	with := plugincel.OptionalVariableDeclarations{HasAuthorizer: true}
	without := plugincel.OptionalVariableDeclarations{}
	stored := environment.StoredExpressions
	spec := policy.Spec
	variables := make([]plugincel.NamedExpressionAccessor, len(spec.Variables))
	for i, each := range spec.Variables {
		variables[i] = &validating.Variable{Name: each.Name, Expression: each.Expression}
	}
	compiler.CompileAndStoreVariables(variables, with, stored)
	var conditions matchconditions.Matcher
	if len(spec.MatchConditions) > 0 {
		accessors := make([]plugincel.ExpressionAccessor, len(spec.MatchConditions))
		for i := range spec.MatchConditions {
			accessors[i] = (*matchconditions.MatchCondition)(&spec.MatchConditions[i])
		}
		compiled := compiler.CompileCondition(accessors, with, stored)
		conditions = matchconditions.NewMatcher(compiled, spec.FailurePolicy, "policy", "validate", policy.Name)
	}
	validations := make([]plugincel.ExpressionAccessor, len(spec.Validations))
	messages := make([]plugincel.ExpressionAccessor, len(spec.Validations))
	for i, each := range spec.Validations {
		validations[i] = &validating.ValidationCondition{Expression: each.Expression, Message: each.Message, Reason: each.Reason}
		if each.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: each.MessageExpression}
		}
	}
	annotations := make([]plugincel.ExpressionAccessor, len(spec.AuditAnnotations))
	for i, each := range spec.AuditAnnotations {
		annotations[i] = &validating.AuditAnnotationCondition{Key: each.Key, ValueExpression: each.ValueExpression}
	}
	return validating.NewValidator(
		compiler.CompileCondition(validations, with, stored),
		conditions,
		compiler.CompileCondition(annotations, with, stored),
		compiler.CompileCondition(messages, without, stored),
		spec.FailurePolicy,
		nil,
	)
}

// nobody may do anything.
type nobody struct{}

func (nobody) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", nil
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
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
