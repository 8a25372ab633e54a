export type { Failure } from "./failure/failure-of.ts";
export { failureOf, ownFailures, providerFailures } from "./failure/failure-of.ts";
