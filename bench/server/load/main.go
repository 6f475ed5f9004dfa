// Command load sends prepared requests over HTTPS on connections that stay open, at as little processor time as possible:
// on a machine with few cores, what the client takes is missing to the server.
//
// Each line of the requests is a method, a path and a body, separated by tabs. It prints the seconds, the percentiles of
// the times in milliseconds, and the processor time of its own.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httputil"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	address  = flag.String("address", "", "host and port of the server")
	token    = flag.String("token", "", "bearer token")
	parallel = flag.Int("parallel", 32, "connections")
	media    = flag.String("type", "application/json", "content type of the bodies")
	requests = flag.String("requests", "", "file with the requests")
	answers  = flag.String("answers", "", "file for the bodies of the answers, one per line")
)

// Beyond it garbage is collected.
const memoryLimit = 1 << 30

type result struct {
	took time.Duration
	body []byte
}

func main() {
	flag.Parse()
	// One core is more than it needs, and waking others costs more than it brings. It ends before its memory is full.
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	prepared := prepare()
	results := make([]result, len(prepared))
	connections := connect()
	before := processorTime()
	seconds := run(connections, prepared, results)
	cpu := processorTime() - before
	if *answers != "" {
		keep(results)
	}
	report(seconds, cpu, results)
}

func prepare() [][]byte {
	text, err := os.ReadFile(*requests)
	check(err)
	var prepared [][]byte
	for line := range bytes.Lines(text) {
		parts := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"), 3)
		head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n", parts[0], parts[1], *address, *token)
		if len(parts[2]) > 0 {
			head += fmt.Sprintf("Content-Type: %s\r\nContent-Length: %d\r\n", *media, len(parts[2]))
		}
		prepared = append(prepared, append([]byte(head+"\r\n"), parts[2]...))
	}
	return prepared
}

func connect() []net.Conn {
	connections := make([]net.Conn, *parallel)
	for i := range connections {
		// The certificate of a server under test is its own.
		connection, err := tls.Dial("tcp", *address, &tls.Config{InsecureSkipVerify: true})
		check(err)
		connections[i] = connection
	}
	return connections
}

func run(connections []net.Conn, prepared [][]byte, results []result) float64 {
	var next atomic.Int64
	var group sync.WaitGroup
	start := time.Now()
	for _, connection := range connections {
		group.Go(func() {
			reader := bufio.NewReader(connection)
			for i := next.Add(1) - 1; i < int64(len(prepared)); i = next.Add(1) - 1 {
				results[i] = send(connection, reader, prepared[i])
			}
		})
	}
	group.Wait()
	return time.Since(start).Seconds()
}

func send(connection net.Conn, reader *bufio.Reader, request []byte) result {
	start := time.Now()
	_, err := connection.Write(request)
	check(err)
	body := receive(reader)
	return result{time.Since(start), body}
}

// Reads of a response whether it is a success, and where it ends. Anything but success ends the
// program, because completed work is measured.
func receive(reader *bufio.Reader) []byte {
	status, err := reader.ReadSlice('\n')
	check(err)
	isSuccess := bytes.HasPrefix(status, []byte("HTTP/1.1 2"))
	length := int64(-1)
	for {
		line, err := reader.ReadSlice('\n')
		check(err)
		if len(line) == len("\r\n") {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("content-length")) {
			length, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
			check(err)
		}
	}
	body := readBody(reader, length)
	if !isSuccess {
		log.Fatalf("%s", body)
	}
	return body
}

// A negative length means chunks.
func readBody(reader *bufio.Reader, length int64) []byte {
	if length >= 0 {
		body := make([]byte, length)
		_, err := io.ReadFull(reader, body)
		check(err)
		return body
	}
	body, err := io.ReadAll(httputil.NewChunkedReader(reader))
	check(err)
	_, err = reader.ReadSlice('\n')
	check(err)
	return body
}

func keep(results []result) {
	file, err := os.Create(*answers)
	check(err)
	writer := bufio.NewWriter(file)
	for _, each := range results {
		writer.Write(bytes.TrimSuffix(each.body, []byte("\n")))
		writer.WriteByte('\n')
	}
	check(writer.Flush())
	check(file.Close())
}

func report(seconds, cpu float64, results []result) {
	slices.SortFunc(results, func(a, b result) int { return int(a.took - b.took) })
	at := func(share float64) float64 {
		return results[min(len(results)-1, int(share*float64(len(results))))].took.Seconds() * 1000
	}
	fmt.Printf(`{"count":%d,"seconds":%f,"p50":%f,"p99":%f,"cpu":%f}`+"\n", len(results), seconds, at(0.5), at(0.99), cpu)
}

// In milliseconds.
func processorTime() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
