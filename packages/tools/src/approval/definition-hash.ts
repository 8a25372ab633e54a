import type { Json } from "@cogency/protocol";
import type { Tool } from "../tool.ts";
import { canonicalJson, sha256 } from "./canonical-json.ts";

/**
 * SHA-256 of what a tool says of itself, as 64 lower-case hexadecimal digits: who has defined it, and the name, the description, the
 * parameters and the annotations, as canonical JSON. An approval or a rule that is bound to it holds for this definition and no other.
 *
 * @throws TypeError if JSON cannot hold one of them
 */
export async function definitionHash(tool: Pick<Tool, "definedBy" | "spec" | "annotations">): Promise<string> {
  const { definedBy, annotations, spec } = tool;
  const { name, description, parameters } = spec;
  // Members that are undefined, as annotations may be, are left out.
  const text = JSON.stringify({ definedBy, name, description, parameters, annotations });
  return sha256(canonicalJson(JSON.parse(text) as Json));
}
