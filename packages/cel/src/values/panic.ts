/**
 * A panic of upstream's code that its evaluator recovers: the evaluation ends with `internal error: ‹message›`, and
 * nothing in the expression can absorb it. Functions, views and costs throw it; only `Program` catches it.
 */
export class Panic extends Error {}
