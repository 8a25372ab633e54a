import { isPromise } from "@cogency/async";
import { describeError } from "../describe-error.ts";
import type { Content, Tool } from "../tool.ts";

// What a tool says about a call with these (validated) arguments. If the tool throws, the worst case counts.

/** The content that the result of the call brings into the conversation. Never throws. */
export function contentBrought(tool: Tool, args: unknown): readonly Content[] {
  if (!tool.brings) return tool.annotations.openWorldHint === true ? [{ holds: "untrusted", source: tool.name }] : none;
  try {
    const brought: unknown = tool.brings(args);
    if (Array.isArray(brought) && brought.every(isContent)) {
      return brought.map(({ holds, source }) => ({ holds, source }));
    }
    forget(brought);
  } catch {}
  return [
    { holds: "untrusted", source: tool.name },
    { holds: "private", source: tool.name },
  ];
}

/** The cautions of the tool about the call, a sentence each. Neither throws nor rejects. */
export function cautionsAbout(tool: Tool, args: unknown): readonly string[] | Promise<readonly string[]> {
  if (!tool.cautions) return none;
  const unknown = (error: unknown) => [`${tool.name} could not say whether this call needs care${reasonOf(error)}.`];
  try {
    const cautions: unknown = tool.cautions(args);
    if (isPromise(cautions)) return cautions.then((given) => sentences(tool, given)).catch(unknown);
    return sentences(tool, cautions);
  } catch (error) {
    return unknown(error);
  }
}

/** Whether the call reaches beyond this machine. `failure` says why the tool could not answer. Never throws. */
export function reachOf(tool: Tool, args: unknown): { reachesOut: boolean; failure?: string } {
  if (!tool.reachesOut) return { reachesOut: tool.annotations.openWorldHint === true };
  try {
    const answer: unknown = tool.reachesOut(args);
    if (typeof answer === "boolean") return { reachesOut: answer };
    forget(answer);
    return { reachesOut: true, failure: `${tool.name} could not say whether this call reaches outside` };
  } catch (error) {
    const failure = `${tool.name} could not say whether this call reaches outside${reasonOf(error)}`;
    return { reachesOut: true, failure };
  }
}

/** @throws TypeError for anything but a list of texts */
function sentences(tool: Tool, cautions: unknown): readonly string[] {
  if (cautions === undefined) return none;
  if (!Array.isArray(cautions) || !cautions.every((caution) => typeof caution === "string")) {
    throw new TypeError("its cautions are no list of texts");
  }
  return cautions.map((caution) => caution.trim() || `${tool.name} advises to ask about this call.`);
}

function isContent(value: unknown): value is Content {
  if (typeof value !== "object" || value === null) return false;
  const { holds, source } = value as Partial<Record<keyof Content, unknown>>;
  return (holds === "untrusted" || holds === "private") && typeof source === "string";
}

function reasonOf(error: unknown): string {
  const text = describeError(error);
  return text ? ` (${text})` : "";
}

/** Handles the rejection of a promise that a tool returned where none is allowed. */
function forget(value: unknown): void {
  Promise.resolve(value).catch(() => {});
}

const none: readonly never[] = [];
