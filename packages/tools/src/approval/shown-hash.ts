import type { Json } from "@cogency/protocol";
import type { Concern } from "./approval.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { JudgedCall } from "./concerns.ts";
import { sha256 } from "./hash-arguments.ts";

/**
 * SHA-256 of what a question shows beside the call: what the call touches, what speaks against it, what the conversation
 * belongs to, and its tool as it describes itself, which tells a sandbox from none. An approval holds for no other one.
 * Undefined where it cannot be told: no approval counts then.
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
    // What is undefined, as annotations may be, says nothing.
    return await sha256(canonicalJson(JSON.parse(JSON.stringify(shown)) as Json));
  } catch {
    return undefined;
  }
}
