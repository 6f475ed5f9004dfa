/** The Kubernetes version that the corpora were recorded with, unless their name says another one. */
export const RECORDED_VERSION = "1.36";
