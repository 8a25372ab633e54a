import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { ModelReply } from "../harness.ts";
import type { ProviderCase } from "../provider-case.ts";
import { call, replyOf, text, toolRequest } from "../samples.ts";
import { eventsOf, type Subject } from "../subject.ts";

const awkwardArguments = JSON.stringify({
  topic: 'a "quoted" \\ path\n€ 𝄞 </execute>',
  deep: { list: [1, null, "]"] },
});

/** Native tool calls. */
export const toolCases: ProviderCase[] = [
  toolCase("a native tool call is told whole", replyOf([text("Let me see."), call("call_a", ['{"topic":"owls"}'])])),
  toolCase(
    "parallel tool calls are told in call order",
    replyOf([call("call_c", ['{"topic":', '"owls"}']), call("call_a", ['{"topic":"elks"}']), call("call_b", ["{}"])]),
  ),
  toolCase(
    "arguments that come character by character are put together",
    replyOf([call("call_a", [...awkwardArguments])]),
  ),
  toolCase("a tool call without arguments has the arguments {}", replyOf([call("call_a", [])])),
  {
    name: "ids of calls that are empty, too long, ill-formed or not unique are replaced",
    on: "wire",
    needs: ["tools"],
    async check(subject) {
      const ids = ["", "x".repeat(64), "a.b:c", "call_a", "call_a"];
      const reply = replyOf(ids.map((id, index) => call(id, [`{"topic":"t${index}"}`])));
      // The check of the grammar includes that ids are well formed and unique.
      const events = await eventsOf(subject, subject.saying(reply).stream(toolRequest), "the answer");
      const calls = events.filter((event) => event.type === "tool_call");
      assertEqual(
        calls.map((event) => JSON.parse(event.arguments)),
        ids.map((_, index) => ({ topic: `t${index}` })),
        "the arguments of the calls",
      );
    },
  },
];

function toolCase(name: string, reply: ModelReply): ProviderCase {
  return { name, on: "any", needs: ["reply", "tools"], check: (subject) => assertCalls(subject, reply) };
}

async function assertCalls(subject: Subject, reply: ModelReply): Promise<void> {
  const expected = reply.parts.flatMap((part) =>
    part.type === "call" ? [{ name: part.name, args: JSON.parse(part.pieces.join("") || "{}") }] : [],
  );
  const events = await eventsOf(subject, subject.saying(reply).stream(toolRequest), "the answer");
  const calls = events.filter((event) => event.type === "tool_call");
  // Not their ids, which the provider may choose.
  assertEqual(
    calls.map(({ name, arguments: json }) => ({ name, args: JSON.parse(json) })),
    expected,
    "the calls",
  );
  const last = events.at(-1);
  assertEqual(last?.type === "finish" && last.reason, "tool_calls", "the reason of `finish`");

  const deltas = events.filter((event) => event.type === "tool_call_delta");
  for (const [index, { arguments: whole, name, id }] of calls.entries()) {
    const own = deltas.filter((delta) => delta.index === index);
    const text = own.map((delta) => delta.arguments).join("");
    if (text !== "") assertEqual(text, whole, `the joined deltas of call ${index}`);
    const names = own.flatMap((delta) => delta.name ?? []).join("");
    if (names !== "") assertEqual(names, name, `the name in the deltas of call ${index}`);
    const ids = [...new Set(own.flatMap((delta) => delta.id ?? []))];
    if (ids.length > 0) assertEqual(ids, [id], `the ids in the deltas of call ${index}`);
  }
  assert(
    deltas.every(({ index }) => index >= 0 && index < calls.length),
    "Every `tool_call_delta` must have the index of a call, counted from 0.",
  );
}
