import { expect, test } from "vitest";
import { parseAddress } from "./mail.ts";

// biome-ignore format: a table
test.each([
  { text: "a@b.c",                           name: "",        address: "a@b.c" },
  { text: " a.b+c@example.com ",             name: "",        address: "a.b+c@example.com" },
  { text: "Bob <bob@example.com>",           name: "Bob",     address: "bob@example.com" },
  { text: '"B, ob" <bob@example.com>',       name: "B, ob",   address: "bob@example.com" },
  { text: "bob@example.com (Bob B)",         name: "Bob B",   address: "bob@example.com" },
  { text: "<é@ü.de>",                        name: "",        address: "é@ü.de" },
  { text: '"a b"@c',                         name: "",        address: "a b@c" },
  { text: "a@[127.0.0.1]",                   name: "",        address: "a@[127.0.0.1]" },
  { text: "g: a@b;",                         name: "",        address: "a@b" },
  { text: "=?utf-8?q?caf=C3=A9?= <a@b>",     name: "café",    address: "a@b" },
  { text: "=?utf-8?b?w6k=?= =?iso-8859-1?Q?=e9?= <a@b>", name: "éé", address: "a@b" },
])("$text is an address", ({ text, name, address }) => {
  expect(parseAddress(text)).toEqual({ value: { name, address } });
});

// biome-ignore format: a table
test.each([
  ["", "mail: no address"],
  ["a", "mail: missing '@' or angle-addr"],
  ["a b", "mail: no angle-addr"],
  ["@b", "mail: missing word in phrase: mail: invalid string"],
  ["a@b, c@d", 'mail: expected single address, got ", c@d"'],
  ["<a@b", "mail: unclosed angle-addr"],
  ["<a>", "mail: missing @ in addr-spec"],
  ["<a@>", "mail: invalid string"],
  ["<a..b@c>", "mail: double dot in atom"],
  ["<.a@c>", "mail: leading dot in atom"],
  ["<a.@c>", "mail: trailing dot in atom"],
  ['<"@c>', "mail: empty quoted string in addr-spec"],
  ["<a@[x]>", 'mail: invalid IP address in domain-literal: "x"'],
  ["<a@[\x01]>", "mail: bad character in domain-literal: '\\x01'"],
  ["g:;", "mail: empty group"],
  ["g: a@b, c@d;", "mail: group with multiple addresses"],
  ["a@b (c", "mail: misformatted parenthetical comment"],
  ["=?x?q?a?= <a@b>", 'mail: missing word in phrase: charset not supported: "x"'],
])("%j is an error", (text, error) => {
  expect(parseAddress(text)).toEqual({ error });
});
