package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/google/cel-go/cel"
)

// replaceAll puts a path where the placeholder stands as a whole word after a dot or question mark.
func replaceAll(shape, placeholder, path string) string {
	for _, before := range []string{"self.", "oldSelf.", "self.?"} {
		shape = strings.ReplaceAll(shape, before+placeholder, before+path)
	}
	return shape
}

var grammarOnly = func() *cel.Env {
	env, err := cel.NewEnv(cel.OptionalTypes())
	if err != nil {
		panic(err)
	}
	return env
}()

func parses(expr string) bool {
	_, issues := grammarOnly.Parse(expr)
	return issues == nil || issues.Err() == nil
}

// A grammar writes expressions that are well typed by construction, over the variables of randomVars.
type grammar struct {
	*rand.Rand
	scope map[string][]string
}

var randomVars = map[string]string{"i": "int", "j": "int", "u": "uint", "x": "double", "s": "string", "t": "string", "b": "bool", "li": "list(int)", "ls": "list(string)", "m": "map(string,int)", "d": "dyn", "dur": "duration", "ts": "timestamp"}

var randomBind = bindings(`{"i":{"int":"7"},"j":{"int":"-3"},"u":{"uint":"9"},"x":{"double":"2.5"},"s":{"string":"hello world"},"t":{"string":"wörld"},"b":{"bool":true},
	"li":{"list":[{"int":"4"},{"int":"0"},{"int":"-2"},{"int":"4"}]},"ls":{"list":[{"string":"a"},{"string":"hello"},{"string":""}]},"m":{"map":[[{"string":"hello"},{"int":"1"}],[{"string":"b"},{"int":"2"}]]},
	"d":{"json":{"a":[1,2.5,"x",null],"b":{"c":true},"s":"text","n":null}},"dur":{"duration":"1h2m3s"},"ts":{"timestamp":"2021-06-05T04:03:02.001Z"}}`)

func randomExpressions(random *rand.Rand, wanted int) []Case {
	seen := map[string]bool{}
	table := table{env: CaseEnv{Vars: randomVars}, bind: randomBind}
	kinds := []string{"bool", "bool", "bool", "int", "string", "list(int)", "list(string)", "double", "dyn", "uint", "duration", "timestamp"}
	for len(table.cases) < wanted {
		g := &grammar{Rand: random, scope: map[string][]string{}}
		for _, name := range sortedKeys(randomVars) {
			g.scope[randomVars[name]] = append(g.scope[randomVars[name]], name)
		}
		expr := g.write(kinds[random.IntN(len(kinds))], 2+random.IntN(3))
		if !seen[expr] && len(expr) > 6 && len(expr) < 400 {
			seen[expr] = true
			table.cases = append(table.cases, table.caseFor(expr))
		}
	}
	return table.cases
}

// productions has shapes by result; % followed by a letter is a hole: i u x s b l(list int) k(list string) d t(imestamp) r(duration).
var productions = map[string][]string{
	"bool": {"%i < %i", "%i == %i", "%x >= %x", "%s == %s", "%s != %s", "%s < %s", "%b && %b", "%b || %b", "!%b", "!(%b && %b)", "%b ? %b : %b", "%s.contains(%s)", "%s.startsWith(%s)", "%s.endsWith(%s)", "%s.matches('^[a-z]+')", "%i in %l", "%s in %k", "%s in m", "has(m.%n)", "has(d.%n)",
		"%l == %l", "%k.exists(%v, %b)", "%k.all(%v, %b)", "%l.exists(%w, %b)", "%l.all(%w, %b)", "%l.exists_one(%w, %b)", "%l.isSorted()", "%d == %i", "%d == %s", "%d", "%r > %r", "%t < %t", "sets.contains(%l, %l)", "sets.intersects(%k, %k)", "optional.of(%i).hasValue()", "%l[?%i].hasValue()", "isQuantity(%s)", "isURL(%s)", "isIP(%s)", "quantity('1k').isLessThan(quantity(string(%i)))", "%u > %u", "%i < %x", "type(%d) == int"},
	"int":          {"%i + %i", "%i - %i", "%i * %i", "%i / %i", "%i %% %i", "-%i", "-(%i)", "size(%s)", "%s.size()", "%l.size()", "size(%k)", "%b ? %i : %i", "%l[%i]", "m[%s]", "m.%n", "%l.sum()", "%l.max()", "%l.min()", "int(%x)", "int(%u)", "int(%s)", "%s.indexOf(%s)", "%s.lastIndexOf(%s)", "%l.indexOf(%i)", "%t.getHours()", "%t.getDayOfWeek('Asia/Kolkata')", "%r.getMinutes()", "%l[?%i].orValue(%i)", "m.?%n.orValue(%i)", "cidr('10.0.0.0/8').prefixLength() + %i", "int(%t)"},
	"uint":         {"%u + %u", "%u - %u", "%u * %u", "uint(%i)", "%b ? %u : %u", "%u / %u", "%u %% %u"},
	"double":       {"%x + %x", "%x - %x", "%x * %x", "%x / %x", "-%x", "double(%i)", "double(%u)", "double(%s)", "%b ? %x : %x", "quantity('1.5').asApproximateFloat() * %x"},
	"string":       {"%s + %s", "string(%i)", "string(%x)", "string(%b)", "string(%u)", "string(%r)", "string(%t)", "%s.lowerAscii()", "%s.upperAscii()", "%s.trim()", "%s.reverse()", "%s.replace(%s, %s)", "%s.substring(%i)", "%s.charAt(%i)", "%k.join(%s)", "%k[%i]", "%b ? %s : %s", "%s.find('[a-z]+')", "'%%s=%%d'.format([%s, %i])", "'%%.2f'.format([%x])", "strings.quote(%s)", "%k[?%i].orValue(%s)", "url('https://a.b/c').getHost() + %s", "d.s"},
	"list(int)":    {"[%i, %i]", "[%i]", "%l + %l", "%l.filter(%w, %b)", "%l.map(%w, %i)", "%l.map(%w, %b, %i)", "%k.map(%v, size(%v))", "%l.sort()", "%l.distinct()", "%l.reverse()", "%l.slice(0, %i)", "lists.range(3)", "%l.transformList(%w, %y, %w + %y)", "%b ? %l : %l", "m.map(%v, 1)", "[%l, %l].flatten()", "[?optional.of(%i), %i]", "%l.sortBy(%w, -%w)"},
	"list(string)": {"[%s, %s]", "%k + %k", "%k.filter(%v, %b)", "%k.map(%v, %s)", "%l.map(%w, string(%w))", "%s.split(%s)", "%s.split(' ')", "%k.sort()", "%k.distinct()", "%b ? %k : %k", "%s.findAll('[a-z]')", "[?m.?%n.optMap(%v, string(%v)), %s]"},
	"dyn":          {"d.a", "d.a[%i]", "d.b.c", "d.n", "d.%n", "dyn(%i)", "dyn(%s)", "dyn(%l)", "d.?b.?c", "d.?zz.yy", "%b ? d.a : d.s", "d[%s]"},
	"duration":     {"%r + %r", "%r - %r", "duration('90s')", "duration(string(%i) + 's')", "%t - %t", "-%r", "%b ? %r : %r"},
	"timestamp":    {"%t + %r", "%t - %r", "timestamp(%i)", "timestamp('2020-01-01T00:00:00Z')", "%b ? %t : %t"},
}

var atoms = map[string][]string{
	"bool": {"true", "false"}, "int": {"0", "1", "2", "-1", "5", "9223372036854775807"}, "uint": {"0u", "3u"}, "double": {"0.0", "1.5", "-2.25", "1e10"},
	"string": {"''", "'a'", "'hello'", "'wör'", "'1'", "'10.0.0.1'"}, "list(int)": {"[]", "[1, 2, 3]"}, "list(string)": {"[]", "['a', 'b']"},
	"dyn": {"d"}, "duration": {"duration('1m')"}, "timestamp": {"timestamp(0)"},
}

var holes = map[byte]string{'i': "int", 'u': "uint", 'x': "double", 's': "string", 'b': "bool", 'l': "list(int)", 'k': "list(string)", 'd': "dyn", 't': "timestamp", 'r': "duration"}

func (g *grammar) write(kind string, depth int) string {
	if depth == 0 || g.IntN(8) == 0 {
		return g.leaf(kind)
	}
	shapes := productions[kind]
	return g.fill(shapes[g.IntN(len(shapes))], depth-1)
}

func (g *grammar) leaf(kind string) string {
	choices := append(append([]string{}, g.scope[kind]...), atoms[kind]...)
	return choices[g.IntN(len(choices))]
}

// fill writes the holes of a shape. A loop variable is in scope only in what follows it.
func (g *grammar) fill(shape string, depth int) string {
	var out strings.Builder
	loop := map[byte]string{}
	var bound []string
	for i := 0; i < len(shape); i++ {
		if shape[i] != '%' {
			out.WriteByte(shape[i])
			continue
		}
		i++
		switch hole := shape[i]; hole {
		case '%':
			out.WriteByte('%')
		case 'n':
			out.WriteString([]string{"hello", "b", "zz", "a", "s"}[g.IntN(5)])
		case 'v', 'w', 'y':
			if loop[hole] == "" {
				kind := map[byte]string{'v': "string", 'w': "int", 'y': "int"}[hole]
				loop[hole] = fmt.Sprintf("%c%d", hole, len(g.scope[kind]))
				g.scope[kind] = append(g.scope[kind], loop[hole])
				bound = append(bound, kind)
			}
			out.WriteString(loop[hole])
		default:
			out.WriteString(g.operand(holes[hole], depth))
		}
	}
	for _, kind := range bound {
		g.scope[kind] = g.scope[kind][:len(g.scope[kind])-1]
	}
	return out.String()
}

// operand puts parentheses around what is no single term.
func (g *grammar) operand(kind string, depth int) string {
	text := g.write(kind, depth)
	if strings.ContainsAny(text, " -!?") || strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	}
	return text
}
