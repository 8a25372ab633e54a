import type { AssistantMessage, Json } from "@cogency/protocol";
import { assert, show } from "@cogency/protocol/testkit";
import type { ModelEvent, ModelRequest } from "../../provider.ts";
import { wellFormed } from "../../request/well-formed.ts";
import { isWellFormed } from "../hostile-requests.ts";
import type { ProviderCase } from "../provider-case.ts";
import { call, lookup, reasoning, replyOf, text, toolRequest } from "../samples.ts";
import { textOf } from "../stream-content.ts";
import { eventsOf, type WireSubject } from "../subject.ts";

const thoughtSignature = "U2lnbmF0dXJlT2ZUaGVUaG91Z2h0";
const callSignature = "U2lnbmF0dXJlT2ZUaGVDYWxs";

/** Blocks that a server wants back beside text and calls: `finish.native`, which comes back as `message.native`. */
export const nativeCases: ProviderCase[] = [
  {
    name: "native blocks of an answer are sent back to the model that gave them",
    on: "wire",
    needs: ["native"],
    async check(subject) {
      const { message, signatures } = await answerOf(subject);
      // As a store would return it.
      const stored = JSON.parse(JSON.stringify(message)) as AssistantMessage;
      const body = await bodyAfter(subject, stored);
      for (const signature of signatures) {
        assert(body.includes(signature), `The body must hold the content of \`message.native\`. It is ${body}`);
      }
    },
  },
  {
    name: "native blocks of an answer are sent back without half a character in its call",
    on: "wire",
    needs: ["native", "tools"],
    async check(subject) {
      // As a model writes a pattern of surrogates.
      const { message, signatures } = await answerOf(subject, '{"topic":"/[\\ud800-\\udbff]x/"}');
      // A store may keep half a character or replace it.
      for (const log of [message, wellFormed(message)]) {
        const body = await bodyAfter(subject, log);
        assert(isWellFormed(body), `No body may hold half a character. It is ${body}`);
        for (const signature of signatures) {
          assert(body.includes(signature), `The body must hold the content of \`message.native\`. It is ${body}`);
        }
      }
    },
  },
  {
    name: "native blocks of another provider or model are left out",
    on: "wire",
    needs: ["native"],
    async check(subject) {
      const { message, signatures } = await answerOf(subject);
      for (const other of [{ provider: "someone-else" }, { model: "another-model-7" }]) {
        const native = message.native && { ...message.native, ...other };
        const body = await bodyAfter(subject, { ...message, ...(native && { native }) });
        const sent = signatures.find((signature) => body.includes(signature));
        assert(
          sent === undefined,
          `Blocks of ${show(other)} are of no use to this provider and model, and must be left out. The body is ${body}`,
        );
        assert(
          body.includes("morning"),
          `The text of the message must be sent without its blocks. The body is ${body}`,
        );
      }
    },
  },
  {
    name: "a call that stands in native blocks only is not sent",
    on: "wire",
    needs: ["native", "tools"],
    async check(subject) {
      const { message } = await answerOf(subject);
      const { calls: _, ...uncalled } = message;
      const body = await bodyAfter(subject, uncalled);
      const isSent = body.includes("canary-topic");
      assert(
        !isSent,
        `A call that \`message.calls\` does not have has no result: the server would refuse it. The body is ${body}`,
      );
    },
  },
];

/** An answer in which everything is signed that may be, as the message that a log would hold. */
async function answerOf(
  subject: WireSubject,
  args = '{"topic":"canary-topic"}',
): Promise<{ message: AssistantMessage; signatures: readonly string[] }> {
  const provider = subject.answering();
  const { tools, reasoning: thinks } = provider.capabilities;
  const reply = replyOf([
    ...(thinks ? [reasoning("Is it morning?", thoughtSignature)] : []),
    text("Good morning."),
    ...(tools ? [call("call_a", [args], callSignature)] : []),
  ]);
  const frames = subject.wire.answer(reply).join("");
  const signatures = [thoughtSignature, callSignature].filter((signature) => frames.includes(signature));
  assert(
    signatures.length > 0,
    "No frame of the wire's `answer` holds a `signature`. If the server wants nothing back, declare the case.",
  );
  const events = await eventsOf(subject, subject.saying(reply).stream(toolRequest), "a signed answer");
  const native = nativeOf(events);
  assert(
    native !== undefined,
    "`finish.native` must hold the blocks that the server wants back. If it wants nothing back, declare the case.",
  );
  const calls = events.flatMap((event) =>
    event.type === "tool_call" ? [{ id: event.id, name: event.name, args: JSON.parse(event.arguments) }] : [],
  );
  const { name, model } = provider;
  const message: AssistantMessage = {
    role: "assistant",
    content: textOf(events),
    ...(calls.length > 0 && { calls }),
    native: { provider: name, model, data: native },
  };
  return { message, signatures };
}

function nativeOf(events: readonly ModelEvent[]): Json | undefined {
  const last = events.at(-1);
  return last?.type === "finish" ? last.native : undefined;
}

async function bodyAfter(subject: WireSubject, message: AssistantMessage): Promise<string> {
  const { calls = [] } = message;
  const results = calls.map(({ id, name }) => ({ id, name, content: "It is.", failed: false }));
  const request: ModelRequest = {
    system: "",
    messages: [
      { role: "user", content: "Say it." },
      message,
      results.length > 0 ? { role: "tool", results } : { role: "user", content: "And now?" },
    ],
    tools: [lookup],
  };
  await eventsOf(subject, subject.answering().stream(request), "the answer");
  return subject.server.exchanges.at(-1)?.request.body ?? "";
}
