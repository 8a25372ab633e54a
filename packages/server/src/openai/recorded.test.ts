import { recordedConversations } from "@tooling/conversations";
import { describe, expect, it } from "vitest";
import { problemsOfCompletion } from "../../test/support/check-completion.ts";
import { problemsOfResponse } from "../../test/support/check-response.ts";
import { judgeByAISdk, judgeCompletion, judgeResponse } from "../../test/support/openai-judges.ts";
import { type AnsweredTurn, answeredTurns, streamOf, type Wire } from "../../test/support/openai-turns.ts";

const wires = ["chat", "responses"] as const;

/** One event a line, so that a person can read it. */
function golden(turns: readonly AnsweredTurn[]): string {
  const texts = turns.map(({ words, events, body }) =>
    [
      `# ${words.split("\n")[0]}`,
      ...events.map(brief).map((event) => JSON.stringify(event)),
      `= ${JSON.stringify(brief(body))}`,
    ].join("\n"),
  );
  return `${texts.join("\n\n")}\n`;
}

/** Without what is the same in all. */
function brief(event: Readonly<Record<string, unknown>>): unknown {
  const { object, created, created_at, model, system_fingerprint, id, response, ...rest } = event;
  const { output, status, usage, error, incomplete_details } = (response ?? {}) as Readonly<Record<string, unknown>>;
  const repeated = [
    "background",
    "max_output_tokens",
    "parallel_tool_calls",
    "previous_response_id",
    "instructions",
    "metadata",
    "reasoning",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
    "truncation",
    "user",
    "logprobs",
  ];
  const own = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => !repeated.includes(name) || typeof value === "string"),
  );
  return { ...own, ...(response !== undefined && { response: { status, error, incomplete_details, output, usage } }) };
}

const problemsOf = { chat: problemsOfCompletion, responses: problemsOfResponse };

async function judged(wire: Wire, stream: string) {
  const own = wire === "chat" ? await judgeCompletion(stream) : await judgeResponse(stream);
  const others = wire === "chat" ? (["chat", "compatible"] as const) : (["responses"] as const);
  const read = await Promise.all(others.map((other) => judgeByAISdk(stream, other)));
  for (const { text, calls } of read) expect({ text, calls }).toEqual({ text: own.text, calls: own.calls });
  return own;
}

function textOf(wire: Wire, body: Readonly<Record<string, unknown>>): string {
  if (wire === "chat") return (body.choices as [{ message: { content: string | null } }])[0].message.content ?? "";
  const items = body.output as readonly { type: string; content?: readonly { text: string }[] }[];
  return items
    .flatMap(({ type, content = [] }) => (type === "message" ? content.map(({ text }) => text) : []))
    .join("");
}

/** Of these, a client sees live what the log does not keep: text of a unit that its run left unfinished. */
const cutOff = (turn: AnsweredTurn) =>
  JSON.stringify(turn.body).includes('"incomplete"') || JSON.stringify(turn.events).includes("~");

describe.each(recordedConversations)("the recorded conversation $name", (conversation) => {
  it.each(wires)("is a well-formed answer of %s, live and from the log, for every judge", async (wire) => {
    for (const isLive of [true, false]) {
      const turns = answeredTurns(conversation, wire, { isLive });
      for (const { events, body } of turns) {
        const stream = streamOf(wire, events);
        expect(problemsOf[wire](stream)).toEqual([]);
        if (events.some(({ error, type }) => error !== undefined || type === "response.failed")) {
          await expect(wire === "chat" ? judgeCompletion(stream) : judgeByAISdk(stream, "responses")).rejects.toThrow();
          continue;
        }
        expect((await judged(wire, stream)).text).toBe(textOf(wire, body));
      }
      await expect(golden(turns)).toMatchFileSnapshot(
        `../../test/golden/openai/${conversation.name}.${wire}.${isLive ? "live" : "log"}.txt`,
      );
    }
  });

  it.each(wires)("ends in the same answer of %s from the log as live", (wire) => {
    const [live, log] = [true, false].map((isLive) => answeredTurns(conversation, wire, { isLive }));
    expect(log?.length).toBe(live?.length);
    for (const [index, turn] of (live ?? []).entries())
      if (!cutOff(turn)) expect(log?.[index]?.body).toEqual(turn.body);
  });

  it("shows no reasoning of the model to a user without the scope", () => {
    const thoughts = conversation.items.flatMap((item) =>
      item.type === "event" && item.event.type === "think" ? item.event.content : [],
    );
    for (const wire of wires) {
      const shown = JSON.stringify(answeredTurns(conversation, wire, { isLive: true, scopes: [] }));
      for (const thought of thoughts) expect(shown).not.toContain(JSON.stringify(thought).slice(1, -1));
    }
  });
});
