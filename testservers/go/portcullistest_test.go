package portcullistest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 10}}}
`

func start(t *testing.T, options Options) *Server {
	t.Helper()
	server, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

func TestObjectsAreGoneAfterReset(t *testing.T) {
	server := start(t, Options{})
	ctx := context.Background()
	for range 2 {
		configMaps := kubernetes.NewForConfigOrDie(server.Config).CoreV1().ConfigMaps("default")
		mine := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
		if _, err := configMaps.Create(ctx, mine, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := configMaps.Create(ctx, mine, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
			t.Fatalf("got %v", err)
		}
		if err := server.Reset(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCRDsCanBeLoaded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crd.yaml")
	if err := os.WriteFile(file, []byte(widgets), 0o600); err != nil {
		t.Fatal(err)
	}
	server := start(t, Options{Load: []string{file}})
	resource := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	widget := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "w"}, "spec": map[string]any{"size": int64(11)},
	}}
	_, err := dynamic.NewForConfigOrDie(server.Config).Resource(resource).Namespace("default").
		Create(context.Background(), widget, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "should be less than or equal to 10") {
		t.Fatalf("got %v", err)
	}
}

func TestAServerThatCannotStartSaysWhy(t *testing.T) {
	_, err := Start(Options{Args: []string{"--no-such-flag"}})
	if err == nil || !strings.Contains(err.Error(), "unknown option") {
		t.Fatalf("got %v", err)
	}
}
