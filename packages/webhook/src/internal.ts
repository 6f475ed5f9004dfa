/** For the other packages of this repository; may change in any release. */
export { refreshed } from "./cluster/access.ts";
export { decodeReview, encodeVerdict, evaluateReview } from "./review.ts";
