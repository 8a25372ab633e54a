import type { Json, JsonObject, ModelMessage, ToolSpec } from "@cogency/protocol";
import { canonicalJson } from "@cogency/tools/host";
import type { RecordedRequest } from "./recorded-request.ts";

/**
 * Says in which part a request differs first from the recorded one, with both texts from the first character that differs; undefined if
 * it does not.
 */
export function requestDifference(recorded: RecordedRequest, made: RecordedRequest): string | undefined {
  return driverDifference(recorded, made) ?? contentDifference(recorded, made);
}

function driverDifference(recorded: RecordedRequest, made: RecordedRequest): string | undefined {
  const { driver } = recorded;
  if (driver === undefined || made.driver === undefined || driver === made.driver) return undefined;
  return `its driver: the recorded request is one of the driver ${driver}, this one is of the driver ${made.driver}.`;
}

function contentDifference(recorded: RecordedRequest, made: RecordedRequest): string | undefined {
  return (
    (recorded.tools && toolsDifference(recorded.tools, made.tools ?? [])) ??
    (recorded.system === undefined ? undefined : systemDifference(recorded.system, made.system ?? "")) ??
    (recorded.messages && messagesDifference(recorded.messages, made.messages ?? [])) ??
    (recorded.settings && settingsDifference(recorded.settings, made.settings ?? {}))
  );
}

function toolsDifference(recorded: readonly ToolSpec[], made: readonly ToolSpec[]): string | undefined {
  const names = (tools: readonly ToolSpec[]) => tools.map(({ name }) => name);
  const gone = names(recorded).filter((name) => !names(made).includes(name));
  const fresh = names(made).filter((name) => !names(recorded).includes(name));
  if (gone.length > 0 || fresh.length > 0) {
    const parts = [
      ...(gone.length > 0 ? [`it no longer has ${gone.join(", ")}`] : []),
      ...(fresh.length > 0 ? [`it has ${fresh.join(", ")}, which the recorded one has not`] : []),
    ];
    return `its tools: ${parts.join("; ")}.`;
  }
  if (names(recorded).join() !== names(made).join()) {
    return `the order of its tools: recorded ${names(recorded).join(", ")}; now ${names(made).join(", ")}.`;
  }
  for (const [index, tool] of recorded.entries()) {
    const other = made[index] as ToolSpec;
    if (tool.description !== other.description) {
      return `the description of the tool ${tool.name}:${both(tool.description, other.description)}`;
    }
    const parameters = [tool, other].map((one) => canonicalJson(one.parameters as JsonObject)) as [string, string];
    if (parameters[0] !== parameters[1]) return `the parameters of the tool ${tool.name}:${both(...parameters)}`;
  }
  return undefined;
}

function systemDifference(recorded: string, made: string): string | undefined {
  if (recorded === made) return undefined;
  const lines = recorded.split("\n");
  const others = made.split("\n");
  const at = lines.findIndex((line, index) => line !== others[index]);
  const place = at === -1 ? lines.length : at;
  const before = lines.slice(0, place + 1);
  const heading = before.findLast((line) => line.startsWith("## "));
  const tool = /^- ([A-Za-z_][\w-]*): /.exec(before.findLast((line) => line.startsWith("- ")) ?? "")?.[1];
  const isTool = heading === "## Tools" && tool !== undefined;
  const where = isTool ? ` where it describes the tool ${tool}` : heading ? ` under "${heading}"` : "";
  return `its system prompt, line ${place + 1}${where}:${both(lines[place], others[place])}`;
}

function messagesDifference(recorded: readonly ModelMessage[], made: readonly ModelMessage[]): string | undefined {
  for (const [index, message] of recorded.entries()) {
    const other = made[index];
    if (JSON.stringify(message) === JSON.stringify(other)) continue;
    const texts = [message, other].map((one) => (one === undefined ? undefined : textOf(one)));
    return `message ${index + 1} of ${recorded.length} (role ${message.role}):${both(texts[0], texts[1])}`;
  }
  if (made.length === recorded.length) return undefined;
  const extra = made[recorded.length] as ModelMessage;
  return `the number of its messages: ${recorded.length} recorded, ${made.length} now. The first new one:\n  ${clipped(textOf(extra), 0)}`;
}

function textOf(message: ModelMessage): string {
  const onlyText = message.role !== "tool" && Object.keys(message).length === 2 && typeof message.content === "string";
  return onlyText ? (message.content as string) : JSON.stringify(message);
}

/** Values of these words are credentials, which no log keeps. */
const leftOut = "[left out]";

function settingsDifference(recorded: JsonObject, made: JsonObject): string | undefined {
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(made)])) {
    if (recorded[name] === leftOut) continue;
    const texts = [recorded[name], made[name]].map((value) => (value === undefined ? undefined : text(value)));
    if (texts[0] !== texts[1]) return `its setting ${name}:${both(texts[0], texts[1])}`;
  }
  return undefined;
}

function text(value: Json): string {
  return canonicalJson(value).replaceAll(/"\[left out\]"/g, '"…"');
}

/** Both texts around their first difference. */
function both(recorded: string | undefined, made: string | undefined): string {
  const one = recorded ?? "";
  const other = made ?? "";
  const first = [...one].findIndex((_, index) => one[index] !== other[index]);
  const from = Math.max(0, (first === -1 ? Math.min(one.length, other.length) : first) - 40);
  const shown = (value: string | undefined) => (value === undefined ? "(nothing)" : clipped(value, from));
  return `\n  recorded: ${shown(recorded)}\n  now:      ${shown(made)}`;
}

/** One line, with its control characters escaped. */
function clipped(value: string, from: number): string {
  const piece = value.slice(from, from + 200);
  const line = JSON.stringify(piece).slice(1, -1);
  return `${from > 0 ? "…" : ""}${line}${value.length > from + 200 ? "…" : ""}`;
}
