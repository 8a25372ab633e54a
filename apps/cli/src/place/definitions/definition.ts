import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { canonicalJson } from "@cogency/tools/host";

/** What a tool of a server says of itself. */
export interface Definition {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly annotations: JsonObject;
}

/** @throws TypeError if JSON cannot hold it */
export function definitionOf({ spec, annotations }: Tool): Definition {
  const { description, parameters } = spec;
  // Members that are undefined, as annotations may be, are left out.
  return JSON.parse(JSON.stringify({ description, parameters, annotations }));
}

export function isDefinition(value: unknown): value is Definition {
  if (typeof value !== "object" || value === null) return false;
  const { description, parameters, annotations } = value as Record<string, unknown>;
  return typeof description === "string" && [parameters, annotations].every((one) => typeof one === "object" && one);
}

const fingerprints = new WeakMap<Tool, string>();

/**
 * What `definitionHash` of `@cogency/tools` resolves with, at once: a rule is compared before a call runs, without waiting.
 *
 * @throws TypeError if JSON cannot hold the definition
 */
export function fingerprintOf(tool: Tool): string {
  const known = fingerprints.get(tool);
  if (known !== undefined) return known;
  const { definedBy, spec, annotations } = tool;
  const { name, description, parameters } = spec;
  const fingerprint = fingerprintOfDefinition({ definedBy, name }, { description, parameters, annotations });
  fingerprints.set(tool, fingerprint);
  return fingerprint;
}

/** The fingerprint of a tool that has such a definition. @throws TypeError if JSON cannot hold it */
export function fingerprintOfDefinition(
  { definedBy, name }: { readonly definedBy: string | undefined; readonly name: string },
  { description, parameters, annotations }: { [part in keyof Definition]: unknown },
): string {
  const text = JSON.stringify({ definedBy, name, description, parameters, annotations });
  return createHash("sha256")
    .update(canonicalJson(JSON.parse(text) as Json))
    .digest("hex");
}
