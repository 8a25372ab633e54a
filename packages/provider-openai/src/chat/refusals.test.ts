import type { ModelRequest } from "@cogency/provider";
import { eventStream } from "@tooling/loopback";
import { deltaEvent, doneEvent } from "@tooling/wires/chat-events";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { wireServer } from "../../test/support/wire-server.ts";
import { openai } from "../openai.ts";

type Body = Record<string, unknown> & { messages: Record<string, unknown>[] };
type Refuse = (body: Body) => { status?: number; error: object } | undefined;

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };
const further: ModelRequest = {
  ...request,
  messages: [...request.messages, { role: "assistant", content: "Hello." }, { role: "user", content: "And?" }],
};

describe("a server that refuses a part of a request", () => {
  it.each<{ name: string; request: ModelRequest; refuse: Refuse; field: string }>([
    {
      name: "`stop`, by its parameter",
      request: { ...request, stop: ["END"] },
      refuse: ({ stop }) => (stop ? { error: { message: "Unsupported parameter.", param: "stop" } } : undefined),
      field: "stop",
    },
    {
      name: "`stop`, in words",
      request: { ...request, stop: ["END"] },
      refuse: ({ stop }) => (stop ? { status: 422, error: { message: "'stop' is not supported." } } : undefined),
      field: "stop",
    },
    {
      name: "`stream_options`",
      request,
      refuse: (body) => (body.stream_options ? { error: { message: "Unknown field: stream_options" } } : undefined),
      field: "stream_options",
    },
    {
      name: "`max_tokens`",
      request: { ...request, maxOutputTokens: 9 },
      refuse: (body) =>
        body.max_tokens
          ? {
              error: {
                message: "Use 'max_completion_tokens' instead.",
                param: "max_tokens",
                code: "unsupported_parameter",
              },
            }
          : undefined,
      field: "max_tokens",
    },
    {
      name: "`stream_options`, and tells what it takes",
      request: { ...request, stop: ["END"] },
      refuse: (body) =>
        body.stream_options
          ? { error: { message: "stream_options: unknown field; known are messages, model, stop, stream." } }
          : body.stop
            ? undefined
            : { status: 500, error: { message: "`stop` is gone, which nobody refused." } },
      field: "stream_options",
    },
  ])("is asked again without $name, and later requests leave it out", async ({ request, refuse, field }) => {
    const { bodies, baseURL } = await serverThatRefuses(refuse);
    const model = openai({ baseURL, model: "m-1" });
    expect((await collect(model.stream(request))).at(-1)).toMatchObject({ reason: "stop" });
    await collect(model.stream(request));
    expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
    await collect(model.stream({ ...request, model: "m-2" }));
    expect(bodies.map((body) => field in body)).toEqual([true, false, false, true, false]);
  });

  it("gets the reasoning once it reports it as missing, and from then on", async () => {
    const { bodies, baseURL } = await serverThatRefuses(({ messages }) =>
      messages.every((each) => each.role !== "assistant" || "reasoning_content" in each)
        ? undefined
        : { error: { message: "Missing `reasoning_content` field in the assistant message at message index 1." } },
    );
    const model = openai({ baseURL });
    await collect(model.stream(request));
    await collect(model.stream(further));
    await collect(model.stream(further));
    expect(bodies.map(({ messages }) => messages[1]?.reasoning_content)).toEqual([undefined, undefined, "", ""]);
  });

  it.each([
    { status: 400, message: "System role not supported" },
    { status: 400, message: "Conversation roles must alternate user/assistant/user/assistant/..." },
    { status: 500, message: "Jinja Exception: System role not supported" },
  ])("gets the system prompt in the first message of the user from then on: $message", async ({ status, message }) => {
    const { bodies, baseURL } = await serverThatRefuses(({ messages }) =>
      messages[0]?.role === "system" ? { status, error: { message } } : undefined,
    );
    const model = openai({ baseURL });
    await collect(model.stream({ ...further, system: "Be brief." }));
    await collect(model.stream({ ...further, system: "Be brief." }));
    expect(bodies.map(({ messages }) => messages[0])).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Be brief.\n\nHi" },
      { role: "user", content: "Be brief.\n\nHi" },
    ]);
  });

  it("may refuse one thing after the other", async () => {
    const { bodies, baseURL } = await serverThatRefuses(({ stop, stream_options: options }) =>
      options ? { error: { message: "no stream_options" } } : stop ? { error: { param: "stop" } } : undefined,
    );
    await collect(openai({ baseURL }).stream({ ...request, stop: ["END"] }));
    expect(bodies.map((body) => ["stop" in body, "stream_options" in body])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  it("does not change later requests if the change did not help", async () => {
    const { bodies, baseURL } = await serverThatRefuses(() => ({ error: { message: "Please stop this." } }));
    const model = openai({ baseURL });
    for (let count = 0; count < 2; count++) {
      const failure = collect(model.stream({ ...request, stop: ["END"] }));
      await expect(failure).rejects.toMatchObject({ code: "bad_request", status: 400 });
    }
    expect(bodies.map((body) => "stop" in body)).toEqual([true, false, true, false]);
  });

  it.each<{ name: string; words: string; request: ModelRequest }>([
    {
      name: "reasoning with messages of the caller's own",
      words: "reasoning_content is missing",
      request: { ...request, options: { messages: [{ role: "assistant", content: "Hello." }] } },
    },
    {
      name: "a limit of the caller's own",
      words: "use max_completion_tokens",
      request: { ...request, options: { max_tokens: 9 } },
    },
  ])("is asked at most twice about $name", async ({ words, request }) => {
    let asked = 0;
    const { bodies, baseURL } = await serverThatRefuses(() =>
      ++asked < 9 ? { error: { message: words } } : { status: 500, error: { message: "asked for ever" } },
    );
    await expect(collect(openai({ baseURL }).stream(request))).rejects.toMatchObject({ status: 400 });
    expect(bodies).toHaveLength(2);
  });

  it.each([
    { name: "nothing that was sent is named", request, error: { message: "no stop" }, status: 400 },
    { name: "the status is another", request: { ...request, stop: ["END"] }, error: { param: "stop" }, status: 500 },
  ])("is not asked again when $name", async ({ request, error, status }) => {
    const { bodies, baseURL } = await serverThatRefuses(() => ({ status, error }));
    await expect(collect(openai({ baseURL }).stream(request))).rejects.toMatchObject({ status });
    expect(bodies).toHaveLength(1);
  });
});

async function serverThatRefuses(refuse: Refuse): Promise<{ baseURL: string; bodies: Body[] }> {
  const bodies: Body[] = [];
  const { baseURL } = await wireServer(async (response, incoming) => {
    const body: Body = JSON.parse((await incoming.setEncoding("utf8").toArray()).join(""));
    bodies.push(body);
    const refusal = refuse(body);
    if (!refusal) return eventStream(response).end(deltaEvent({ content: "Hello." }, "stop") + doneEvent);
    const { status = 400, error } = refusal;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  return { baseURL, bodies };
}
