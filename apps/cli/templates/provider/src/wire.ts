import type { Wire } from "@cogency/provider/testkit";

const words = { stop: "stop", tool_calls: "tools", length: "limit", content_filter: "filter", aborted: "", other: "" };

export const wire: Wire = {
  answer({ parts, usage, finish }) {
    const calls = parts.filter((part) => part.type === "call");
    const chunks = parts.flatMap((part): object[] => {
      const text = "text" in part && part.text !== "" ? { text: part.text } : {};
      if (part.type === "text") return [{ type: "text", ...text }];
      if (part.type === "reasoning") {
        return [{ type: "thought", ...text }, ...(part.signature ? [{ type: "seal", seal: part.signature }] : [])];
      }
      const pieces = part.pieces.map((json) => ({ type: "arguments", index: calls.indexOf(part), json }));
      return [{ type: "call", id: part.id, name: part.name }, ...pieces];
    });
    const { input, output, cacheRead, cacheWrite, reasoning } = usage;
    const prompt = input + cacheRead + cacheWrite;
    const tokens = { prompt, cached: cacheRead, stored: cacheWrite, answer: output, thought: reasoning };
    return [...chunks, { type: "done", why: words[finish], tokens }].map(frame);
  },
  failure: (message) => frame({ type: "error", message }),
};

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
