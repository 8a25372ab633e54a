import type { Json, JsonObject } from "@cogency/protocol";
import { commandsEnded } from "@cogency/toolbox/shell";
import { createExecutor, createRegistry, toToolResult } from "@cogency/tools";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { redacted } from "../../base/errors/redacted.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { visible } from "../../base/terminal/text.ts";
import { resultLine } from "../../person/show/call-lines.ts";
import { textOf } from "../../person/show/transcript.ts";
import { readArguments } from "../read-arguments.ts";
import { type ToolsOptions, toolNamed, withTools } from "./with-tools.ts";

export interface CallOptions extends ToolsOptions {
  json?: true;
}

/**
 * `cogency tools call`: runs one call. The person who types it has agreed to it, so it asks nothing. The result is on stdout, and on
 * stderr what a program prints meanwhile and, after `✗`, why a call failed.
 *
 * @returns the exit code: 1 if the call fails
 * @throws UsageError for an unknown tool or arguments that are no JSON object
 */
export async function callTool(
  name: string,
  argument: string,
  options: CallOptions,
  cancellation: Cancellation,
): Promise<number> {
  const code = await withTools(options, name === "recall", async (tools) => {
    const tool = toolNamed(name, tools);
    const args = await readArguments(argument);
    return cancellation.during((signal) => ran(tool, args, options, signal));
  });
  await commandsEnded();
  return code;

  async function ran(
    tool: ReturnType<typeof toolNamed>,
    args: JsonObject,
    { json }: CallOptions,
    signal: AbortSignal,
  ): Promise<number> {
    const executor = createExecutor({
      registry: createRegistry([tool]),
      approval: { policy: () => "allow_anyway" },
      maxResultBytes: Number.POSITIVE_INFINITY,
      observer: (event) => {
        if (event.type !== "progress" || json) return;
        const { update } = event;
        const text = typeof update === "object" && update !== null && !Array.isArray(update) ? update.text : undefined;
        if (typeof text === "string") process.stderr.write(visible(text));
      },
    });
    const [execution] = await executor.run([{ name: tool.name, args }], { conversation: "tools call", signal });
    if (!execution) throw new Error("One call gives one execution.");
    const result = toToolResult(execution);
    if (json) await putLine(result);
    // What a program printed stands on stderr already.
    else if (result.status === "failure") process.stderr.write(`${redacted(resultLine(result, process.stderr))}\n`);
    else await put(`${visible(textIn(result.content)).trimEnd()}\n`);
    if (cancellation.exitCode !== exitCodes.done) return cancellation.exitCode;
    return result.status === "success" ? exitCodes.done : exitCodes.unexpected;
  }
}

/** The text of a result, else the JSON of all of it. */
function textIn(content: Json): string {
  return textOf(content) || JSON.stringify(content, undefined, 2);
}
