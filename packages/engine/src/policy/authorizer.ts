/** Authorizers as policies use them: each question is asked once a request. */
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "../kubecel/library/authz.ts";

/** Where nobody can be asked: no opinion on anything. */
export const NO_AUTHORIZER: Authorizer = {
  authorize: () => ({ decision: "noOpinion", reason: "", error: undefined }),
};

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

export function questionKey({ user, ...question }: AuthorizationAttributes): string {
  const extra = [...user.extra].map(([key, values]) => [key, [...values].sort()] as const).sort(byFirst);
  const who = [user.name, user.uid, [...user.groups].sort(), extra];
  const what = Object.entries(question).sort(byFirst);
  return JSON.stringify([who, what]);
}

function byFirst(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  if (left[0] === right[0]) return 0;
  return left[0] < right[0] ? -1 : 1;
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
