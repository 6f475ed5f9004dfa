// Package testing starts an API server for the integration tests of custom resources. This version starts a child
// process; names and parameters are those of the package that it replaces.
package testing

import (
	"context"
	"net"
	"os"

	"github.com/spf13/pflag"

	extensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apiserver/pkg/server/outofprocess"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	basecompatibility "k8s.io/component-base/compatibility"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServerInstanceOptions are empty.
type TestServerInstanceOptions struct{}

// TestServer is a running server.
type TestServer struct {
	ClientConfig    *restclient.Config
	ServerOpts      *options.CustomResourceDefinitionsServerOptions
	TearDownFn      TearDownFunc
	TmpDir          string
	CompletedConfig extensionsapiserver.CompletedConfig
}

// Logger is what a test reports to.
type Logger interface {
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
}

// NewDefaultTestServerOptions are empty.
func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{}
}

// StartTestServerOrDie is StartTestServer for tests that cannot continue without a server.
func StartTestServerOrDie(t Logger, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	result, err := StartTestServer(t, instance, flags, storage)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &result
}

// StartTestServer starts a child with the flags of the test, without those of an extension server.
func StartTestServer(t Logger, _ *TestServerInstanceOptions, customFlags []string, storage *storagebackend.Config) (result TestServer, err error) {
	if result.TmpDir, err = os.MkdirTemp("", "apiextensions-apiserver"); err != nil {
		return result, err
	}
	remove := func() { os.RemoveAll(result.TmpDir) }
	defer func() {
		if result.TearDownFn == nil {
			remove()
		}
	}()
	// As for kube-apiserver, so that keys are in the same place with every server.
	prefix := outofprocess.Value(customFlags, "etcd-prefix") + "/registry"
	customFlags = append(outofprocess.Without(customFlags, "etcd-prefix"), "--etcd-prefix="+prefix)
	if err := result.parse(customFlags, storage); err != nil {
		return result, err
	}
	port, err := outofprocess.FreePort()
	if err != nil {
		return result, err
	}
	flags, err := kubeFlags(customFlags, result.TmpDir)
	if err != nil {
		return result, err
	}
	server, err := outofprocess.Start(context.Background(), outofprocess.Options{
		Folder: result.TmpDir, Port: port, Flags: flags, Logf: t.Logf,
	})
	if err != nil {
		return result, err
	}
	result.ClientConfig = server.Config
	result.TearDownFn = func() {
		server.Stop()
		remove()
	}
	return result, nil
}

func kubeFlags(customFlags []string, folder string) ([]string, error) {
	key := folder + "/accounts.key"
	_, text, err := cert.GenerateSelfSignedCertKey("accounts", nil, nil)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(key, text, 0600); err != nil {
		return nil, err
	}
	foreign := []string{"authentication-skip-lookup", "authentication-kubeconfig", "authorization-kubeconfig", "kubeconfig"}
	return append(outofprocess.Without(customFlags, foreign...),
		"--runtime-config=api/all=true",
		"--authorization-mode=AlwaysAllow",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-issuer=https://foo.bar.example.com",
		"--service-account-key-file="+key,
		"--service-account-signing-key-file="+key,
	), nil
}

// parse fills in the options and the configuration that tests read.
func (s *TestServer) parse(flags []string, storage *storagebackend.Config) error {
	result := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	version := compatibility.DefaultKubeEffectiveVersionForTest()
	version.SetEmulationVersion(gate.EmulationVersion())
	registry := basecompatibility.NewComponentGlobalsRegistry()
	if err := registry.Register(basecompatibility.DefaultKubeComponent, version, gate); err != nil {
		return err
	}
	result.ServerRunOptions.ComponentGlobalsRegistry = registry
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	result.AddFlags(set)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	serving := result.RecommendedOptions.SecureServing
	serving.Listener, serving.BindPort = listener, listener.Addr().(*net.TCPAddr).Port
	serving.ServerCert.CertDirectory = s.TmpDir
	serving.ExternalAddress = net.ParseIP("127.0.0.1")
	if storage != nil {
		result.RecommendedOptions.Etcd.StorageConfig = *storage
	}
	result.APIEnablement.RuntimeConfig.Set("api/all=true")
	if err := set.Parse(flags); err != nil {
		return err
	}
	if err := registry.Set(); err != nil {
		return err
	}
	if err := result.Complete(); err != nil {
		return err
	}
	config, err := result.Config()
	if err != nil {
		return err
	}
	s.ServerOpts, s.CompletedConfig = result, config.Complete()
	return nil
}
