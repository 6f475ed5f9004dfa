package main

// gated has a use of everything the base environment added over time, and of what it never adds.
var gated = []string{
	"1 == 1.0", "1 < 1.0", "1u < 2", "[1, 'a']", "{'a': 1, 'b': 'c'}", "1 == dyn(1.0)",
	"optional.of(1)", "optional.none()", "{'a': 1}.?b", "{'a': 1}[?'b']", "[?optional.of(1)]", "optional.of(1).optMap(x, x)", "optional.of(1).optFlatMap(x, optional.of(x))",
	"[1, 2].first()", "[1, 2].last()", "optional.unwrap([optional.of(1)])", "[optional.of(1)].unwrapOpt()",
	"quantity('1')", "isQuantity('1')", "quantity('1').add(1)", "sign(quantity('1'))",
	"duration('x')", "timestamp('x')", "'a'.matches('[')",
	"'a'.charAt(0)", "'a'.indexOf('a')", "'a'.lowerAscii()", "'a'.replace('a', 'b')", "'a'.split('a')", "'a'.substring(0)", "'a'.trim()", "['a'].join()",
	"'%s'.format(['a'])", "strings.quote('a')", "'a'.reverse()",
	"sets.contains([1], [1])", "sets.equivalent([1], [1])", "sets.intersects([1], [1])",
	"ip('1.2.3.4')", "isIP('1.2.3.4')", "ip.isCanonical('1.2.3.4')", "cidr('1.2.3.0/24')", "isCIDR('x')", "cidr('1.2.3.0/24').containsIP('1.2.3.4')",
	"format.named('uuid')", "format.uuid().validate('x')", "format.dns1123Label()",
	"[1].all(i, v, v > i)", "[1].exists(i, v, v > i)", "[1].existsOne(i, v, v > i)", "[1].transformList(i, v, v)", "[1].transformMap(i, v, v)", "[1].transformMapEntry(i, v, {v: i})", "[1].existsOne(v, v == 1)",
	"semver('1.2.3')", "isSemver('1.2.3')", "semver('v1', true)", "semver('1.2.3').major()",
	"[1].slice(0, 1)", "[[1]].flatten()", "lists.range(2)", "[1].distinct()", "[2, 1].sort()", "[2, 1].sortBy(x, x)", "[1, 2].reverse()", "[[1]].flatten(1)",
	"url('https://a')", "isURL('a')", "'a'.find('a')", "'a'.findAll('a')", "[1].sum()", "[1].min()", "[1].isSorted()", "[1].indexOf(1)",
	"math.greatest(1, 2)", "math.isNaN(0.0)", "base64.encode(b'a')", "cel.bind(x, 1, x)", "jsonpatch.escapeKey('a')", "regex.extract('a', 'b')", "proto.getExt(1, a.b)", "test()",
	"timestamp('2020-01-01T00:00:00Z').getHours()", "timestamp('2020-01-01T00:00:00Z').getHours('Europe/Berlin')", "type(1) == int", "{1: 2}[1u]",
}

// authorized needs the authorizer variable.
var authorized = []string{
	"authorizer.path('/x').check('get').allowed()", "authorizer.group('').resource('pods').check('get').errored()",
	"authorizer.group('').resource('pods').fieldSelector('a=b').check('list').reason()", "authorizer.group('').resource('pods').labelSelector('a=b').check('list').reason()",
	"authorizer.serviceAccount('a', 'b').path('/').check('get').error()",
}

var compatibilityVersions = []string{"1.25", "1.27", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36"}

func versions() []Case {
	var cases []Case
	for _, version := range compatibilityVersions {
		for _, expr := range gated {
			cases = append(cases, Case{Expr: expr, Env: &CaseEnv{Version: version, Mode: "new"}})
		}
	}
	for _, version := range []string{"1.30", "1.36"} {
		for _, expr := range gated {
			cases = append(cases, Case{Expr: expr, Env: &CaseEnv{Version: version, Mode: "stored"}})
		}
	}
	for _, version := range []string{"1.27", "1.30", "1.31", "1.36"} {
		for _, expr := range authorized {
			cases = append(cases, Case{
				Expr: expr,
				Env:  &CaseEnv{Version: version, Mode: "new", Vars: map[string]string{"authorizer": "kubernetes.authorization.Authorizer"}},
				Bind: bindings(`{"authorizer":{"authorizer":{"user":{"name":"u"},"rules":[]}}}`),
			})
		}
	}
	return cases
}
