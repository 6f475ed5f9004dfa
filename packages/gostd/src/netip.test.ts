import { expect, test } from "vitest";
import * as netip from "./netip.ts";

function addr(text: string): netip.Addr {
  const parsed = netip.parseAddr(text);
  if (parsed.error !== undefined) throw new Error(parsed.error);
  return parsed.value;
}

function prefix(text: string): netip.Prefix {
  const parsed = netip.parsePrefix(text);
  if (parsed.error !== undefined) throw new Error(parsed.error);
  return parsed.value;
}

// biome-ignore format: a table
test.each([
  ["1.2.3.4", "1.2.3.4"], ["255.255.255.255", "255.255.255.255"], ["::", "::"], ["::1", "::1"], ["1::", "1::"],
  ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"], ["1:0:0:2:0:0:0:3", "1:0:0:2::3"], ["1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0"],
  ["::ffff:1.2.3.4", "::ffff:1.2.3.4"], ["::1.2.3.4", "::102:304"], ["fe80::1%eth0", "fe80::1%eth0"],
])("%s prints as %s", (text, printed) => {
  expect(netip.formatAddr(addr(text))).toBe(printed);
});

// biome-ignore format: a table
test.each([
  ["", "unable to parse IP"],
  ["abc", "unable to parse IP"],
  ["%eth0", "missing IPv6 address"],
  ["1.2.3", "IPv4 address too short"],
  ["1.2.3.4.5", "IPv4 address too long"],
  ["1.2.3.256", "IPv4 field has value >255"],
  ["1.2.3.04", "IPv4 field has octet with leading zero"],
  ["1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'],
  ["1.2.3.", 'IPv4 field must have at least one digit (at ".")'],
  ["1.2.3.x", 'unexpected character (at "x")'],
  ["1:2", "address string too short"],
  ["::1::", 'multiple :: in address (at ":")'],
  ["12345::", 'each group must have 4 or less digits (at "12345::")'],
  [":1", 'each colon-separated field must have at least one digit (at ":1")'],
  ["1:", 'colon must be followed by more characters (at ":")'],
  ["1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'],
  ["1:2:3:4::5:6:7:8", "the :: must expand to at least one field of zeros"],
  ["::1x", 'unexpected character, want colon (at "x")'],
  ["1:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  ["fe80::1%", "zone must be a non-empty string"],
])("%s is an error", (text, problem) => {
  expect(netip.parseAddr(text)).toEqual({ error: `ParseAddr("${text}"): ${problem}` });
});

// biome-ignore format: a table
test.each([
  { text: "127.0.0.1",         is: ["isLoopback"] },
  { text: "::1",               is: ["isLoopback"] },
  { text: "::ffff:127.0.0.1",  is: ["is4In6", "isLoopback"] },
  { text: "169.254.1.1",       is: ["isLinkLocalUnicast"] },
  { text: "fe80::1",           is: ["isLinkLocalUnicast"] },
  { text: "224.0.0.1",         is: ["isMulticast", "isLinkLocalMulticast"] },
  { text: "ff02::1",           is: ["isMulticast", "isLinkLocalMulticast"] },
  { text: "ff01::1",           is: ["isMulticast", "isInterfaceLocalMulticast"] },
  { text: "10.0.0.1",          is: ["isGlobalUnicast", "isPrivate"] },
  { text: "172.31.0.1",        is: ["isGlobalUnicast", "isPrivate"] },
  { text: "fc00::1",           is: ["isGlobalUnicast", "isPrivate"] },
  { text: "8.8.8.8",           is: ["isGlobalUnicast"] },
  { text: "255.255.255.255",   is: [] },
  { text: "0.0.0.0",           is: ["isUnspecified"] },
  { text: "::",                is: ["isUnspecified"] },
  { text: "::ffff:0.0.0.0",    is: ["is4In6"] },
  { text: "::%eth0",           is: ["isGlobalUnicast"] },
])("$text is $is", ({ text, is }) => {
  const { isLoopback, isLinkLocalUnicast, isLinkLocalMulticast, isInterfaceLocalMulticast, isGlobalUnicast } = netip;
  const { is4In6, isMulticast, isUnspecified, isPrivate } = netip;
  const tests = {
    is4In6, isLoopback, isLinkLocalUnicast, isMulticast, isLinkLocalMulticast, isInterfaceLocalMulticast, isGlobalUnicast,
    isPrivate, isUnspecified,
  };
  expect(Object.entries(tests).filter(([, holds]) => holds(addr(text))).map(([name]) => name)).toEqual(is);
});

test("addresses order by family, value and zone", () => {
  expect(netip.compareAddr(addr("9.9.9.9"), addr("::"))).toBe(-1);
  expect(netip.compareAddr(addr("10.0.0.2"), addr("10.0.0.1"))).toBe(1);
  expect(netip.compareAddr(addr("::1%a"), addr("::1%b"))).toBe(-1);
  expect(netip.equalAddr(addr("::1"), addr("0:0::1"))).toBe(true);
  expect(netip.formatAddr(netip.unmap(addr("::ffff:1.2.3.4%x")))).toBe("1.2.3.4");
  expect(netip.is4(addr("1.2.3.4")) && netip.is6(addr("::ffff:1.2.3.4"))).toBe(true);
});

// biome-ignore format: a table
test.each([
  ["10.1.2.3/8", "10.0.0.0/8"], ["::ffff:1.2.3.4/96", "::ffff:0.0.0.0/96"], ["2001:db8::1/32", "2001:db8::/32"],
  ["1.2.3.4/32", "1.2.3.4/32"], ["1.2.3.4/0", "0.0.0.0/0"],
])("%s masks to %s", (text, maskedText) => {
  expect(netip.formatPrefix(prefix(text))).toBe(text);
  expect(netip.formatPrefix(netip.masked(prefix(text)))).toBe(maskedText);
});

// biome-ignore format: a table
test.each([
  ["1.2.3.4", "no '/'"], ["x/8", 'ParseAddr("x"): unable to parse IP'], ["1.2.3.4/33", "prefix length out of range"],
  ["1.2.3.4/08", 'bad bits after slash: "08"'], ["1.2.3.4/+8", 'bad bits after slash: "+8"'], ["1.2.3.4/", 'bad bits after slash: ""'],
  ["fe80::1%a/64", "IPv6 zones cannot be present in a prefix"],
])("%s is an error", (text, problem) => {
  expect(netip.parsePrefix(text)).toEqual({ error: `netip.ParsePrefix("${text}"): ${problem}` });
});

test("a prefix does not contain addresses of the other family", () => {
  const ten = prefix("10.0.0.0/8");
  expect(netip.prefixContains(ten, addr("10.255.0.1"))).toBe(true);
  expect(netip.prefixContains(ten, addr("11.0.0.1"))).toBe(false);
  expect(netip.prefixContains(ten, addr("::ffff:10.0.0.1"))).toBe(false);
  expect(netip.prefixContains(prefix("::/0"), addr("fe80::1%eth0"))).toBe(false);
  expect(netip.prefixContainsPrefix(ten, prefix("10.1.0.0/16"))).toBe(true);
  expect(netip.prefixContainsPrefix(prefix("10.1.0.0/16"), ten)).toBe(false);
  expect(netip.prefixOverlaps(prefix("10.1.0.0/16"), ten)).toBe(true);
  expect(netip.equalPrefix(ten, prefix("10.0.0.0/8"))).toBe(true);
  expect(netip.prefixFrom(addr("1.2.3.4"), 33)).toBeUndefined();
});
