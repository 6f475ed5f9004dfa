package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// realDefinition says where a definition comes from, and what became of it.
type realDefinition struct {
	ID      string  `json:"id"`
	Module  string  `json:"module"`
	Path    string  `json:"path"`
	Licence string  `json:"licence"`
	SHA256  string  `json:"sha256"`
	Want    *Answer `json:"want"`
}

// recordReal finds the definitions in published modules, takes the descriptions out, and writes each beside an index
// with the verdict, warnings and costs. The modules must be in the module cache: `go mod download` puts them there.
func recordReal(list, folder string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	folder = filepath.Join(folder, "real")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var index bytes.Buffer
	seen := map[string]bool{}
	for _, line := range logicalLines(string(text)) {
		name, where, _ := strings.Cut(line, " ")
		if err := recordModule(name, where, folder, seen, &index); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return os.WriteFile(filepath.Join(folder, "index.jsonl"), index.Bytes(), 0o644)
}

func recordModule(name, where, folder string, seen map[string]bool, index *bytes.Buffer) error {
	root, err := moduleFolder(name)
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil || !bytes.Contains(licence[:min(len(licence), 300)], []byte("Apache License")) {
		return fmt.Errorf("not under the Apache licence")
	}
	return filepath.WalkDir(filepath.Join(root, where), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".yaml") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		for _, document := range documentSeparator.Split(string(text), -1) {
			origin := realDefinition{Module: name, Path: inside, Licence: "Apache-2.0"}
			if err := recordDocument(document, origin, folder, seen, index); err != nil {
				return fmt.Errorf("%s: %w", inside, err)
			}
		}
		return nil
	})
}

var documentSeparator = regexp.MustCompile(`(?m)^---.*$`)

func recordDocument(document string, made realDefinition, folder string, seen map[string]bool, index *bytes.Buffer) error {
	text, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		return err
	}
	var head struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if json.Unmarshal(text, &head) != nil || head.Kind != "CustomResourceDefinition" || head.APIVersion != "apiextensions.k8s.io/v1" {
		return nil
	}
	definition := decoded(text)
	stripDescriptions(definition)
	delete(definition, "status")
	made.ID = "real/" + head.Metadata.Name
	if channel, ok := metadataAnnotation(definition, "gateway.networking.k8s.io/channel"); ok {
		made.ID += "-" + channel
	}
	if seen[made.ID] {
		return nil
	}
	seen[made.ID] = true
	plainText := encode(definition)
	sum := sha256.Sum256(plainText)
	made.SHA256 = hex.EncodeToString(sum[:])
	made.Want = answerDefinition(&Case{Object: plainText})
	line, err := json.Marshal(&made)
	if err != nil {
		return err
	}
	index.Write(append(line, '\n'))
	return writeCompressed(filepath.Join(folder, strings.TrimPrefix(made.ID, "real/")+".json.gz"), plainText)
}

func metadataAnnotation(definition map[string]any, name string) (string, bool) {
	metadata, _ := definition["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	value, ok := annotations[name].(string)
	return value, ok
}

func writeCompressed(path string, text []byte) error {
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := writer.Write(text); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

var upperCase = regexp.MustCompile(`[A-Z]`)

func moduleFolder(name string) (string, error) {
	modulePath, version, _ := strings.Cut(name, "@")
	escaped := upperCase.ReplaceAllStringFunc(modulePath, func(letter string) string { return "!" + strings.ToLower(letter) })
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return "", err
	}
	return filepath.Join(strings.TrimSpace(string(cache)), escaped+"@"+version), nil
}

// stripDescriptions removes prose: it is the larger part of most definitions and decides nothing. A property that is
// called description is a schema, not a text, and stays.
func stripDescriptions(value any) {
	switch typed := value.(type) {
	case map[string]any:
		if _, isText := typed["description"].(string); isText {
			delete(typed, "description")
		}
		for _, inner := range typed {
			stripDescriptions(inner)
		}
	case []any:
		for _, inner := range typed {
			stripDescriptions(inner)
		}
	}
}
