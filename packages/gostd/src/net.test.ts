import { expect, test } from "vitest";
import { formatIp, parseCidr, parseIp, parseMac } from "./net.ts";
import { formatPrefix } from "./netip.ts";

// biome-ignore format: a table
test.each([
  ["1.2.3.4", "1.2.3.4"], ["::ffff:1.2.3.4", "1.2.3.4"], ["::1", "::1"], ["fe80::1%eth0", undefined], ["1.2.3.04", undefined], ["", undefined],
])("ParseIP(%s)", (text, printed) => {
  const ip = parseIp(text);
  expect(ip === undefined ? undefined : formatIp(ip)).toBe(printed);
});

// biome-ignore format: a table
test.each([
  ["10.1.2.3/8", "10.0.0.0/8"], ["10.1.2.3/008", "10.0.0.0/8"], ["2001:db8::1/32", "2001:db8::/32"], ["1.2.3.4", undefined],
  ["1.2.3.4/33", undefined], ["1.2.3.4/8/8", undefined], ["1.2.3.4/-1", undefined], ["fe80::1%a/64", undefined],
])("ParseCIDR(%s)", (text, network) => {
  const parsed = parseCidr(text);
  expect(parsed.error).toBe(network === undefined ? `invalid CIDR address: ${text}` : undefined);
  expect(parsed.value && formatPrefix(parsed.value.network)).toBe(network);
});

test.each(["00:00:5e:00:53:01", "02-00-5e-10-00-00-00-01", "0000.5E00.5301", "00005e005301", `${"00:".repeat(19)}01`])(
  "ParseMAC takes %s",
  (text) => {
    expect(parseMac(text).error).toBeUndefined();
    expect(parseMac(text).value?.at(-1)).toBe(1);
  },
);

test.each(["x", "00:00:5e:00:53", "00:00-5e:00:53:01", "00:00:5e:00:53:0g", "0000.5e00:5301", "0:0:5e:0:53:1"])(
  "ParseMAC refuses %s",
  (text) => {
    expect(parseMac(text)).toEqual({ error: `address ${text}: invalid MAC address` });
  },
);
