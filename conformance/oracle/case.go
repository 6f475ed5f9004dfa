package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Case is one question, and once recorded also its answer.
type Case struct {
	ID   string `json:"id"`
	Expr string `json:"expr,omitempty"`
	// Parts stands for an expression too long to write out: each text repeated so many times.
	Parts []Part                     `json:"parts,omitempty"`
	Env   *CaseEnv                   `json:"env,omitempty"`
	Bind  map[string]json.RawMessage `json:"bind,omitempty"`
	Limit string                     `json:"limit,omitempty"`
	Want  *Answer                    `json:"want,omitempty"`
}

// CaseEnv says where the expression is compiled. Zero values: version 1.36, stored expressions, no variables.
type CaseEnv struct {
	Version string `json:"version,omitempty"`
	Mode    string `json:"mode,omitempty"`
	// Vars gives declared variables their types, in cel-go's notation.
	Vars map[string]string `json:"vars,omitempty"`
	// Sizes bounds what the static cost knows about a variable, by path such as `x` or `x.@items`.
	Sizes map[string]uint64 `json:"sizes,omitempty"`
	// Schema names an entry of schemas.json; `self` and `oldSelf` are then declared from it.
	Schema          string `json:"schema,omitempty"`
	Root            bool   `json:"root,omitempty"`
	OptionalOldSelf bool   `json:"optionalOldSelf,omitempty"`
}

// Answer is what the real libraries said.
type Answer struct {
	Issues   string    `json:"issues,omitempty"`
	Type     string    `json:"type,omitempty"`
	Estimate *Estimate `json:"estimate,omitempty"`
	// ProgramError is set when planning fails, for instance on a constant pattern that is no regular expression.
	ProgramError string `json:"programError,omitempty"`
	// Panic is set when the libraries crash outside their own recovery; an API server would answer 500.
	Panic string          `json:"panic,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
	Cost  string          `json:"cost,omitempty"`
}

// Estimate holds 64-bit numbers as text because JSON readers round them.
type Estimate struct {
	Min string `json:"min"`
	Max string `json:"max"`
}

// identify derives the id from the question itself, so that it survives reordering and new neighbours.
func (c *Case) identify(topic string) {
	question, err := json.Marshal(Case{Expr: c.Expr, Parts: c.Parts, Env: c.Env, Bind: c.Bind, Limit: c.Limit})
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(question)
	c.ID = topic + "/" + hex.EncodeToString(sum[:5])
}

// Part is a text and how often it is repeated, as a JSON pair.
type Part struct {
	Text  string
	Count int
}

func (p Part) MarshalJSON() ([]byte, error) { return []byte(marshal([]any{p.Text, p.Count})), nil }

func (p *Part) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.Text, &p.Count})
}

func (c *Case) text() string {
	if len(c.Parts) == 0 {
		return c.Expr
	}
	var text strings.Builder
	for _, part := range c.Parts {
		text.WriteString(strings.Repeat(part.Text, part.Count))
	}
	return text.String()
}
