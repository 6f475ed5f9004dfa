/** Refusals, in upstream's words. */
import { quote } from "@portcullis/gostd/quote";
import type { Attributes } from "./authorize.ts";

export function cannot(attributes: Attributes): string {
  const { user, verb, isResource, path, group, namespace } = attributes;
  const who = `User ${quote(user.name)} cannot ${verb}`;
  if (!isResource) return `${who} path ${quote(path)}`;
  const resource = [attributes.resource, attributes.subresource].filter((part) => part !== "").join("/");
  const what = `${who} resource ${quote(resource)} in API group ${quote(group)}`;
  return namespace === "" ? `${what} at the cluster scope` : `${what} in the namespace ${quote(namespace)}`;
}
