/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export type JsonObject = { [key: string]: Json };

/** A JSON Schema as data. Its vocabulary is not checked here. */
export type JsonSchema = { readonly [keyword: string]: unknown };
