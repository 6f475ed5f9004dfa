// The Go side of `npm run bench -- writes`: the API server's own patches and apply, on a Deployment.
//
// In comes {object, jsonPatch, mergePatch, strategicPatch, applied}; out goes what each phase makes of the object. Then each
// {phase, millis} is answered with {ns}: CPU time of this process, all threads, per run of the phase.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"syscall"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

type question struct {
	Object         json.RawMessage `json:"object"`
	JSONPatch      json.RawMessage `json:"jsonPatch"`
	MergePatch     json.RawMessage `json:"mergePatch"`
	StrategicPatch json.RawMessage `json:"strategicPatch"`
	Applied        json.RawMessage `json:"applied"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	in.Scan()
	var q question
	must(json.Unmarshal(in.Bytes(), &q))
	phases := phasesOf(&q)
	results := map[string]interface{}{}
	for name, run := range phases {
		results[name] = run()
	}
	reply(map[string]interface{}{"results": results})
	for in.Scan() {
		var request struct {
			Phase  string `json:"phase"`
			Millis int64  `json:"millis"`
		}
		must(json.Unmarshal(in.Bytes(), &request))
		reply(map[string]float64{"ns": measure(phases[request.Phase], request.Millis*1e6)})
	}
	must(in.Err())
}

func phasesOf(q *question) map[string]func() interface{} {
	strict := serializer(true)
	plain := serializer(false)
	live := decode(plain, q.Object)
	kind := appsv1.SchemeGroupVersion.WithKind("Deployment")
	live.SetGroupVersionKind(kind)
	manager, err := managedfields.NewDefaultFieldManager(
		applyconfigurations.NewTypeConverter(scheme.Scheme), scheme.Scheme, scheme.Scheme, scheme.Scheme,
		kind, appsv1.SchemeGroupVersion, "", nil)
	must(err)
	owned, err := manager.Update(&appsv1.Deployment{TypeMeta: live.TypeMeta}, live.DeepCopyObject(), "creator")
	must(err)
	return map[string]func() interface{}{
		"ignore": func() interface{} { return decode(plain, q.Object) },
		"strict": func() interface{} { return decode(strict, q.Object) },
		"json patch": func() interface{} {
			var operations []struct {
				Op, Path, From string
				Value          interface{}
			}
			_, err := kjson.UnmarshalStrict(q.JSONPatch, &operations)
			must(err)
			patch, err := jsonpatch.DecodePatch(q.JSONPatch)
			must(err)
			patched, err := patch.Apply(encode(live))
			must(err)
			return decode(strict, patched)
		},
		"merge patch": func() interface{} {
			_, err := kjson.UnmarshalStrict(q.MergePatch, &map[string]interface{}{})
			must(err)
			patched, err := jsonpatch.MergePatch(encode(live), q.MergePatch)
			must(err)
			return decode(strict, patched)
		},
		"strategic patch": func() interface{} {
			original, err := runtime.DefaultUnstructuredConverter.ToUnstructured(live)
			must(err)
			patch := map[string]interface{}{}
			_, err = kjson.UnmarshalStrict(q.StrategicPatch, &patch)
			must(err)
			merged, err := strategicpatch.StrategicMergeMapPatch(original, patch, &appsv1.Deployment{})
			must(err)
			result := &appsv1.Deployment{}
			must(runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(merged, result, true))
			return result
		},
		"apply": func() interface{} {
			config := &unstructured.Unstructured{Object: map[string]interface{}{}}
			must(yaml.Unmarshal(q.Applied, &config.Object))
			result, err := manager.Apply(owned, config, "applier", true)
			must(err)
			must(yaml.UnmarshalStrict(q.Applied, &map[string]interface{}{}))
			return withoutOwners(result)
		},
	}
}

func serializer(strict bool) runtime.Serializer {
	return jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		jsonserializer.SerializerOptions{Strict: strict})
}

func decode(s runtime.Serializer, data []byte) *appsv1.Deployment {
	object, _, err := s.Decode(data, nil, &appsv1.Deployment{})
	must(err)
	return object.(*appsv1.Deployment)
}

func encode(object *appsv1.Deployment) []byte {
	data, err := json.Marshal(object)
	must(err)
	return data
}

func withoutOwners(object runtime.Object) runtime.Object {
	object.(metav1.Object).SetManagedFields(nil)
	return object
}

// measure doubles the batch until it lasts long enough for the clock.
func measure(run func() interface{}, enough int64) float64 {
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

func reply(message interface{}) {
	data, err := json.Marshal(message)
	must(err)
	fmt.Println(string(data))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
