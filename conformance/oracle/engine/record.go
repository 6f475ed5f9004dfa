package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// stabilityRuns is how often each question is asked; an answer that depends on Go's map order is dropped.
const stabilityRuns = 8

func recordTables(folder string, chosen []string) error {
	topics, err := loadTables()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	total := 0
	for _, topic := range topics {
		if len(chosen) > 0 && !slices.Contains(chosen, topic.name) {
			continue
		}
		kept := recordTopic(topic)
		if err := writeCases(filepath.Join(folder, topic.name+".jsonl"), kept); err != nil {
			return err
		}
		total += len(kept)
		fmt.Fprintf(os.Stderr, "%-28s %5d recorded, %d dropped\n", topic.name, len(kept), len(topic.cases)-len(kept))
	}
	fmt.Fprintf(os.Stderr, "%-28s %5d\n", "total", total)
	return nil
}

func recordTopic(t topic) (kept []Case) {
	seen := map[string]bool{}
	for _, c := range t.cases {
		c.identify(t.name)
		if seen[c.ID] {
			fmt.Fprintf(os.Stderr, "twice in %s: %s %s\n", t.name, c.Schema, c.Object)
			continue
		}
		seen[c.ID] = true
		if recordStable(&c, answerers[t.kind]) {
			kept = append(kept, c)
		} else {
			fmt.Fprintf(os.Stderr, "unstable: %s\n", c.ID)
		}
		if c.Want.Panic != "" {
			fmt.Fprintf(os.Stderr, "panic in %s: %s %s %s\n", t.name, c.Schema, c.Object, c.Want.Panic)
		}
	}
	return kept
}

func recordStable(c *Case, answer func(*Case) *Answer) bool {
	var first []byte
	for i := 0; i < stabilityRuns; i++ {
		c.Want = guarded(answer, c)
		text, err := json.Marshal(c.Want)
		must(err)
		if i > 0 && !bytes.Equal(first, text) {
			return false
		}
		first = text
	}
	return true
}

func writeCases(path string, cases []Case) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	for i := range cases {
		if err := writeLine(out, &cases[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}
