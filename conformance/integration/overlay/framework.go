// Package framework starts a kube-apiserver for integration tests that change its options in Go. This version starts a
// child process; names and parameters are those of the file that it replaces.
package framework

import (
	"context"
	"fmt"
	"net"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/uuid"
	"github.com/spf13/pflag"

	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/server/outofprocess"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	basecompatibility "k8s.io/component-base/compatibility"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"
	"k8s.io/kubernetes/test/utils"
	netutils "k8s.io/utils/net"
)

// TestServerSetup modifies the server before it starts.
type TestServerSetup struct {
	ModifyServerRunOptions func(*options.ServerRunOptions)
	ModifyServerConfig     func(*controlplane.Config)
}

// TearDownFunc ends a server.
type TearDownFunc func()

// StartTestServer starts a child. Options become flags; of the configuration, static tokens, RBAC and the served
// resources do. A test that changes something else runs against a server without that change.
func StartTestServer(ctx context.Context, t testing.TB, setup TestServerSetup) (client.Interface, *rest.Config, TearDownFunc) {
	folder, err := os.MkdirTemp("", "test-integration-"+strings.ReplaceAll(t.Name(), "/", "_"))
	if err != nil {
		t.Fatal(err)
	}
	opts, flags := modifiedOptions(t, setup, folder)
	config := modifiedConfig(ctx, t, setup, opts)
	port, err := outofprocess.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	server, err := outofprocess.Start(ctx, outofprocess.Options{
		Folder: folder, Port: port, Flags: append(flags, config.flags...), Tokens: config.tokens, Logf: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	clientConfig := rest.CopyConfig(server.Config)
	clientConfig.ContentType = "application/vnd.kubernetes.protobuf"
	result, err := client.NewForConfig(clientConfig)
	if err != nil {
		t.Fatal(err)
	}
	return result, clientConfig, func() {
		server.Stop()
		os.RemoveAll(folder)
	}
}

func modifiedOptions(t testing.TB, setup TestServerSetup, folder string) (*options.ServerRunOptions, []string) {
	key := filepath.Join(folder, "accounts.key")
	if err := os.WriteFile(key, newKey(t), 0600); err != nil {
		t.Fatal(err)
	}
	opts := newOptions(t)
	opts.SecureServing.BindAddress = netutils.ParseIPSloppy("127.0.0.1")
	opts.SecureServing.ServerCert.CertDirectory = folder
	opts.ServiceAccountSigningKeyFile = key
	opts.Etcd.StorageConfig.Prefix = path.Join("/", uuid.New().String(), "registry")
	opts.Etcd.StorageConfig.Transport.ServerList = []string{GetEtcdURL()}
	opts.ServiceClusterIPRanges = "10.0.0.0/24"
	headers := opts.Authentication.RequestHeader
	headers.UsernameHeaders = []string{"X-Remote-User"}
	headers.GroupHeaders = []string{"X-Remote-Group"}
	headers.ExtraHeaderPrefixes = []string{"X-Remote-Extra-"}
	headers.AllowedNames = []string{"kube-aggregator"}
	headers.ClientCAFile = newAuthority(t, folder, "proxy-ca.crt")
	opts.Authentication.APIAudiences = []string{"https://foo.bar.example.com"}
	opts.Authentication.ServiceAccounts.Issuers = []string{"https://foo.bar.example.com"}
	opts.Authentication.ServiceAccounts.KeyFiles = []string{key}
	opts.Authentication.ClientCert.ClientCA = newAuthority(t, folder, "client-ca.crt")
	opts.Authorization.Modes = []string{"Node", "RBAC"}
	if setup.ModifyServerRunOptions != nil {
		setup.ModifyServerRunOptions(opts)
	}
	flags := outofprocess.Changed(flagSets(newOptions(t)), flagSets(opts))
	if setup.ModifyServerConfig != nil {
		flags = outofprocess.Without(flags, "authorization-mode")
		flags = append(flags, "--authorization-mode="+modes(opts))
	}
	return opts, outofprocess.Without(flags, "bind-address", "cert-dir", "secure-port")
}

// modes replaces a mode that refuses everything: tests that use it bring their own authorizer, which is RBAC.
func modes(opts *options.ServerRunOptions) string {
	text := strings.Join(opts.Authorization.Modes, ",")
	if text == "AlwaysDeny" {
		return "RBAC"
	}
	return text
}

func newOptions(t testing.TB) *options.ServerRunOptions {
	opts := options.NewServerRunOptions()
	version := compatibility.DefaultKubeEffectiveVersionForTest()
	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	version.SetEmulationVersion(gate.EmulationVersion())
	registry := basecompatibility.NewComponentGlobalsRegistry()
	if err := registry.Register(basecompatibility.DefaultKubeComponent, version, gate); err != nil {
		t.Fatal(err)
	}
	opts.GenericServerRunOptions.ComponentGlobalsRegistry = registry
	return opts
}

func flagSets(opts *options.ServerRunOptions) []*pflag.FlagSet {
	var sets []*pflag.FlagSet
	for _, set := range opts.Flags().FlagSets {
		sets = append(sets, set)
	}
	return sets
}

func newKey(t testing.TB) []byte {
	_, key, err := cert.GenerateSelfSignedCertKey("accounts", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newAuthority(t testing.TB, folder, name string) string {
	key, err := utils.NewPrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, utils.EncodeCertPEM(certificate), 0644); err != nil {
		t.Fatal(err)
	}
	return file
}

type configChanges struct {
	flags  []string
	tokens []string
}

// modifiedConfig lets the test modify a configuration that is never served, and finds what can be passed on.
func modifiedConfig(ctx context.Context, t testing.TB, setup TestServerSetup, opts *options.ServerRunOptions) configChanges {
	if setup.ModifyServerConfig == nil {
		return configChanges{}
	}
	listener, _, err := genericoptions.CreateListener("tcp", "127.0.0.1:0", net.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	opts.SecureServing.Listener = listener
	completed, err := opts.Complete(ctx)
	if err != nil {
		t.Fatal(err)
	}
	schemes := []*runtime.Scheme{legacyscheme.Scheme, apiextensionsapiserver.Scheme, aggregatorscheme.Scheme}
	generic, informers, storage, err := controlplaneapiserver.BuildGenericConfig(
		completed.CompletedOptions, schemes, controlplane.DefaultAPIResourceConfigSource(), generatedopenapi.GetOpenAPIDefinitions)
	if err != nil {
		t.Fatal(err)
	}
	config, _, _, err := app.CreateKubeAPIServerConfig(completed, generic, informers, storage)
	if err != nil {
		t.Fatal(err)
	}
	before := config.ControlPlane.Extra.APIResourceConfigSource
	setup.ModifyServerConfig(config)
	changes := configChanges{tokens: tokenLines(config.ControlPlane.Generic.Authentication.Authenticator)}
	if config.ControlPlane.Extra.APIResourceConfigSource != before {
		changes.flags = append(changes.flags, "--runtime-config=api/all=true")
	}
	return changes
}

// tokenLines finds the tokens of static authenticators.
func tokenLines(authenticator any) []string {
	var lines []string
	tokens := reflect.TypeOf(map[string]*user.DefaultInfo{})
	visit(reflect.ValueOf(authenticator), map[uintptr]bool{}, func(value reflect.Value) bool {
		if value.Type() != tokens {
			return false
		}
		for iterator := value.MapRange(); iterator.Next(); {
			info := (*user.DefaultInfo)(iterator.Value().UnsafePointer())
			lines = append(lines, fmt.Sprintf("%s,%s,%s,%q", iterator.Key().String(), info.Name, info.UID, strings.Join(info.Groups, ",")))
		}
		return true
	})
	return lines
}

// visit walks through values, also those of private fields, until found returns true.
func visit(value reflect.Value, seen map[uintptr]bool, found func(reflect.Value) bool) {
	if !value.IsValid() || found(value) {
		return
	}
	switch value.Kind() {
	case reflect.Interface:
		visit(value.Elem(), seen, found)
	case reflect.Pointer:
		if value.IsNil() || seen[value.Pointer()] {
			return
		}
		seen[value.Pointer()] = true
		visit(value.Elem(), seen, found)
	case reflect.Slice, reflect.Array:
		for i := 0; i < value.Len(); i++ {
			visit(value.Index(i), seen, found)
		}
	case reflect.Struct:
		for i := 0; i < value.NumField(); i++ {
			field := value.Field(i)
			if field.CanAddr() {
				field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
			}
			visit(field, seen, found)
		}
	}
}
