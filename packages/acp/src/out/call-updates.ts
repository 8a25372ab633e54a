import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Json, JsonObject } from "@cogency/protocol";
import type { Change } from "@cogency/server/bridge";
import type { CallDescription } from "../acp-options.ts";
import { changedPieces } from "./changed-pieces.ts";
import { resultContent, shownText } from "./content-blocks.ts";
import { planUpdate } from "./plan-update.ts";

type Of<Type extends Change["type"]> = Extract<Change, { type: Type }>;

interface ShownCall {
  name: string;
  args: JsonObject | undefined;
  /** What stands above the result: the changes of files, and the terminals. */
  above: ToolCallContent[];
  /** The end of what the call has printed. */
  printed: string;
  status: "pending" | "in_progress";
  /** The editor has it. */
  isTold: boolean;
}

/** What an editor is told of calls. One of which it knows nothing yet is told whole. */
export class CallUpdates {
  readonly #describe: (name: string, args: JsonObject | undefined) => CallDescription;
  readonly #open = new Map<string, ShownCall>();

  constructor(describe: (name: string, args: JsonObject | undefined) => CallDescription) {
    this.#describe = describe;
  }

  /** The calls so far were not told: the editor has them from before, or not at all. */
  forgetTold(): void {
    for (const call of this.#open.values()) call.isTold = false;
  }

  /** A call as a question about it shows it. */
  shown(id: string): ToolCallUpdate {
    const call = this.#open.get(id);
    if (!call) return { toolCallId: id };
    const { title, kind, locations } = this.#describe(call.name, call.args);
    const { above: content, args: rawInput, status } = call;
    return {
      toolCallId: id,
      title,
      kind,
      status,
      locations: locationsOf(locations),
      content,
      ...(rawInput && { rawInput }),
    };
  }

  begin({ id, name }: Of<"call">): SessionUpdate[] {
    this.#open.set(id, { name, args: undefined, above: [], printed: "", status: "pending", isTold: false });
    return this.#tell(id, {});
  }

  ready({ id, name, args }: Of<"call_ready" | "call_changed">): SessionUpdate[] {
    const call = this.#open.get(id);
    if (!call) return [];
    Object.assign(call, { name, args });
    const { title, kind, locations, diffs } = this.#describe(name, args);
    call.above = diffs.map((diff) => ({ type: "diff", ...diff }));
    const content = call.above.length > 0 && { content: call.above };
    return this.#tell(id, { title, kind, locations: locationsOf(locations), rawInput: args, ...content });
  }

  started(id: string): SessionUpdate[] {
    const call = this.#open.get(id);
    if (!call || call.status === "in_progress") return [];
    call.status = "in_progress";
    return this.#tell(id, { status: "in_progress" });
  }

  progress({ id, update }: Of<"call_progress">): SessionUpdate[] {
    const call = this.#open.get(id);
    if (!call) return [];
    const { type, id: terminalId, text, file, diff } = fieldsOf(update);
    if (typeof file === "string" && typeof diff === "string") {
      call.above = this.#changed(call, file, diff);
      // A tool reports its changes at its end, all at once. The editor gets them with the result.
      return this.started(id);
    }
    if (type === "terminal" && typeof terminalId === "string")
      call.above = [...call.above, { type: "terminal", terminalId }];
    else if (typeof text === "string") call.printed = `${call.printed}${text}`.slice(-mostPrinted);
    else call.printed = JSON.stringify(update).slice(0, mostPrinted);
    const printed = call.printed === "" ? [] : [shownText(call.printed)];
    call.status = "in_progress";
    return this.#tell(id, { status: "in_progress", content: [...call.above, ...printed] });
  }

  end({ id, outcome, result }: Of<"call_end">): SessionUpdate[] {
    const call = this.#open.get(id);
    if (!call) return [];
    const isDone = outcome === "success";
    // A call that failed has changed nothing. A few changes of many would look like all of them. A terminal stays.
    const isWhole = isDone && filesIn(result?.content) <= pathsIn(call.above).size;
    const above = isWhole ? call.above : call.above.filter(({ type }) => type === "terminal");
    const said = result ? resultContent(result) : [shownText(outcome === "refused" ? refused : unknown)];
    const told = this.#tell(id, {
      status: isDone ? "completed" : "failed",
      content: [...above, ...said],
      ...(result && { rawOutput: result.content }),
    });
    this.#open.delete(id);
    const plan = isDone && planUpdate(call.name, call.args, result?.content);
    return plan ? [...told, plan] : told;
  }

  /** Puts what a call has changed in a file in the place of what its arguments announced for that file. */
  #changed({ name, above }: ShownCall, file: string, diff: string): ToolCallContent[] {
    const path = this.#describe(name, { file }).locations[0]?.path;
    const pieces = path === undefined ? undefined : changedPieces(path, diff);
    const isOfFile = (one: ToolCallContent) => one.type === "diff" && one.path === path;
    if (!pieces) return above.some(isOfFile) ? above : [...above, shownText(diff)];
    const shown = pieces.map((piece): ToolCallContent => ({ type: "diff", ...piece }));
    return [...above.filter((one) => !isOfFile(one)), ...shown];
  }

  #tell(id: string, fields: Omit<ToolCallUpdate, "toolCallId">): SessionUpdate[] {
    const call = this.#open.get(id);
    if (!call) return [];
    if (call.isTold) return [{ sessionUpdate: "tool_call_update", toolCallId: id, ...fields }];
    call.isTold = true;
    const { title, kind, ...shown } = this.shown(id);
    const whole = { title: title ?? call.name, ...(kind && { kind }), ...withoutEmpty(shown), ...withoutEmpty(fields) };
    return [{ sessionUpdate: "tool_call", ...whole, toolCallId: id, name: call.name } as SessionUpdate];
  }
}

function locationsOf(locations: CallDescription["locations"]): ToolCallLocation[] {
  return locations.map(({ path, line }) => ({ path, ...(line !== undefined && { line }) }));
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && !isEmptyList(value)),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function fieldsOf(update: Json): {
  readonly type?: Json;
  readonly id?: Json;
  readonly text?: Json;
  readonly file?: Json;
  readonly diff?: Json;
} {
  return typeof update === "object" && update !== null && !Array.isArray(update) ? (update as JsonObject) : {};
}

/** How many files a result lists that its call has changed, as that of `replace`; 0 if it does not say. */
function filesIn(content: Json | undefined): number {
  const files = typeof content === "object" && content !== null && !Array.isArray(content) ? content.files : undefined;
  return Array.isArray(files) ? files.length : 0;
}

function pathsIn(above: readonly ToolCallContent[]): Set<string> {
  return new Set(above.flatMap((one) => (one.type === "diff" ? [one.path] : [])));
}

const mostPrinted = 4000;
const refused = "The model wrote this call wrongly. It did not run.";
const unknown = "What came of this call is not known.";
