// Command go-types asks the published Kubernetes Go modules what their types look like, and what the real code makes
// of given objects. Its answers go into the data file and the corpora of the built-in kinds; nothing runs it otherwise.
//
//	go run . types < kinds.txt            every struct reachable from the kinds (one "group/version/Kind" a line)
//	go run . protobuf < objects.jsonl     each object with the bytes the real types write
//	go run . decode < bodies.jsonl        each body with what the JSON decoder makes of it
//	go run . strategic < cases.jsonl      each strategic merge patch with its result or error
package main

import (
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "go-types:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: go-types types|protobuf|decode|strategic")
	}
	scheme, err := newScheme()
	if err != nil {
		return err
	}
	switch args[0] {
	case "types":
		return writeTypes(scheme)
	case "protobuf":
		return recordProtobuf(scheme)
	case "decode":
		return recordDecode(scheme)
	case "strategic":
		return recordStrategic(scheme)
	}
	return fmt.Errorf("unknown command %q", args[0])
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientscheme.AddToScheme, metav1.AddMetaToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return scheme, nil
}
