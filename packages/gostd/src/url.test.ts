import { expect, test } from "vitest";
import * as url from "./url.ts";

// biome-ignore format: a table
test.each([
  { text: "https://user:pa%20ss@example.com:8080/a%2Fb/c?x=1&y#frag", fields: { scheme: "https", host: "example.com:8080", path: "/a/b/c", rawPath: "/a%2Fb/c", rawQuery: "x=1&y", fragment: "frag", user: { username: "user", password: "pa ss" } } },
  { text: "mailto:a@b.c",        fields: { scheme: "mailto", opaque: "a@b.c" } },
  { text: "/path/only",          fields: { scheme: "", host: "", path: "/path/only" } },
  { text: "//host/path",         fields: { host: "host", path: "/path" } },
  { text: "file:/a",             fields: { scheme: "file", omitHost: true, path: "/a" } },
  { text: "http://h?",           fields: { host: "h", forceQuery: true } },
  { text: "http://[fe80::1%25en0]:80/", fields: { host: "[fe80::1%en0]:80" } },
  { text: "*",                   fields: { path: "*" } },
  { text: "",                    fields: { path: "" } },
])("$text is parsed and formatted again", ({ text, fields }) => {
  const parsed = url.parse(text).url;
  expect(parsed).toMatchObject(fields);
  expect(parsed === undefined ? "" : url.format(parsed)).toBe(text);
});

// biome-ignore format: a table
test.each([
  ["HTTP://Host/ü", "http://Host/%C3%BC"], ["http://h/a b", "http://h/a%20b"], ["a/b:c", "a/b:c"], ["http://h#a b", "http://h#a%20b"],
  ["http://h/%7ea", "http://h/%7ea"], ["http://h", "http://h"], ["///a", "///a"],
])("%s prints as %s", (text, printed) => {
  const parsed = url.parse(text).url;
  expect(parsed === undefined ? "" : url.format(parsed)).toBe(printed);
});

// biome-ignore format: a table
test.each([
  [":x", "missing protocol scheme"],
  ["1http://x", "first path segment in URL cannot contain colon"],
  ["a b:c", "first path segment in URL cannot contain colon"],
  ["http://h/%zz", 'invalid URL escape "%zz"'],
  ["http://h/%", 'invalid URL escape "%"'],
  ["http://h/%aé", 'invalid URL escape "%a\\xc3"'],
  ["http://a b/", 'invalid character " " in host name'],
  ["http://h:x/", 'invalid port ":x" after host'],
  ["http://h:1:2/", 'invalid port ":1:2" after host'],
  ["http://[::1/", "missing ']' in host"],
  ["http://[1.2.3.4]/", "invalid IP-literal"],
  ["http://a[::1]/", "invalid IP-literal"],
  ["http://[x]/", 'invalid host: ParseAddr("x"): unable to parse IP'],
  ["http://a\\@h/", "net/url: invalid userinfo"],
  ["http://h%41/", 'invalid URL escape "%41"'],
])("%s is an error", (text, problem) => {
  expect(url.parse(text)).toEqual({ error: `parse ${JSON.stringify(text)}: ${problem}` });
});

test("control characters are errors", () => {
  expect(url.parse("a\nb").error).toBe('parse "a\\nb": net/url: invalid control character in URL');
  expect(url.parse("a\x7f").error).toBe('parse "a\\x7f": net/url: invalid control character in URL');
});

// biome-ignore format: a table
test.each([
  ["", 'parse "": empty url'], ["a/b", 'parse "a/b": invalid URI for request'], ["/a", undefined], ["http://h/a#b", undefined],
])("a request URI %j", (text, error) => {
  expect(url.parseRequestUri(text).error).toBe(error);
});

test("host, port and absoluteness", () => {
  const parsed = url.parse("https://[::1]:8443/x").url;
  if (parsed === undefined) throw new Error("should parse");
  expect(url.hostname(parsed)).toBe("::1");
  expect(url.port(parsed)).toBe("8443");
  expect(url.isAbs(parsed)).toBe(true);
  expect(url.escapedPath(parsed)).toBe("/x");
});

test("a query keeps the well-formed parameters and reports the first error", () => {
  expect(url.parseQuery("b=2&a=1&b=3+4&c&=e")).toEqual({
    values: new Map([
      ["b", ["2", "3 4"]],
      ["a", ["1"]],
      ["c", [""]],
      ["", ["e"]],
    ]),
    error: undefined,
  });
  expect(url.parseQuery("a=%zz&b=1&c=%y").error).toBe('invalid URL escape "%zz"');
  expect(url.parseQuery("a=%zz&b;c").error).toBe("invalid semicolon separator in query");
  expect(
    url.encodeQuery(
      new Map([
        ["b", ["2"]],
        ["a", ["x y", "é"]],
      ]),
    ),
  ).toBe("a=x+y&a=%C3%A9&b=2");
});

test("escaping depends on the part of the URL", () => {
  expect(url.queryEscape("a b/c+é~")).toBe("a+b%2Fc%2B%C3%A9~");
  expect(url.pathEscape("a b/c+é;,")).toBe("a%20b%2Fc+%C3%A9%3B%2C");
  expect(url.queryUnescape("a+b%20c")).toEqual({ value: "a b c" });
  expect(url.pathUnescape("a+b%20c")).toEqual({ value: "a+b c" });
  expect(url.pathUnescape("%g")).toEqual({ error: 'invalid URL escape "%g"' });
});

test.each([
  ["a%20b+c", "a b c"],
  ["%C3%A9%EF%BB%BF", "é\ufeff"],
  ["%ff+a", "\ufffd a"],
  ["\ud800%20", "\ufffd "],
])("%s of a query is unescaped", (text, value) => {
  expect(url.queryUnescape(text)).toEqual({ value });
});
