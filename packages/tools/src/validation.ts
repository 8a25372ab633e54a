import type { JsonObject } from "@cogency/protocol";

/** The result of checking arguments against a tool's schema. */
export type Validation =
  | {
      ok: true;
      args: unknown;
      /** The given arguments without unknown keys; absent if no key was removed. */
      stripped?: JsonObject;
    }
  | { ok: false; issues: readonly Issue[] };

export interface Issue {
  /** The path of the value, such as `items[2].name`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}
