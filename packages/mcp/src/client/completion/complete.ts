import { McpError } from "../errors.ts";
import type { CompletionOf } from "../mcp.ts";
import { isPlain } from "../questions/quoted.ts";
import type { ServerLink } from "../server-link.ts";

/**
 * Proposals of a server for an argument of a prompt or a variable of a template: at most a hundred, each once, none with characters that
 * a screen does not show. Empty where the server has none, or does not answer as it should.
 *
 * @throws McpError for a server that is not there; TypeError for neither a prompt nor a template; the reason of the signal
 */
export async function complete(link: ServerLink, of: CompletionOf, signal: AbortSignal): Promise<readonly string[]> {
  const { prompt, template, argument, value, known = {} } = of;
  if ((prompt === undefined) === (template === undefined)) {
    throw new TypeError("complete: give `prompt` or `template`, one of them.");
  }
  const client = await link.connected(signal);
  if (!client.getServerCapabilities()?.completions) return [];
  const ref =
    prompt === undefined
      ? { type: "ref/resource" as const, uri: template ?? "" }
      : { type: "ref/prompt" as const, name: prompt };
  const context = Object.keys(known).length > 0 && { context: { arguments: { ...known } } };
  try {
    const { completion } = await client.complete(
      { ref, argument: { name: argument, value }, ...context },
      { signal, timeout: patience },
    );
    return [...new Set(completion.values)]
      .filter((proposal) => isProposal(proposal) && link.hide(proposal) === proposal)
      .slice(0, mostProposals);
  } catch (error) {
    signal.throwIfAborted();
    const problem = link.problem(error);
    if (problem instanceof McpError && gone.includes(problem.code)) throw problem;
    return [];
  }
}

/** Milliseconds: a person is typing. */
const patience = 5000;
const mostProposals = 100;
const gone: readonly string[] = ["closed", "unavailable", "login_needed"];

function isProposal(value: string): boolean {
  return value !== "" && value.length <= 1000 && isPlain(value);
}
