/**
 * The estimator's state before cel-go 0.23.
 *
 * It knew the path of a loop variable but no sizes of variables or entries: what is not literal, computed by a call or
 * a loop, or found by the hints is unknown. Names that loops do not bind count as variables of the environment.
 */
import type { Expr, IdentExpr } from "../ast/expr.ts";
import type { SizeEstimate } from "../types/cost.ts";
import { ONE_RANGE, UNKNOWN_SIZE } from "../types/range.ts";
import { optionalElement } from "./compare.ts";
import { appendPath, type CostPath, NO_PATH, pathOf } from "./cost-path.ts";
import { CostState, ExprNode, isScalar, literalSize, type SizedNode } from "./cost-state.ts";

export class EarlierCostState extends CostState {
  readonly #ranges = new Map<string, Expr[]>();

  override pathOf(expr: Expr): CostPath {
    return this.paths.get(expr.id) ?? NO_PATH;
  }

  override visitIdent(expr: IdentExpr): void {
    const range = this.#ranges.get(expr.name)?.at(-1);
    if (range === undefined) {
      this.setPath(expr, pathOf(expr.name));
      return;
    }
    const { kind } = this.typeOf(range);
    if (kind === "list") this.setPath(expr, appendPath(this.pathOf(range), "@items"));
    if (kind === "map") this.setPath(expr, appendPath(this.pathOf(range), "@keys"));
  }

  override nodeOf(expr: Expr): SizedNode {
    const size = this.#computedSize(expr);
    return new EarlierNode(expr, this.typeOf(expr), this.visiblePathOf(expr), size, this);
  }

  override sizeOf(expr: Expr): SizeEstimate | undefined {
    const known = this.#computedSize(expr);
    return known ?? this.sizeOfNode(new ExprNode(expr, this.typeOf(expr), this.visiblePathOf(expr), undefined));
  }

  sizeOfNode(node: ExprNode): SizeEstimate | undefined {
    return (
      this.hints.estimateSize(node) ??
      (optionalElement(node.type) === undefined && isScalar(node.type) ? ONE_RANGE : undefined)
    );
  }

  override setEntrySize(): void {}

  override pushLocal(): void {}

  override pushKey(name: string, range: Expr): void {
    this.pushSingle(name, range);
  }

  override pushValue(): void {}

  override pushSingle(name: string, range: Expr): void {
    const stack = this.#ranges.get(name);
    if (stack === undefined) this.#ranges.set(name, [range]);
    else stack.push(range);
  }

  override popLocal(): void {}

  override popLoop(name: string): void {
    this.#ranges.get(name)?.pop();
  }

  #computedSize(expr: Expr): SizeEstimate | undefined {
    return this.sizes.get(expr.id) ?? literalSize(expr);
  }
}

/** The hints are asked when the node is charged: until then its path may change. */
class EarlierNode extends ExprNode {
  readonly #state: EarlierCostState;

  constructor(...[expr, type, path, size, state]: [...ConstructorParameters<typeof ExprNode>, EarlierCostState]) {
    super(expr, type, path, size);
    this.#state = state;
  }

  override get size(): SizeEstimate {
    return this.computedSize ?? this.#state.sizeOfNode(this) ?? UNKNOWN_SIZE;
  }
}
