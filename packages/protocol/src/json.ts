/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export type JsonObject = { [key: string]: Json };

/** A JSON Schema as data. This package does not check its vocabulary. */
export type JsonSchema = { readonly [keyword: string]: unknown };
