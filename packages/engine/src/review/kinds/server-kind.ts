/**
 * Kinds that follow the rules of a server: its version and feature gates. Each of their functions runs by these rules.
 *
 * Kinds of the newest version are returned unchanged.
 */
import type { FieldManagerScope } from "../../apply/scope.ts";
import { typesOfServer } from "../../apply/types/typed.ts";
import type { JsonObject } from "../../value/json.ts";
import { boundToServer, isNewest, type ServerRules } from "../../value/server-version.ts";
import type { ResourceKind, Strategy, Subresource } from "../kind.ts";

export function kindOfServer(kind: ResourceKind, rules: ServerRules): ResourceKind {
  if (isNewest(rules)) return kind;
  const { passesCreate, prune, fieldScope } = kind;
  return {
    ...kind,
    rules,
    strategy: strategyOfServer(kind.strategy, rules),
    subresources: new Map([...kind.subresources].map(([name, each]) => [name, subresourceOfServer(each, rules)])),
    ...(passesCreate && { passesCreate: boundToServer(rules, passesCreate) }),
    ...(prune && { prune: boundToServer(rules, prune) }),
    ...(fieldScope && {
      fieldScope: boundToServer(rules, (name: string) => scopeOfServer(fieldScope(name), rules)),
    }),
  };
}

function strategyOfServer(strategy: Strategy, rules: ServerRules): Strategy {
  const { decodeTyped, staysSame, beginDelete, isFinished } = strategy;
  return {
    ...strategy,
    decode: boundToServer(rules, strategy.decode),
    create: boundToServer(rules, strategy.create),
    update: boundToServer(rules, strategy.update),
    assumeStored: boundToServer(rules, strategy.assumeStored),
    read: boundToServer(rules, strategy.read),
    write: boundToServer(rules, strategy.write),
    ...(decodeTyped && { decodeTyped: boundToServer(rules, decodeTyped) }),
    ...(staysSame && { staysSame: boundToServer(rules, staysSame) }),
    ...(beginDelete && { beginDelete: boundToServer(rules, beginDelete) }),
    ...(isFinished && { isFinished: boundToServer(rules, isFinished) }),
  };
}

function subresourceOfServer(subresource: Subresource, rules: ServerRules): Subresource {
  const { decodeTyped } = subresource;
  return {
    ...subresource,
    view: boundToServer(rules, subresource.view),
    decode: boundToServer(rules, subresource.decode),
    toParent: boundToServer(rules, subresource.toParent),
    update: boundToServer(rules, subresource.update),
    ...(decodeTyped && { decodeTyped: boundToServer(rules, decodeTyped) }),
  };
}

function scopeOfServer(scope: FieldManagerScope | undefined, rules: ServerRules): FieldManagerScope | undefined {
  if (scope === undefined) return undefined;
  const { types, complete } = scope;
  return {
    ...scope,
    serverVersion: rules.version,
    types: {
      ...typesOfServer(types, rules.version),
      typeOf: boundToServer(rules, (apiVersion: string, kind: string) => types.typeOf(apiVersion, kind)),
      convert: boundToServer(rules, (object: JsonObject, apiVersion: string) => types.convert(object, apiVersion)),
    },
    complete: boundToServer(rules, complete),
  };
}
