/** A request that shows one of the addresses. */
export interface Example {
  readonly wire: string;
  readonly address: string;
  /** What a program of that wire is given. */
  readonly client: string;
  readonly body: object;
  /** Headers beside that of the content. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the answer is read, if it is not the response. */
  readonly events?: string;
}

/** What to say to the model of the demo. */
export const sentences = [
  ["Hello", "it greets"],
  ["use a tool", "it calls a tool and reports"],
  ["approve this", "it calls a tool that asks you before, as at “use the tool”"],
  ["Add 1 and 2 with the tool.", "it calls a tool “add” that the client has brought"],
  ["slow please", "it writes for five seconds"],
] as const;

/** One for each wire. `run` is part of the names of conversations. */
export function examplesAt(origin: string, run: string): readonly Example[] {
  const words = "use a tool";
  return [
    {
      wire: "AI SDK (useChat)",
      address: `${origin}/ai-sdk/chat`,
      client: `new DefaultChatTransport({ api: "${origin}/ai-sdk/chat" })`,
      body: {
        id: `chat-${run}`,
        trigger: "submit-message",
        messages: [{ id: `m-${run}`, role: "user", parts: [{ type: "text", text: words }] }],
      },
    },
    {
      wire: "AG-UI (HttpAgent)",
      address: `${origin}/ag-ui`,
      client: `new HttpAgent({ url: "${origin}/ag-ui" })`,
      body: {
        threadId: `thread-${run}`,
        runId: `run-${run}`,
        messages: [{ id: `m-${run}`, role: "user", content: words }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      },
      headers: { accept: "text/event-stream" },
    },
    {
      wire: "OpenAI (Chat Completions; Responses: /v1/responses)",
      address: `${origin}/v1/chat/completions`,
      client: `new OpenAI({ baseURL: "${origin}/v1", apiKey: "none" })`,
      body: { model: "agent", stream: true, messages: [{ role: "user", content: words }] },
    },
    {
      wire: "Cogency (@cogency/client)",
      address: `${origin}/api/conversations/own-${run}/messages`,
      client: `createClient({ url: "${origin}/api" })`,
      body: { id: "1", kind: "prompt", content: words },
      events: `${origin}/api/conversations/own-${run}/events`,
    },
  ];
}

/** Commands for a terminal: the request, and what reads the answer where the response does not hold it. */
export function curlsOf({ address, body, headers = {}, events }: Example): string[] {
  const all = { "content-type": "application/json", ...headers };
  const flags = Object.entries(all).map(([name, value]) => `-H '${name}: ${value}'`);
  const post = `curl -N ${flags.join(" ")} -d '${JSON.stringify(body)}' ${address}`;
  return events === undefined ? [post] : [post, `curl -N ${events}`];
}
