import { expect, test } from "vitest";
import { fromPlain } from "../../value/copy.ts";
import type { JsonObject } from "../../value/json.ts";
import { asVersion } from "../../value/server-version.ts";
import { internalDifference } from "../internal/difference.ts";
import { goDiff } from "./go-diff.ts";
import { type GoValue, intOf, stringOf, structOf } from "./go-value.ts";

function difference(type: string, before: object, after: object): string {
  const [old, now] = [before, after].map((plain) => fromPlain(plain as never) as JsonObject);
  return asVersion("1.32", () => internalDifference(type, old ?? {}, now ?? {}));
}

// Recorded from kube-apiserver v1.32.13.
const VOLUME = { accessModes: ["ReadWriteOnce"], storageClassName: "c", volumeMode: "Filesystem" };

test("an amount that changed is shown as Go keeps it", () => {
  const claim = (storage: string): object => ({ ...VOLUME, resources: { requests: { storage } } });
  expect(
    difference("core.PersistentVolumeClaimSpec", claim("1Gi"), claim("2Gi")),
  ).toBe(`  core.PersistentVolumeClaimSpec{
  	AccessModes: {"ReadWriteOnce"},
  	Selector:    nil,
  	Resources: core.VolumeResourceRequirements{
  		Limits: nil,
- 		Requests: core.ResourceList{
- 			s"storage": {i: resource.int64Amount{value: 1073741824}, s: "1Gi", Format: "BinarySI"},
- 		},
+ 		Requests: core.ResourceList{
+ 			s"storage": {i: resource.int64Amount{value: 2147483648}, s: "2Gi", Format: "BinarySI"},
+ 		},
  	},
  	VolumeName:       "",
  	StorageClassName: &"c",
  	... // 4 identical fields
  }
`);
});

test("what is the same around a change is cut short", () => {
  const volume = (volumeHandle: string): object => ({ csi: { driver: "d.example.com", volumeHandle } });
  expect(difference("core.PersistentVolumeSource", volume("h"), volume("other"))).toBe(`  core.PersistentVolumeSource{
  	... // 19 identical fields
  	Local:     nil,
  	StorageOS: nil,
  	CSI: &core.CSIPersistentVolumeSource{
  		Driver:       "d.example.com",
- 		VolumeHandle: "h",
+ 		VolumeHandle: "other",
  		ReadOnly:     false,
  		FSType:       "",
  		... // 6 identical fields
  	},
  }
`);
});

test("equal values have no difference", () => {
  expect(difference("core.PersistentVolumeSource", { nfs: { path: "/" } }, { nfs: { path: "/" } })).toBe("");
});

function list(...items: GoValue[]): GoValue {
  return { kind: "slice", type: `[]${items[0]?.type ?? "string"}`, items };
}

const strings = (...texts: string[]): GoValue => list(...texts.map((text) => stringOf(text)));
const box = (value: GoValue): GoValue => structOf("a.Box", { Value: value });

// Printed by go-cmp v0.6.0.
test.each([
  [
    "items of lists are matched",
    box(strings("a", "b", "c")),
    box(strings("b", "c", "d")),
    '  a.Box{\n  	Value: []string{\n- 		"a",\n  		"b",\n  		"c",\n+ 		"d",\n  	},\n  }\n',
  ],
  [
    "numbers are in one line",
    box(list(intOf("1"), intOf("2"))),
    box(list(intOf("3"))),
    "  a.Box{\n  	Value: []int32{\n- 		1, 2,\n+ 		3,\n  	},\n  }\n",
  ],
  [
    "long texts are cut into pieces",
    box(stringOf("registry.example.com/some/long/name:1")),
    box(stringOf("registry.example.com/some/long/name:2")),
    '  a.Box{\n  	Value: strings.Join({\n  		"registry.example.com/some/long/name:",\n- 		"1",\n+ 		"2",\n  	}, ""),\n  }\n',
  ],
  [
    "texts with many lines are compared by line",
    box(stringOf("first line\nsecond line\nthird line\nfourth line\nfifth line\n")),
    box(stringOf("first line\nsecond line\nTHIRD LINE\nfourth line\nfifth line\n")),
    '  a.Box{\n  	Value: (\n  		"""\n  		first line\n  		second line\n- 		third line\n+ 		THIRD LINE\n  		fourth line\n  		fifth line\n  		"""\n  	),\n  }\n',
  ],
])("%s", (_, before, after, text) => {
  expect(goDiff(before, after)).toBe(text);
});
