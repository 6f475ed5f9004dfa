package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"sync"
)

// recordCorpora writes one file a topic, and the schemas they name.
func recordCorpora(folder string) error {
	schemas, err := loadSchemas()
	if err != nil {
		return err
	}
	topics, err := loadTables()
	if err != nil {
		return err
	}
	for name, cases := range generated(topics) {
		topics[name] = append(topics[name], cases...)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "schemas.json"), schemaFile, 0o644); err != nil {
		return err
	}
	total := 0
	for _, name := range sortedKeys(topics) {
		cases, dropped, err := recordAll(name, topics[name], &recorder{schemas: schemas})
		if err != nil {
			return err
		}
		if err := writeTopic(filepath.Join(folder, name+".jsonl"), cases); err != nil {
			return err
		}
		total += len(cases)
		fmt.Fprintf(os.Stderr, "%-24s %5d recorded, %d dropped as unstable\n", name, len(cases), dropped)
	}
	fmt.Fprintf(os.Stderr, "%-24s %5d\n", "total", total)
	return nil
}

func recordAll(topic string, cases []Case, r *recorder) ([]Case, int, error) {
	cases = distinct(topic, cases)
	failures := make([]error, len(cases))
	var group sync.WaitGroup
	next := make(chan int)
	for w := 0; w < runtime.NumCPU(); w++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range next {
				failures[i] = r.record(&cases[i])
			}
		}()
	}
	for i := range cases {
		next <- i
	}
	close(next)
	group.Wait()
	var kept []Case
	for i, failure := range failures {
		switch {
		case failure == nil:
			kept = append(kept, cases[i])
		case !errors.Is(failure, errUnstable):
			return nil, 0, fmt.Errorf("%s %q: %w", cases[i].ID, cases[i].Expr, failure)
		}
	}
	return kept, len(cases) - len(kept), nil
}

func distinct(topic string, cases []Case) []Case {
	seen := map[string]bool{}
	var kept []Case
	for _, c := range cases {
		c.identify(topic)
		if !seen[c.ID] {
			seen[c.ID] = true
			kept = append(kept, c)
		}
	}
	return kept
}

func writeTopic(path string, cases []Case) error {
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

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
