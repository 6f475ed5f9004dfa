// Command engine asks the real custom resource code of Kubernetes what it answers, and writes the answers down.
//
// It is needed only to record the corpora again and for the differential test, never to run the tests.
//
//	go run ./engine values      < cases.jsonl > recorded.jsonl    objects created under a schema
//	go run ./engine updates     < cases.jsonl > recorded.jsonl    objects updated under a schema
//	go run ./engine definitions < cases.jsonl > recorded.jsonl    definitions created or updated
//	go run ./engine record ../corpora/engine [topic…]             the tables of cases
//	go run ./engine real modules.txt ../corpora/engine            definitions found in published modules
//	go run ./engine bench                                         the Go side of bench/engine.mjs
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

func main() {
	klog.SetLogger(klog.New(nil))
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && answerers[args[0]] != nil:
		return answerStream(answerers[args[0]])
	case len(args) >= 2 && args[0] == "record":
		return recordTables(args[1], args[2:])
	case len(args) == 1 && args[0] == "bench":
		return runBench()
	case len(args) == 3 && args[0] == "real":
		return recordReal(args[1], args[2])
	}
	return fmt.Errorf("usage: engine values|updates|definitions < cases.jsonl | engine record <folder> [topic…] | engine real <modules> <folder>")
}

var answerers = map[string]func(*Case) *Answer{
	"values":      answerValue,
	"updates":     answerUpdate,
	"definitions": answerDefinition,
}

// answerStream answers each line before it reads the next, so that a caller can converse with it.
func answerStream(answer func(*Case) *Answer) error {
	out := bufio.NewWriter(os.Stdout)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return err
		}
		c.Want = guarded(answer, &c)
		if err := writeLine(out, &c); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return in.Err()
}

// writeLine keeps <, > and & readable, which json.Marshal would escape.
func writeLine(out *bufio.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
