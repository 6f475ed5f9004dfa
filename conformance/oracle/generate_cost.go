package main

// sized are the paths of the schemas by the operations their type allows.
var sized = []struct {
	schema string
	paths  []string
	shapes []string
}{
	{"scalars", []string{"s", "s10", "s0", "e", "uuid"}, stringShapes},
	{"scalars", []string{"ios", "ios10"}, []string{"self.P == 'abc'", "self.P == 5", "self.P.matches('^a')", "self.P.contains('a')", "type(self.P) == int", "self.P in ['a', 'b']", "self.P + 1 > 2", "string(self.P) == 'a'"}},
	{"scalars", []string{"by", "by10"}, []string{"self.P == b'abc'", "self.P.size() > 1", "string(self.P) == 'a'", "self.P < b'z'", "self.P + self.P == b'x'"}},
	{"scalars", []string{"dur"}, []string{"self.P > duration('1h')", "self.P.getHours() > 1", "string(self.P) == 'a'", "self.P + self.P > duration('1s')"}},
	{"scalars", []string{"date", "dt"}, []string{"self.P > timestamp(0)", "self.P.getHours('UTC') > 1", "string(self.P) == 'a'", "self.P - self.P > duration('1s')"}},
	{"scalars", []string{"i", "n"}, []string{"self.P > 1", "string(self.P) == 'a'", "self.P == self.P", "double(self.P) > 1.0", "self.P in [1, 2, 3]", "self.P > 1 && self.P < 5", "self.P > 1 ? true : self.P == self.P"}},
	{"lists", []string{"l", "l5", "set5", "at"}, append(numberLists, anyLists...)},
	{"lists", []string{"ls", "ls5", "set", "ln"}, append(stringLists, anyLists...)},
	{"lists", []string{"lls", "lls5"}, append([]string{"self.P.all(l, l.all(s, s.contains('a')))", "self.P.all(l, l.exists(s, s.matches('^a')))", "self.P.flatten().size() > 0", "self.P.map(l, l.size()).sum() > 1", "self.P.all(l, l.join(',') == 'a')", "self.P.exists(l, l == ['a'])", "self.P.all(x, self.P.all(y, x == y))"}, anyLists...)},
	{"lists", []string{"ml", "ml2"}, append([]string{"self.P.all(e, e.name == 'a')", "self.P.exists(e, e.name.matches('^a'))", "self.P.all(e, self.P.exists_one(f, f.name == e.name))", "self.P.map(e, e.name).join(',') == 'x'", "self.P.all(e, has(e.v))", "self.P == oldSelf.P", "self.P.all(e, oldSelf.P.exists(f, f.name == e.name))"}, anyLists...)},
	{"lists", []string{"lo", "lo5"}, append([]string{"self.P.all(e, e.a == 'a')", "self.P.all(e, e.a.contains('abc'))", "self.P.exists(e, e.c > 5)", "self.P.all(e, has(e.a) && e.c > 1)", "self.P.filter(e, e.c > 1).all(e, e.a != '')", "self.P.sortBy(e, e.c).size() > 1", "self.P.map(e, e.a + e.a).size() > 1"}, anyLists...)},
	{"maps", []string{"m", "m5", "mn"}, append([]string{"self.P.all(k, self.P[k].matches('^a'))", "self.P.all(k, self.P[k] == 'a')", "self.P.all(k, v, v.contains('x'))", "self.P.exists(k, v, k == v)", "self.P.transformMap(k, v, v + v).size() > 1", "self.P.a == 'x'", "self.P['a'].size() > 1"}, anyMaps...)},
	{"maps", []string{"mi"}, append([]string{"self.P.all(k, self.P[k] > 1)", "self.P.a > 1"}, anyMaps...)},
	{"maps", []string{"ml", "ml5"}, append([]string{"self.P.all(k, self.P[k].all(s, s == 'a'))", "self.P.all(k, self.P[k].size() > 1)", "self.P.exists(k, v, v.exists(s, s.matches('a')))"}, anyMaps...)},
	{"maps", []string{"mo"}, append([]string{"self.P.all(k, self.P[k].a == 'x')", "self.P.all(k, v, v.a.contains('x'))"}, anyMaps...)},
	{"maps", []string{"mm"}, append([]string{"self.P.all(k, self.P[k].all(j, self.P[k][j]))", "self.P.all(k, v, v.exists(i, w, w))"}, anyMaps...)},
	{"objects", []string{"spec.name", "spec.nested.x", "my__dash__key"}, stringShapes},
	{"objects", []string{"spec.nested.y"}, append(stringLists, anyLists...)},
	{"objects", []string{"spec", "spec.nested", "unknown", "known", "emb2"}, []string{"self.P == self.P", "self.P != oldSelf.P", "has(self.P)", "self.P in [self.P]", "[self.P].size() == 1", "dyn(self.P) == 'x'", "type(self.P) == int"}},
	{"widget", []string{"spec.ports"}, append([]string{"self.P.all(p, p.port > 0 && p.port < 65536)", "self.P.all(p, p.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))", "self.P.all(p, self.P.exists_one(q, q.name == p.name))", "self.P.filter(p, p.protocol == 'TCP').size() < 9", "self.P.map(p, p.name).exists(n, n == 'dns')", "self.P.exists(p, p.name + '/' + p.protocol == 'a/b')"}, anyLists...)},
	{"widget", []string{"spec.labels"}, append([]string{"self.P.all(k, k.matches('^[a-z]+$') && self.P[k].size() < 64)", "self.P.all(k, k.startsWith('a'))"}, anyMaps...)},
}

var stringShapes = []string{
	"self.P == 'abc'", "self.P == self.P", "self.P != oldSelf.P", "self.P < 'b'", "self.P.size() < 5", "size(self.P) == 0", "self.P + self.P == 'x'", "self.P + 'abc' == 'x'", "self.P.contains('abc')", "'abc'.contains(self.P)", "self.P.contains(self.P)",
	"self.P.startsWith('abc')", "self.P.endsWith(self.P)", "self.P.matches('^[a-z]+$')", "self.P.matches(self.P)", "self.P.matches('')", "self.P in ['a', 'b']", "self.P in ['a', self.P]", "self.P.find('a+') == ''", "self.P.findAll('a+').size() > 1", "self.P.findAll('a', 3).size() == 3",
	"self.P.lowerAscii() == 'a'", "self.P.upperAscii().size() > 1", "self.P.trim() == ''", "self.P.replace('a', 'b') == 'c'", "self.P.replace('a', 'bbbb', 3) == 'c'", "self.P.replace(self.P, self.P).size() > 1", "self.P.split(',').size() > 1", "self.P.split(',').all(s, s.size() > 1)", "self.P.split(',', 3)[0] == 'x'", "self.P.split(',').join(';') == 'x'",
	"self.P.substring(1) == 'a'", "self.P.substring(0, 3) == 'abc'", "self.P.charAt(0) == 'a'", "self.P.indexOf('a') == 0", "self.P.lastIndexOf('a') == 0", "self.P.reverse() == 'a'", "'%s'.format([self.P]) == 'a'", "'%s-%s'.format([self.P, self.P]) == 'a'", "strings.quote(self.P) == 'a'",
	"isURL(self.P)", "url(self.P).getHost() == 'a'", "url(self.P).getQuery().size() > 1", "isQuantity(self.P)", "quantity(self.P).isGreaterThan(quantity('1'))", "quantity(self.P).add(quantity(self.P)).sign() > 0", "isIP(self.P)", "ip(self.P).family() == 4", "ip.isCanonical(self.P)", "isCIDR(self.P)", "cidr(self.P).containsIP(self.P)", "cidr(self.P).containsCIDR(self.P)", "cidr('1.0.0.0/8').containsIP(ip(self.P))",
	"isSemver(self.P)", "isSemver(self.P, true)", "semver(self.P).isLessThan(semver('1.0.0'))", "semver(self.P, true).major() > 1", "format.dns1123Label().validate(self.P).hasValue()", "format.named(self.P).hasValue()", "format.uri().validate(self.P).hasValue()",
	"int(self.P) > 1", "double(self.P) > 1.0", "string(self.P) == 'a'", "bytes(self.P) == b'a'", "duration(self.P) > duration('1s')", "timestamp(self.P) > timestamp(0)", "has(self.P)", "has(self.P) && self.P.contains('a')", "!has(self.P) || self.P.size() > 1", "self.P == 'a' || self.P == 'bb' || self.P.matches('c')", "self.P == 'a' ? self.P.contains('b') : self.P.size() > 1",
	"dyn(self.P) == 'a'", "[self.P, self.P].all(x, x.contains('a'))", "{'k': self.P}.k.contains('a')", "[self.P].map(x, x + x)[0] == 'a'", "self.?P.orValue('').size() > 1", "optional.of(self.P).optMap(v, v.contains('a')).orValue(false)", "self.P.size() > 1 && self.P.all(c, true)",
}

var anyLists = []string{
	"self.P.size() > 1", "self.P == self.P", "self.P == oldSelf.P", "self.P != []", "self.P.all(x, true)", "self.P.exists(x, x == x)", "self.P.exists_one(x, x == x)", "self.P.filter(x, true).size() > 1", "self.P.map(x, x).size() > 1", "self.P.map(x, true, x).size() > 1", "(self.P + self.P).size() > 1", "(self.P + self.P).all(x, true)", "self.P[0] in self.P", "self.P.all(x, self.P.exists(y, x == y))", "self.P.all(x, self.P.all(y, self.P.all(z, true)))",
	"self.P.indexOf(self.P[0]) == 0", "self.P.lastIndexOf(self.P[0]) == 0", "sets.contains(self.P, self.P)", "sets.equivalent(self.P, oldSelf.P)", "sets.intersects(self.P, self.P)", "self.P.slice(0, 1).size() > 1", "self.P.reverse().size() > 1", "self.P.distinct().size() > 1", "self.P.transformList(i, v, v).size() > 1", "self.P.transformMap(i, v, v).size() > 1", "self.P.all(i, v, i > 1)", "self.P.first().hasValue()", "self.P[?0].hasValue()", "has(self.P)", "self.P.map(x, self.P.map(y, y)).size() > 1", "self.P.map(x, [x]).flatten().size() > 1", "lists.range(5).all(i, self.P[i] == self.P[0])", "dyn(self.P) == []",
}

var numberLists = []string{
	"self.P.all(x, x > 1)", "self.P.sum() > 1", "self.P.min() > 1", "self.P.max() > 1", "self.P.isSorted()", "1 in self.P", "self.P.sort().size() > 1", "self.P.sortBy(x, -x)[0] > 1", "self.P.map(x, x * 2).sum() > 1", "self.P.filter(x, x > 1).map(x, x + 1).exists(x, x == 5)", "self.P.all(x, x in [1, 2, 3])", "self.P.map(x, string(x)).join(',') == 'x'", "self.P == [1, 2, 3]",
}

var stringLists = []string{
	"self.P.all(x, x == 'abc')", "self.P.all(x, x.contains('abc'))", "self.P.all(x, x.matches('^[a-z]+$'))", "self.P.exists(x, x.startsWith('a'))", "self.P.map(x, x + x).all(y, y.size() > 1)", "self.P.join() == 'x'", "self.P.join(',').size() > 1", "'a' in self.P", "self.P.isSorted()", "self.P.min() == 'a'", "self.P.max() == 'a'", "self.P.sort()[0] == 'a'", "self.P.sortBy(x, x.size())[0] == 'a'", "self.P.map(x, x.size()).sum() > 5", "self.P.all(x, x in ['a', 'b'])", "self.P.all(x, self.P.exists_one(y, x == y))", "self.P.map(x, x.split(',')).size() > 1", "self.P.map(x, x.lowerAscii()).all(x, x.contains('a'))", "self.P.all(x, isIP(x))", "self.P.all(x, quantity(x).sign() > 0)", "self.P == ['a']", "self.P[0].contains('a')", "self.P.all(x, '%s'.format([x]) == 'a')",
}

var anyMaps = []string{
	"self.P.size() > 1", "self.P == self.P", "self.P == oldSelf.P", "'a' in self.P", "self.P.all(k, k != '')", "self.P.all(k, k.matches('^[a-z]+$'))", "self.P.all(k, k.contains('abc'))", "self.P.exists(k, k == 'a')", "self.P.exists_one(k, k == 'a')", "self.P.filter(k, k == 'a').size() > 1", "self.P.map(k, k).size() > 1", "self.P.map(k, k + k).join(',') == 'a'", "self.P.map(k, self.P[k]).size() > 1", "self.P.all(k, v, v == v)", "self.P.all(k, oldSelf.P.exists(j, k == j))", "self.P.transformList(k, v, v).size() > 1", "self.P.transformMapEntry(k, v, {k + 'a': v}).size() > 1", "has(self.P.a)", "self.P.?a.hasValue()", "self.P.all(k, k in self.P)",
}

// costEstimates crosses declared sizes with operations. Nothing is bound: only the static side is of interest.
func costEstimates() []Case {
	var cases []Case
	for _, entry := range sized {
		for _, path := range entry.paths {
			for _, shape := range entry.shapes {
				cases = append(cases, Case{Expr: replaceAll(shape, "P", path), Env: &CaseEnv{Schema: entry.schema, Root: entry.schema == "widget"}})
			}
		}
	}
	return cases
}
