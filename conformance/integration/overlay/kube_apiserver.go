// Package testing starts a kube-apiserver for integration tests. This version starts a child process; names and
// parameters are those of the package that it replaces.
package testing

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	"k8s.io/apiserver/pkg/server/outofprocess"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	testutil "k8s.io/kubernetes/test/utils"
	"k8s.io/kubernetes/test/utils/ktesting"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServerInstanceOptions are options that are not flags.
type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
	BinaryVersion          string
	RequestTimeout         time.Duration
}

// TestServer is a running server.
type TestServer struct {
	ClientConfig      *restclient.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string
}

// Logger is what a test reports to.
type Logger interface {
	Helper()
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
	Cleanup(func())
}

// ProxyCA signs the certificate with which the server identifies itself to extension servers.
type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

// NewDefaultTestServerOptions has client certificates on.
func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

// StartTestServerOrDie is StartTestServer for tests that cannot continue without a server.
func StartTestServerOrDie(t testing.TB, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	result, err := StartTestServer(t, instance, flags, storage)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &result
}

// StartTestServer starts a child with the flags of the test.
func StartTestServer(t ktesting.TB, instance *TestServerInstanceOptions, customFlags []string, storage *storagebackend.Config) (result TestServer, err error) {
	if instance == nil {
		instance = NewDefaultTestServerOptions()
	}
	if instance.StorageVersionWrapFunc != nil || instance.BinaryVersion != "" {
		t.Skipf("a server in another process has its own storage version manager and binary version")
	}
	if result.TmpDir, err = os.MkdirTemp("", "kubernetes-kube-apiserver"); err != nil {
		return result, err
	}
	remove := func() { os.RemoveAll(result.TmpDir) }
	defer func() {
		if result.TearDownFn == nil {
			remove()
		}
	}()
	port, err := outofprocess.FreePort()
	if err != nil {
		return result, err
	}
	flags, err := flagsFor(instance, customFlags, storage, result.TmpDir)
	if err != nil {
		return result, err
	}
	if result.ServerOpts, err = parse(flags, storage); err != nil {
		return result, err
	}
	server, err := outofprocess.Start(context.Background(), outofprocess.Options{
		Folder: result.TmpDir, Port: port, Flags: flags, SkipReady: instance.SkipHealthzCheck, Logf: t.Logf,
	})
	if err != nil {
		return result, err
	}
	serving := result.ServerOpts.SecureServing
	serving.BindPort = port
	serving.ServerCert.CertKey.CertFile = server.Config.CAFile
	result.ServerOpts.GenericServerRunOptions.AdvertiseAddress = net.ParseIP("127.0.0.1")
	client, _, err := GetEtcdClients(storage.Transport)
	if err != nil {
		server.Stop()
		return result, err
	}
	result.ClientConfig = server.Config
	result.ClientConfig.ContentType = "application/vnd.kubernetes.protobuf"
	result.EtcdClient, result.EtcdStoragePrefix = client, storage.Prefix
	result.TearDownFn = func() {
		server.Stop()
		client.Close()
		remove()
	}
	return result, nil
}

// flagsFor puts the flags of the test last, so that they win.
func flagsFor(instance *TestServerInstanceOptions, customFlags []string, storage *storagebackend.Config, folder string) ([]string, error) {
	key := filepath.Join(folder, "accounts.key")
	if err := writeKey(key); err != nil {
		return nil, err
	}
	flags := []string{
		"--etcd-servers=" + strings.Join(storage.Transport.ServerList, ","),
		"--etcd-prefix=" + storage.Prefix,
		"--service-cluster-ip-range=10.0.0.0/16",
		"--advertise-address=127.0.0.1",
	}
	if instance.RequestTimeout > 0 {
		flags = append(flags, "--request-timeout="+instance.RequestTimeout.String())
	}
	if instance.EnableCertAuth {
		certFlags, err := certificateFlags(instance.ProxyCA, folder)
		if err != nil {
			return nil, err
		}
		flags = append(flags, certFlags...)
	}
	flags = append(flags, outofprocess.Without(customFlags, "service-account-issuer", "service-account-key-file", "service-account-signing-key-file", "emulated-version")...)
	if version := outofprocess.Value(customFlags, "emulated-version"); version != "" {
		flags = append(flags, "--emulated-version="+strings.TrimPrefix(version, "kube="))
	}
	gate := utilfeature.DefaultMutableFeatureGate
	if !compatibility.DefaultKubeEffectiveVersionForTest().BinaryVersion().EqualTo(gate.EmulationVersion()) {
		flags = append(flags, "--runtime-config-emulation-forward-compatible=true")
	}
	return append(flags,
		"--service-account-issuer=https://foo.bar.example.com",
		"--service-account-key-file="+key,
		"--service-account-signing-key-file="+key,
	), nil
}

func writeKey(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	text, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0600)
}

// certificateFlags creates an authority for clients and one for the proxy, with the identity that tests expect.
func certificateFlags(proxy *ProxyCA, folder string) ([]string, error) {
	at := func(name string) string { return filepath.Join(folder, name) }
	if _, err := writeAuthority(at("client-ca.crt"), "client-ca"); err != nil {
		return nil, err
	}
	if proxy == nil {
		created, err := writeAuthority(at("proxy-ca.crt"), "front-proxy-ca")
		if err != nil {
			return nil, err
		}
		proxy = created
	} else if err := os.WriteFile(at("proxy-ca.crt"), testutil.EncodeCertPEM(proxy.ProxySigningCert), 0644); err != nil {
		return nil, err
	}
	if err := writeProxyClient(proxy, at("misty-crt.crt"), at("misty-crt.key")); err != nil {
		return nil, err
	}
	return []string{
		"--client-ca-file=" + at("client-ca.crt"),
		"--requestheader-client-ca-file=" + at("proxy-ca.crt"),
		"--requestheader-allowed-names=ash,misty,brock",
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + at("misty-crt.crt"),
		"--proxy-client-key-file=" + at("misty-crt.key"),
	}, nil
}

func writeAuthority(file, name string) (*ProxyCA, error) {
	key, err := testutil.NewPrivateKey()
	if err != nil {
		return nil, err
	}
	certificate, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		return nil, err
	}
	return &ProxyCA{certificate, key}, os.WriteFile(file, testutil.EncodeCertPEM(certificate), 0644)
}

func writeProxyClient(authority *ProxyCA, certFile, keyFile string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := x509.Certificate{
		Subject:      pkix.Name{CommonName: "misty"},
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		NotBefore:    authority.ProxySigningCert.NotBefore,
		NotAfter:     time.Now().Add(1000 * time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, authority.ProxySigningCert, key.Public(), authority.ProxySigningKey)
	if err != nil {
		return err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return err
	}
	if err := os.WriteFile(certFile, testutil.EncodeCertPEM(certificate), 0644); err != nil {
		return err
	}
	text, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	return os.WriteFile(keyFile, text, 0600)
}

// parse fills in the options that tests read.
func parse(flags []string, storage *storagebackend.Config) (*options.ServerRunOptions, error) {
	result := options.NewServerRunOptions()
	registry := basecompatibility.NewComponentGlobalsRegistry()
	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	if err := registry.Register(basecompatibility.DefaultKubeComponent, compatibility.DefaultKubeEffectiveVersionForTest(), gate); err != nil {
		return nil, err
	}
	result.GenericServerRunOptions.ComponentGlobalsRegistry = registry
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, each := range result.Flags().FlagSets {
		set.AddFlagSet(each)
	}
	result.Etcd.StorageConfig = *storage
	return result, set.Parse(flags)
}

// GetEtcdClients returns clients of the etcd that the server uses.
func GetEtcdClients(config storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	var tlsConfig *tls.Config
	if config.CertFile != "" || config.KeyFile != "" || config.TrustedCAFile != "" {
		files := transport.TLSInfo{CertFile: config.CertFile, KeyFile: config.KeyFile, TrustedCAFile: config.TrustedCAFile}
		var err error
		if tlsConfig, err = files.ClientConfig(); err != nil {
			return nil, nil, err
		}
	}
	client, err := clientv3.New(clientv3.Config{
		Endpoints:   config.ServerList,
		DialTimeout: 20 * time.Second,
		DialOptions: []grpc.DialOption{grpc.WithBlock()},
		TLS:         tlsConfig,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("create etcd client: %w", err)
	}
	return client, clientv3.NewKV(client), nil
}
