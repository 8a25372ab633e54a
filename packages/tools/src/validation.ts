/** The result of checking arguments against a tool's schema. */
export type Validation = { ok: true; args: unknown } | { ok: false; issues: readonly Issue[] };

export interface Issue {
  /** The path of the value, such as `items[2].name`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}
