import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";

/** What a model writes for the last message of a request. */
export type Answer = (last: string, request: ModelRequest) => string | Promise<string>;

/** A model that decides by what it reads, so that a request which is made again gets the same answer. */
export function deciding(answer: Answer): Provider & { requests: number } {
  return {
    name: "deciding",
    model: "deciding",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    requests: 0,
    async *stream(request): AsyncGenerator<ModelEvent, void, undefined> {
      this.requests++;
      yield { type: "text", text: await answer(JSON.stringify(request.messages.at(-1)), request) };
      yield { type: "finish", reason: "stop" };
    },
  };
}

/** Calls a tool, and answers "Done." once it has read the result. */
export function calling(name: string, args: object = {}): Provider & { requests: number } {
  const call = `<execute>${JSON.stringify([{ name, args }])}</execute>`;
  return deciding((last) => (last.includes("<results>") ? "Done." : call));
}
