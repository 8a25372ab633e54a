import type { Json } from "@cogency/protocol";
import type { Concern } from "./approval.ts";
import { canonicalJson, sha256 } from "./canonical-json.ts";
import type { JudgedCall } from "./concerns.ts";

/**
 * SHA-256 of what a question shows beside the call: its resources, its concerns, the scope of the conversation, and the
 * description of its tool, which says for instance whether a sandbox is on. An approval holds only for the same hash.
 * Undefined if it cannot be computed: then no approval holds.
 */
export async function shownHash(
  { tool, claim }: Pick<JudgedCall, "tool" | "claim">,
  concerns: readonly Concern[],
  scope: string | undefined,
): Promise<string | undefined> {
  const { description, parameters } = tool.spec;
  try {
    const shown: unknown = {
      touches: claim.keys.toSorted(),
      concerns: concerns.map(({ kind, why }) => ({ kind, why })),
      scope,
      tool: { description, parameters, annotations: tool.annotations },
    };
    // Members that are undefined, as annotations may be, are left out.
    return await sha256(canonicalJson(JSON.parse(JSON.stringify(shown)) as Json));
  } catch {
    return undefined;
  }
}
