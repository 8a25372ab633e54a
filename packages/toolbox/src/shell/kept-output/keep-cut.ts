import type { ToolContext } from "@cogency/tools";
import type { KeptParts } from "@cogency/tools/host";
import type { Captured } from "../run/capture.ts";

/** Bytes of each stream that are kept where a host keeps them: the first half from its beginning, the rest from its end. */
export const keptBytes = 16 * 1024 * 1024;

/**
 * Keeps what the command printed, if its result shows only a part of it, and says in the place that is cut how to read it. What cannot be
 * kept is cut as it would be without a keeper: the command has run.
 */
export async function keepCut<End extends { stdout: Captured; stderr: Captured }>(
  end: End,
  parts: KeptParts | undefined,
  context: Pick<ToolContext, "call" | "conversation" | "user">,
): Promise<End> {
  if (parts === undefined) return end;
  const kept = async (part: "stdout" | "stderr"): Promise<Captured> => {
    const { text, omitted, cut } = end[part];
    if (cut === undefined) return { text, omitted };
    const { call, conversation, user } = context;
    try {
      await parts.keep({ conversation, user, id: call.id, part }, cut.whole);
    } catch {
      return { text, omitted };
    }
    const args = JSON.stringify({ id: call.id, part, from: cut.start.length });
    const mark = `[… ${omitted} bytes left out; ${part} is kept: read it on with read_result ${args}, or with "find" in it …]`;
    return { text: `${cut.start}\n${mark}\n${cut.end}`, omitted };
  };
  const [stdout, stderr] = await Promise.all([kept("stdout"), kept("stderr")]);
  return { ...end, stdout, stderr };
}
