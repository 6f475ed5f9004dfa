import { expect, test } from "vitest";
import { evaluateExpression } from "../evaluate.testing.ts";

function answers(name: string, table: readonly (readonly [expression: string, text: string])[]): void {
  test.each(table)(`${name}: %s`, (expression, text) => {
    expect(evaluateExpression(expression).text).toBe(text);
  });
}

answers("lists", [
  ["[1, 2, 2].isSorted()", "true"],
  ["['b', 'a'].isSorted()", "false"],
  ["[].isSorted()", "true"],
  ["[1.0, 0.0 / 0.0, 0.5].isSorted()", "true"],
  ["[1, 2, 3].sum()", "6"],
  ["[1u, 2u].sum()", "3u"],
  ["[1.5, 2.5].sum()", "4.0"],
  ["[duration('1h'), duration('2m')].sum()", "1h2m0s"],
  ["[9223372036854775807, 1].sum()", "error: integer overflow"],
  ["[18446744073709551615u, 1u].sum()", "error: unsigned integer overflow"],
  ["[3, 1, 2].max()", "3"],
  ["[true, false].min()", "false"],
  ["['b', 'a', 'c'].max()", '"c"'],
  ["[timestamp(2), timestamp(1)].min()", "1970-01-01T00:00:01Z"],
  ["[1].filter(x, x > 1).max()", "error: max called on empty list"],
  ["[1].filter(x, x > 1).min()", "error: min called on empty list"],
  ["[1, 2, 1].indexOf(1)", "0"],
  ["[1, 2, 1].lastIndexOf(1)", "2"],
  ["['a'].indexOf('b')", "-1"],
]);

answers("regex", [
  ["'abc 123'.find('[0-9]+')", '"123"'],
  ["'abc'.find('x')", '""'],
  ["'1 2 3'.findAll('[0-9]')", '["1", "2", "3"]'],
  ["'1 2 3'.findAll('[0-9]', 2)", '["1", "2"]'],
  ["'1 2 3'.findAll('[0-9]', 0)", "[]"],
  ["'1 2 3'.findAll('[0-9]', -5)", '["1", "2", "3"]'],
  ["'a'.find('[')", "program error: error parsing regexp: missing closing ]: `[`"],
  ["['['].map(p, 'a'.find(p))", "error: Illegal regex: error parsing regexp: missing closing ]: `[`"],
]);

answers("urls", [
  ["url('https://user@example.com:80/a b?k=1&k=2#f').getHost()", '"example.com:80"'],
  ["url('https://[::1]:80/').getHostname()", '"::1"'],
  ["url('https://example.com:80/').getPort()", '"80"'],
  ["url('https://example.com/a b').getEscapedPath()", '"/a%20b"'],
  ["url('/p?k=1&k=2')  .getQuery()['k']", '["1", "2"]'],
  ["url('/p').getScheme()", '""'],
  ["url('/p') == url('/p')", "true"],
  ["url('p')", 'error: URL parse error during conversion from string: parse "p": invalid URI for request'],
  ["url('/a') == dyn(1)", "error: no such overload"],
  ["isURL('https://example.com')", "true"],
  ["isURL('../x')", "false"],
]);

answers("quantities", [
  ["quantity('1.5Gi').asInteger()", "error: cannot convert value to integer"],
  ["quantity('3Gi').asInteger()", "3221225472"],
  ["quantity('1.5').isInteger()", "false"],
  ["quantity('1.5').asInteger()", "error: cannot convert value to integer"],
  ["quantity('1.5').asApproximateFloat()", "1.5"],
  ["sign(quantity('-1'))", "-1"],
  ["quantity('1k').isGreaterThan(quantity('999'))", "true"],
  ["quantity('1Ki').compareTo(quantity('1024'))", "0"],
  ["quantity('2').isLessThan(quantity('1'))", "false"],
  ["quantity('1').add(1) == quantity('2')", "true"],
  ["quantity('2') == quantity('1').add(1)", "error: no such overload"],
  ["quantity('2') != quantity('1').add(1)", "true"],
  ["quantity('5').sub(quantity('7')).asInteger()", "-2"],
  ["isQuantity('1 Gi')", "false"],
  ["type(quantity('1')) == type(quantity('2'))", "true"],
]);

answers("addresses", [
  ["string(ip('::0001'))", '"::1"'],
  ["ip('1.2.3.4').family()", "4"],
  ["ip('127.0.0.1').isLoopback()", "true"],
  ["ip('0.0.0.0').isUnspecified()", "true"],
  ["ip('224.0.0.1').isLinkLocalMulticast()", "true"],
  ["ip('fe80::1').isLinkLocalUnicast()", "true"],
  ["ip('8.8.8.8').isGlobalUnicast()", "true"],
  ["ip.isCanonical('::0001')", "false"],
  ["ip('fe80::1%eth0')", 'error: IP address "fe80::1%eth0" with zone value is not allowed'],
  ["ip('::ffff:1.2.3.4')", 'error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
  ["isIP('1.2.3')", "false"],
  ["type(ip('1.2.3.4')) == net.IP", "true"],
  ["ip('1.2.3.4') == dyn(1)", "error: no such overload"],
]);

answers("networks", [
  ["string(cidr('10.1.2.3/8').masked())", '"10.0.0.0/8"'],
  ["cidr('10.1.2.3/8').prefixLength()", "8"],
  ["string(cidr('10.1.2.3/8').ip())", '"10.1.2.3"'],
  ["cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"],
  ["cidr('10.0.0.0/8').containsIP(ip('11.1.2.3'))", "false"],
  ["cidr('10.0.0.0/8').containsIP('bad')", "error: no such overload"],
  ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"],
  ["cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", "false"],
  [
    "cidr('bad')",
    "error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(\"bad\"): no '/'",
  ],
  ["isCIDR('10.0.0.0/33')", "false"],
  ["cidr('10.0.0.0/8') == cidr('10.0.0.0/8')", "true"],
]);

answers("versions", [
  ["semver('1.2.3').major()", "1"],
  ["semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))", "true"],
  ["semver('1.0.0').isGreaterThan(semver('1.0.0-rc'))", "true"],
  ["semver('1.2.3+a') == semver('1.2.3+b')", "true"],
  ["semver('1.2.3').compareTo(semver('1.10.0'))", "-1"],
  ["semver('v1', true).minor()", "0"],
  ["semver('v01.02', true).minor()", "2"],
  ["semver('1-a', true)", "error: short version cannot contain PreRelease/Build meta data"],
  ["semver('1.2')", "error: No Major.Minor.Patch elements found"],
  ["semver('01.2.3')", 'error: Major number must not contain leading zeroes "01"'],
  ["semver('1.2.3-01')", 'error: Numeric PreRelease version must not contain leading zeroes "01"'],
  ["semver('1.2.3+')", "error: Build meta data is empty"],
  ["semver('9223372036854775808.0.0').major()", "-9223372036854775808"],
  ["isSemver('v1.2.3')", "false"],
  ["isSemver('v1.2.3', true)", "true"],
]);

answers("formats", [
  ["format.named('nothing')", "none"],
  ["format.named('uuid').value() == format.uuid()", "true"],
  ["format.dns1123Label().validate('my-name')", "none"],
  ["format.dns1123Label().validate('a.b')", 'optional(["must not contain dots"])'],
  ["format.dns1123LabelPrefix().validate('my-')", "none"],
  ["format.qualifiedName().validate('/x')", 'optional(["prefix part must be non-empty"])'],
  ["format.labelValue().validate('')", "none"],
  ["format.uri().validate('x')", 'optional(["parse \\"x\\": invalid URI for request"])'],
  ["format.uuid().validate('x')", 'optional(["does not match the UUID format"])'],
  ["format.byte().validate('!')", 'optional(["invalid base64"])'],
  ["format.date().validate('2021-02-29')", 'optional(["invalid date"])'],
  ["format.datetime().validate('2021-02-28T00:00:00Z')", "none"],
]);

answers("nothing else", [
  [
    "math.greatest(1, 2)",
    "issues: ERROR: <input>:1:1: undeclared reference to 'math' (in container '')\n | math.greatest(1, 2)\n | ^\nERROR: <input>:1:14: undeclared reference to 'greatest' (in container '')\n | math.greatest(1, 2)\n | .............^",
  ],
]);
