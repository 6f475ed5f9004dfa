/**
 * A crash of upstream's code that its evaluator catches: the evaluation ends at once with `internal error: ‹message›`,
 * and nothing in the expression can absorb it. Functions, views and prices throw it; `Program` alone catches it.
 */
export class Panic extends Error {}
