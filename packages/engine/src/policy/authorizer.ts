/** Authorizers as policies use them: each question is asked once a request. */
import { quote } from "@portcullis/gostd/quote";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "../kubecel/library/authz.ts";

/** Answers a question that was asked before with the same answer. Groups and extras count in any order. */
export function cachingAuthorizer(authorizer: Authorizer): Authorizer {
  const answers = new Map<string, AuthorizationDecision>();
  return {
    authorize(attributes) {
      const key = questionKey(attributes);
      let answer = answers.get(key);
      if (answer === undefined) {
        answer = authorizer.authorize(attributes);
        answers.set(key, answer);
      }
      return answer;
    },
  };
}

/** Equal for equal questions. */
export function questionKey({ user, ...question }: AuthorizationAttributes): string {
  const extra = [...user.extra].map(([key, values]) => `${quote(key)}:${quoteAll(values)}`);
  const asked = Object.entries(question).map(([key, value]) => `${key}=${quote(String(value))}`);
  return [quote(user.name), quote(user.uid), quoteAll(user.groups), extra.sort(), asked.sort()].join(" ");
}

function quoteAll(texts: readonly string[]): string {
  return [...texts].sort().map(quote).join(",");
}

export type AsyncAuthorizer = (attributes: AuthorizationAttributes) => Promise<AuthorizationDecision>;

/** More rounds than any policy can need: each answers at least one question, and expressions may ask two at most. */
const MAX_ROUNDS = 100;

/**
 * Runs something that asks an authorizer and has no side effects, until every question it asks has been answered.
 * Unanswered questions count as no opinion meanwhile, so what the last round returns is the result.
 */
export async function withAsyncAuthorizer<T>(ask: AsyncAuthorizer, run: (authorizer: Authorizer) => T): Promise<T> {
  const answers = new Map<string, AuthorizationDecision>();
  for (let round = 0; ; round++) {
    const open = new Map<string, AuthorizationAttributes>();
    const result = run({
      authorize(attributes) {
        const key = questionKey(attributes);
        const known = answers.get(key);
        if (known === undefined) open.set(key, attributes);
        return known ?? { decision: "noOpinion", reason: "", error: undefined };
      },
    });
    if (open.size === 0 || round === MAX_ROUNDS) return result;
    await Promise.all([...open].map(async ([key, attributes]) => answers.set(key, await ask(attributes))));
  }
}
