// Package outofprocess starts an API server as a child process, for integration tests that were written for a server
// in their own process.
//
// The program is named by INTEGRATION_SERVER: portcullis-kube-apiserver, or kube-apiserver as the control. Tests write
// some keys into etcd themselves. INTEGRATION_KEY_ROOT is the folder that the server itself adds below --etcd-prefix, if
// it adds one: then keys are where tests expect them.
package outofprocess

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/component-base/featuregate"
)

const (
	token     = "integration-administrator"
	readyTime = time.Minute
	stopTime  = 20 * time.Second
)

// Server is a running child.
type Server struct {
	Config *restclient.Config
	// Stop ends the process and waits for its end.
	Stop func()
}

// Options describe a child. Flags given twice are taken from the end of the list.
type Options struct {
	// Folder for certificates and tokens; the caller removes it.
	Folder string
	Port   int
	Flags  []string
	// Tokens are further lines of the token file.
	Tokens []string
	// SkipReady returns as soon as the port is open.
	SkipReady bool
	Logf      func(format string, args ...interface{})
}

// FreePort returns a port of the loopback interface that nobody uses.
func FreePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// Start resolves when the server is ready.
func Start(ctx context.Context, options Options) (*Server, error) {
	program := os.Getenv("INTEGRATION_SERVER")
	if program == "" {
		return nil, fmt.Errorf("INTEGRATION_SERVER names no program")
	}
	flags, ca, err := completeFlags(options)
	if err != nil {
		return nil, err
	}
	options.Logf("starting %s %s", program, strings.Join(flags, " "))
	output := &log{}
	command := exec.Command(program, flags...)
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	stop := func() {
		command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(stopTime):
			command.Process.Kill()
			<-ended
		}
		if os.Getenv("INTEGRATION_LOG") != "" {
			options.Logf("output of the server:\n%s", output.text())
		}
	}
	server := &Server{Config: clientConfig(options.Port, ca), Stop: sync.OnceFunc(stop)}
	if err := server.wait(ctx, ended, options); err != nil {
		server.Stop()
		return nil, fmt.Errorf("%w: %s", err, output.text())
	}
	return server, nil
}

// completeFlags adds what every child needs, and returns the file with the authority of its certificate.
func completeFlags(options Options) ([]string, string, error) {
	flags := append([]string{}, options.Flags...)
	if prefix := Value(flags, "etcd-prefix"); prefix != "" {
		root := "/" + os.Getenv("INTEGRATION_KEY_ROOT")
		prefix = strings.TrimSuffix("/"+strings.Trim(prefix, "/"), strings.TrimSuffix(root, "/"))
		flags = append(Without(flags, "etcd-prefix"), "--etcd-prefix="+prefix)
	}
	tokens := append([]string{token + `,system:apiserver,1,"system:masters"`}, options.Tokens...)
	if given := Value(flags, "token-auth-file"); given != "" {
		text, err := os.ReadFile(given)
		if err != nil {
			return nil, "", err
		}
		tokens = append(tokens, strings.TrimSpace(string(text)))
		flags = Without(flags, "token-auth-file")
	}
	tokenFile := filepath.Join(options.Folder, "integration-tokens.csv")
	if err := os.WriteFile(tokenFile, []byte(strings.Join(tokens, "\n")+"\n"), 0600); err != nil {
		return nil, "", err
	}
	ca := Value(flags, "tls-cert-file")
	if ca == "" {
		ca = filepath.Join(options.Folder, "apiserver.crt")
		key := filepath.Join(options.Folder, "apiserver.key")
		if err := writeCertificate(ca, key); err != nil {
			return nil, "", err
		}
		flags = append(flags, "--tls-cert-file="+ca, "--tls-private-key-file="+key)
	}
	flags = append(flags,
		"--token-auth-file="+tokenFile,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", options.Port),
		"--cert-dir="+options.Folder,
	)
	return append(flags, gateFlags(flags)...), ca, nil
}

func writeCertificate(certFile, keyFile string) error {
	addresses := []net.IP{net.ParseIP("127.0.0.1")}
	names := []string{"localhost", "kubernetes.default.svc", "kubernetes.default", "kubernetes"}
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", addresses, names)
	if err != nil {
		return err
	}
	if err := os.WriteFile(certFile, certificate, 0644); err != nil {
		return err
	}
	return os.WriteFile(keyFile, key, 0600)
}

// gateFlags passes on the gates that the test set in its own process, unless it named them in flags.
func gateFlags(flags []string) []string {
	gate := utilfeature.DefaultMutableFeatureGate
	named := Value(flags, "feature-gates")
	var pairs []string
	for feature, spec := range gate.GetAll() {
		if spec.LockToDefault || strings.HasPrefix(string(feature), "All") || strings.Contains(named, string(feature)+"=") {
			continue
		}
		if enabled := gate.Enabled(feature); enabled != defaultOf(feature, spec) {
			pairs = append(pairs, fmt.Sprintf("%s=%v", feature, enabled))
		}
	}
	sort.Strings(pairs)
	var result []string
	if len(pairs) > 0 {
		result = append(result, "--feature-gates="+strings.Join(pairs, ","))
	}
	emulated := gate.EmulationVersion()
	version := fmt.Sprintf("%d.%d", emulated.Major(), emulated.Minor())
	if Value(flags, "emulated-version") == "" {
		result = append(result, "--emulated-version="+version)
	}
	return result
}

// defaultOf is the default before the test changed it: an override replaces the default of the specification.
func defaultOf(feature featuregate.Feature, spec featuregate.FeatureSpec) bool {
	if known, found := defaults[feature]; found {
		return known
	}
	return spec.Default
}

// The defaults when the process started, before any test ran.
var defaults = func() map[featuregate.Feature]bool {
	result := map[featuregate.Feature]bool{}
	for feature, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		result[feature] = spec.Default
	}
	return result
}()

func clientConfig(port int, ca string) *restclient.Config {
	return &restclient.Config{
		Host:            fmt.Sprintf("https://127.0.0.1:%d", port),
		BearerToken:     token,
		TLSClientConfig: restclient.TLSClientConfig{CAFile: ca},
		QPS:             1000,
		Burst:           10000,
	}
}

func (s *Server) wait(ctx context.Context, ended chan error, options Options) error {
	client := &http.Client{
		Timeout:   5 * time.Second,
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	for deadline := time.Now().Add(readyTime); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-ended:
			ended <- err
			return fmt.Errorf("the server ended: %v", err)
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		if code, err := s.get(client, "/readyz"); err == nil && (code == http.StatusOK || options.SkipReady) {
			if code, _ := s.get(client, "/api/v1/namespaces/default"); code == http.StatusOK || options.SkipReady {
				return nil
			}
		}
	}
	return fmt.Errorf("the server is not ready after %s", readyTime)
}

func (s *Server) get(client *http.Client, path string) (int, error) {
	request, err := http.NewRequest(http.MethodGet, s.Config.Host+path, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	response.Body.Close()
	return response.StatusCode, nil
}

// Value returns the last value of a flag, or nothing.
func Value(flags []string, name string) string {
	value := ""
	for i, flag := range flags {
		if text, found := strings.CutPrefix(flag, "--"+name+"="); found {
			value = text
		} else if flag == "--"+name && i+1 < len(flags) {
			value = flags[i+1]
		}
	}
	return value
}

// Without removes flags by name, with their values.
func Without(flags []string, names ...string) []string {
	var kept []string
	for i := 0; i < len(flags); i++ {
		name, _, inline := strings.Cut(strings.TrimPrefix(flags[i], "--"), "=")
		removed := false
		for _, each := range names {
			removed = removed || each == name
		}
		if !removed {
			kept = append(kept, flags[i])
		} else if !inline && i+1 < len(flags) && !strings.HasPrefix(flags[i+1], "--") {
			i++
		}
	}
	return kept
}

// Changed returns flags for the values that differ between two sets of options: those of a new set, and those that a
// test modified.
func Changed(fresh, modified []*pflag.FlagSet) []string {
	before := map[string]string{}
	for _, set := range fresh {
		set.VisitAll(func(flag *pflag.Flag) { before[flag.Name] = flag.Value.String() })
	}
	var flags []string
	for _, set := range modified {
		set.VisitAll(func(flag *pflag.Flag) {
			if flag.Deprecated == "" && flag.Value.String() != before[flag.Name] {
				flags = append(flags, "--"+flag.Name+"="+textOf(flag.Value))
			}
		})
	}
	return flags
}

func textOf(value pflag.Value) string {
	if list, isList := value.(pflag.SliceValue); isList {
		return strings.Join(list.GetSlice(), ",")
	}
	return value.String()
}

type log struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (l *log) Write(bytes []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.buffer.Write(bytes)
}

func (l *log) text() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.buffer.String()
}
