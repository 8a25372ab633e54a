/** What a server takes as the JSON Schema of an answer, and of the parameters of a tool. */
export interface SchemaRules {
  /**
   * Whether the server takes a keyword that narrows a value, such as `minimum`, with this value. Others are left out and said in
   * `description`: the server does not hold the model to them, the check of the answer does.
   *
   * @param isStrict the server holds the model to the schema
   */
  takes(keyword: string, value: unknown, isStrict: boolean): boolean;
  /** Strict: every key must be required. A key that may be left out is sent as required, and may be null. */
  readonly requiresAllKeys: boolean;
  /** Strict: objects may hold keys that are not declared. */
  readonly takesMaps: boolean;
  /** Strict: `prefixItems`. Otherwise the places of a list are said in `description`, and each item is one of them. */
  readonly takesTuples: boolean;
  /** Strict: where a schema may refer to itself. `optional` is only within a key that may be left out. */
  readonly recursion: "everywhere" | "optional" | "nowhere";
  readonly limits: SchemaLimits;
}

/** The largest schema to which a server holds the model. Each is unlimited if absent. */
export interface SchemaLimits {
  /** Keys of all objects together. */
  readonly keys?: number;
  /** Objects and lists inside each other. */
  readonly depth?: number;
  /** Values of all enums together. */
  readonly enumValues?: number;
  /** Characters of the values of one enum of more than 250 values. */
  readonly enumText?: number;
  /** Characters of all keys, names of definitions, and values of enums and constants together. */
  readonly text?: number;
  /** Keys that may be left out, of all objects together. */
  readonly optionalKeys?: number;
  /** Keys whose value is one of several schemas. */
  readonly unions?: number;
}
