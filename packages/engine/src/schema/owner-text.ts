/** Owner references in messages. */
import { quote } from "@portcullis/gostd/quote";
import { GoJson, SOME_ADDRESS } from "../field/error.ts";
import type { JsonObject } from "../value/json.ts";
import { textOf } from "../value/read.ts";
import { since } from "../value/server-version.ts";
import { canonicalJson } from "../value/text.ts";

/** Owners are printed in the order of Go's struct. */
export function ownersText(owners: readonly JsonObject[]): GoJson {
  if (!since("1.34")) return new GoJson(`[]v1.OwnerReference{${owners.map(ownerText).join(", ")}}`);
  return new GoJson(`[${owners.map(ownerText).join(",")}]`);
}

export function ownerText(owner: JsonObject): string {
  if (!since("1.34")) return ownerGoText(owner);
  const texts = ["apiVersion", "kind", "name", "uid"].map((name) => `"${name}":${canonicalJson(textOf(owner[name]))}`);
  const flags = ["controller", "blockOwnerDeletion"].flatMap((name) =>
    typeof owner[name] === "boolean" ? `"${name}":${owner[name]}` : [],
  );
  return `{${[...texts, ...flags].join(",")}}`;
}

/** As Go's `%#v` prints an owner; a pointer is printed as an address, here always the same. */
function ownerGoText(owner: JsonObject): string {
  const fields = { APIVersion: "apiVersion", Kind: "kind", Name: "name", UID: "uid" };
  const flags = { Controller: "controller", BlockOwnerDeletion: "blockOwnerDeletion" };
  const texts = [
    ...Object.entries(fields).map(([shown, name]) => `${shown}:${quote(textOf(owner[name]))}`),
    ...Object.entries(flags).map(
      ([shown, name]) => `${shown}:(*bool)(${typeof owner[name] === "boolean" ? SOME_ADDRESS : "nil"})`,
    ),
  ];
  return `v1.OwnerReference{${texts.join(", ")}}`;
}
