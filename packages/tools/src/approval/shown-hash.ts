import type { Json } from "@cogency/protocol";
import type { Concern } from "./approval.ts";
import { canonicalJson, sha256 } from "./canonical-json.ts";
import type { JudgedCall } from "./concerns.ts";
import { definitionHash } from "./definition-hash.ts";

/**
 * SHA-256 of what a question shows beside the call: its resources, its concerns, the scope of the conversation, and the
 * description of its tool, which says for instance whether a sandbox is on; of a tool that somebody else has defined, its whole
 * definition. An approval holds only for the same hash.
 * Undefined if it cannot be computed: then no approval holds.
 */
export async function shownHash(
  { tool, claim }: Pick<JudgedCall, "tool" | "claim">,
  concerns: readonly Concern[],
  scope: string | undefined,
): Promise<string | undefined> {
  const { description, parameters } = tool.spec;
  const { annotations, definedBy } = tool;
  try {
    const said = definedBy === undefined ? { description, parameters, annotations } : await definitionHash(tool);
    const shown: unknown = {
      touches: claim.keys.toSorted(),
      concerns: concerns.map(({ kind, why }) => ({ kind, why })),
      scope,
      tool: said,
    };
    // Members that are undefined, as annotations may be, are left out.
    return await sha256(canonicalJson(JSON.parse(JSON.stringify(shown)) as Json));
  } catch {
    return undefined;
  }
}
