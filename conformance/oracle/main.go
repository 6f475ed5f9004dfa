// Command oracle asks the real cel-go and Kubernetes libraries what they answer, and writes the answers down.
//
// It is needed only to record the corpora again, never to run the tests.
//
//	go run . cel < cases.jsonl > recorded.jsonl    record cases given one per line
//	go run . record ../corpora/cel                 record every table and generator of this program
//	go run . apply schemas.json < scripts.jsonl    record scripts of server-side apply
//	go run . apply-scripts > scripts.jsonl         the scripts of the apply corpus, still unanswered
//	go run . fuzz 5000 7 > fresh.jsonl             record that many random cases drawn with the given seed
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "cel":
		return recordStream()
	case len(args) == 2 && args[0] == "record":
		return recordCorpora(args[1])
	case len(args) == 2 && args[0] == "apply":
		return recordApply(args[1])
	case len(args) == 1 && args[0] == "apply-scripts":
		return writeApplyScripts()
	}
	if len(args) == 3 && args[0] == "fuzz" {
		return fuzz(args[1], args[2])
	}
	return fmt.Errorf("usage: oracle cel < cases.jsonl | oracle record <folder> | oracle fuzz <count> <seed>")
}

func recordStream() error {
	schemas, err := loadSchemas()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
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
		if err := (&recorder{schemas: schemas}).record(&c); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		if err := writeLine(out, &c); err != nil {
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
