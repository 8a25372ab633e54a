import { isDeepStrictEqual } from "node:util";
import { dataOf, isObjectText } from "./check-completion.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * What is wrong with the body of a streamed response: what the clients of OpenAI and of the AI SDK check, and what they miss, such as wrong
 * sequence numbers, ids that change, items that never end, and an output that is not what the events have made.
 */
export function problemsOfResponse(body: string): string[] {
  const datas = dataOf(body);
  if (datas.includes("[DONE]")) return ["[DONE] is no event of this wire"];
  const events = datas.map((data) => JSON.parse(data) as Json);
  const names = body.split("\n").flatMap((line) => (line.startsWith("event: ") ? line.slice(7) : []));
  const problems: string[] = [];
  if (
    !isDeepStrictEqual(
      names,
      events.map(({ type }) => type),
    )
  )
    problems.push("the names of events are not their types");
  if (events.some(({ sequence_number: number }, at) => number !== at)) problems.push("the sequence numbers are wrong");
  return [...problems, ...problemsOfFrame(events), ...problemsOfItems(events)];
}

const ends = new Set(["response.completed", "response.incomplete", "response.failed"]);

function problemsOfFrame(events: readonly Json[]): string[] {
  const problems: string[] = [];
  const types = events.map(({ type }) => String(type));
  if (types[0] !== "response.created") problems.push("the first event is not response.created");
  if (types.filter((type) => type === "response.created").length > 1) problems.push("response.created comes twice");
  if (!ends.has(types.at(-1) ?? "")) problems.push("the last event ends no response");
  if (types.filter((type) => ends.has(type)).length > 1) problems.push("the response ends twice");
  const responses = events.flatMap(({ response }) => (response ? [response as Json] : []));
  if (new Set(responses.map(({ id }) => id)).size > 1) problems.push("the id of the response changes");
  const last = responses.at(-1);
  const status = types.at(-1)?.slice("response.".length);
  const isCancelled = status === "incomplete" && last?.status === "cancelled";
  if (last?.status !== status && !isCancelled) problems.push("the status is not that of the last event");
  if ((last?.status === "failed") !== (last?.error !== null)) problems.push("the error does not fit the status");
  if ((last?.status === "incomplete") !== (last?.incomplete_details !== null))
    problems.push("the details do not fit the status");
  const usage = last?.usage as Readonly<Record<string, number>> | undefined | null;
  if (!usage || usage.total_tokens !== (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0))
    problems.push("the total of the usage is wrong");
  return problems;
}

function problemsOfItems(events: readonly Json[]): string[] {
  const problems: string[] = [];
  const added = events.filter(({ type }) => type === "response.output_item.added");
  const done = events.filter(({ type }) => type === "response.output_item.done");
  if (added.some(({ output_index: index }, at) => index !== at)) problems.push("the items are not counted");
  if (added.length !== done.length) problems.push("an item is not ended once");
  const output = done
    .toSorted((a, b) => Number(a.output_index) - Number(b.output_index))
    .map(({ item }) => item as Json);
  const last = (events.at(-1)?.response as Json | undefined)?.output;
  if (!isDeepStrictEqual(last, output)) problems.push("the output is not what the events have made");
  const ids = output.map(({ id }) => id);
  if (new Set(ids).size < ids.length) problems.push("two items have one id");
  for (const [index, item] of output.entries()) problems.push(...problemsOfItem(item, events, index));
  return problems;
}

/** The events of one item, in their order. */
const order: Readonly<Record<string, readonly string[]>> = {
  message: ["content_part.added", "output_text.delta*", "output_text.done", "content_part.done"],
  reasoning: [
    "reasoning_summary_part.added",
    "reasoning_summary_text.delta*",
    "reasoning_summary_text.done",
    "reasoning_summary_part.done",
  ],
  function_call: ["function_call_arguments.delta*", "function_call_arguments.done"],
  mcp_approval_request: [],
};

function problemsOfItem(item: Json, events: readonly Json[], index: number): string[] {
  const { id, type } = item;
  const wanted = order[String(type)];
  if (!wanted) return [`there is no item ${String(type)}`];
  const own = events.filter(({ item_id, output_index: at }) => item_id === id || at === index);
  const types = own.map((event) => String(event.type).slice("response.".length));
  const pattern = ["output_item.added", ...wanted, "output_item.done"]
    .map((name) => (name.endsWith("*") ? `(${name.slice(0, -1)} )*` : `${name} `))
    .join("");
  const problems: string[] = [];
  if (!new RegExp(`^${pattern}$`).test(`${types.join(" ")} `)) problems.push(`the events of an item are out of order`);
  if (own.some((event) => event.item_id !== undefined && event.item_id !== id))
    problems.push("the id of an item changes");
  const deltas = own.flatMap(({ delta }) => (typeof delta === "string" ? delta : []));
  const text = textOf(item);
  if (text !== undefined && deltas.join("") !== text) problems.push("the deltas are not the text");
  if (deltas.includes("")) problems.push("a delta is empty");
  if (type === "function_call" && !isObjectText(item.arguments)) problems.push("arguments are no JSON object");
  if (type === "function_call" && !/^[\w-]{1,40}$/.test(String(item.call_id)))
    problems.push("the id of a call is malformed");
  if (item.status === "in_progress") problems.push("an item is still in progress");
  return problems;
}

function textOf({ type, content, summary, arguments: args }: Json): string | undefined {
  if (type === "function_call") return String(args);
  const parts = (type === "message" ? content : summary) as readonly { text: string }[] | undefined;
  return parts?.map(({ text }) => text).join("");
}
