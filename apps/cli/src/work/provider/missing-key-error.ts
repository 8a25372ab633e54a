import { UsageError } from "../../base/errors/usage-error.ts";

/** No server can be asked before a key is set; the message says which one, and how. */
export class MissingKeyError extends UsageError {}
