// Package portcullistest starts a Kubernetes API server for tests, in the manner of envtest, without a cluster, without
// etcd and without downloads.
//
//	server, err := portcullistest.Start(portcullistest.Options{Load: []string{"config/crd/bases"}})
//	if err != nil { ... }
//	defer server.Stop()
//	clientset, err := kubernetes.NewForConfig(server.Config)
package portcullistest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Options of a server. The zero value is an empty server in memory on a free port.
type Options struct {
	// Load names files or folders with objects that are there from the start, such as CRDs.
	Load []string
	// Args are more flags of `portcullis serve`.
	Args []string
	// Command runs Portcullis. Default: $PORTCULLIS, else `portcullis` on the path, else `npx portcullis`.
	Command []string
	// StartTimeout is how long the server may take to become ready. Default: 30 seconds.
	StartTimeout time.Duration
}

// Server is a running API server.
type Server struct {
	// Config is for an administrator.
	Config *rest.Config
	// Kubeconfig is the path of a kubeconfig for an administrator.
	Kubeconfig string

	options Options
	folder  string
	process *exec.Cmd
	ended   chan struct{}
	mutex   sync.Mutex
	lines   []string
}

const lastLines = 40

var ready = regexp.MustCompile(`listens on https?://\S+`)

// Start starts a server and waits until it is ready. Errors contain what the server printed.
func Start(options Options) (*Server, error) {
	if options.StartTimeout == 0 {
		options.StartTimeout = 30 * time.Second
	}
	server := &Server{options: options}
	if err := server.start(); err != nil {
		server.Stop()
		return nil, err
	}
	return server, nil
}

// Stop ends the server and removes its files. It may be called more than once.
func (s *Server) Stop() {
	if s.process != nil {
		_ = s.process.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.ended:
		case <-time.After(5 * time.Second):
			_ = s.process.Process.Kill()
			<-s.ended
		}
		s.process = nil
	}
	if s.folder != "" {
		_ = os.RemoveAll(s.folder)
		s.folder = ""
	}
}

// Reset brings the server back to the state after Start. Config changes: make new clients.
func (s *Server) Reset() error {
	s.Stop()
	return s.start()
}

// Output returns the last lines that the server printed.
func (s *Server) Output() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return strings.Join(s.lines, "\n")
}

func (s *Server) start() error {
	command, err := s.command()
	if err != nil {
		return err
	}
	s.folder, err = os.MkdirTemp("", "portcullis-")
	if err != nil {
		return err
	}
	s.Kubeconfig = filepath.Join(s.folder, "kubeconfig")
	args := append(command[1:], "serve", "--in-memory", "--secure-port", "0", "--kubeconfig-out", s.Kubeconfig)
	for _, path := range s.options.Load {
		args = append(args, "--load", path)
	}
	process := exec.Command(command[0], append(args, s.options.Args...)...)
	reader, writer := io.Pipe()
	process.Stdout, process.Stderr = writer, writer
	if err := process.Start(); err != nil {
		return fmt.Errorf("portcullis: %w", err)
	}
	s.process, s.ended = process, make(chan struct{})
	ended := s.ended
	go func() {
		_ = process.Wait()
		_ = writer.Close()
		close(ended)
	}()
	isReady := make(chan struct{})
	read := make(chan struct{})
	go s.read(reader, isReady, read)
	select {
	case <-isReady:
	case <-read:
		return fmt.Errorf("portcullis ended before it was ready:\n%s", s.Output())
	case <-time.After(s.options.StartTimeout):
		return fmt.Errorf("portcullis was not ready after %s:\n%s", s.options.StartTimeout, s.Output())
	}
	s.Config, err = clientcmd.BuildConfigFromFlags("", s.Kubeconfig)
	return err
}

func (s *Server) read(from io.Reader, isReady, read chan<- struct{}) {
	defer close(read)
	once := sync.Once{}
	for scanner := bufio.NewScanner(from); scanner.Scan(); {
		s.mutex.Lock()
		s.lines = append(s.lines, scanner.Text())
		if len(s.lines) > lastLines {
			s.lines = s.lines[1:]
		}
		s.mutex.Unlock()
		if ready.MatchString(scanner.Text()) {
			once.Do(func() { close(isReady) })
		}
	}
}

func (s *Server) command() ([]string, error) {
	if len(s.options.Command) > 0 {
		return s.options.Command, nil
	}
	if given := strings.Fields(os.Getenv("PORTCULLIS")); len(given) > 0 {
		return given, nil
	}
	if found, err := exec.LookPath("portcullis"); err == nil {
		return []string{found}, nil
	}
	if found, err := exec.LookPath("npx"); err == nil {
		return []string{found, "--yes", "portcullis"}, nil
	}
	return nil, errors.New("portcullis was not found: install it, or set PORTCULLIS to its path")
}
