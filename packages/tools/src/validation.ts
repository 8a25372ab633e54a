import type { JsonObject } from "@cogency/protocol";

/** Outcome of checking arguments against a tool's schema. */
export type Validation =
  | {
      ok: true;
      args: unknown;
      /** The arguments without the keys that were left out; absent where none were. */
      stripped?: JsonObject;
    }
  | { ok: false; issues: readonly Issue[] };

export interface Issue {
  /** Where, as a path such as `items[2].name`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}
