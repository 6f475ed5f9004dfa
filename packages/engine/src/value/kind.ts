/** A version of an API group; the core group is "". */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** The kind of an object. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** A resource, as URLs and the rules of policies name it. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}
