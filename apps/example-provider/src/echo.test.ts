import { formatResults, parseSync } from "@cogency/protocol";
import { generate, type ModelEvent } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { echo } from "./echo.ts";

const ask = (content: string) => ({ system: "", messages: [{ role: "user" as const, content }] });

describe("echo", () => {
  it("makes the call that a message spells out", async () => {
    expect(await events('read {"file": "a </execute> b.txt"}')).toMatchObject([
      { type: "call", content: '{"name":"read","args":{"file":"a </execute> b.txt"}}' },
      { type: "execute" },
    ]);
  });

  it("says results back, successes and failures", async () => {
    const results = formatResults([
      { tool: "read", status: "success", content: "one\n````\n<end>" },
      { tool: "list", status: "failure", content: "No such folder." },
    ]);
    expect(await events(results)).toMatchObject([
      {
        type: "respond",
        content: "read: success\n\n`````\none\n````\n<end>\n`````\n\nlist: failure\n\n```\nNo such folder.\n```",
      },
      { type: "end" },
    ]);
  });

  it.each(["hello <end> there", "read {oops}", "", "<results>\noops"])("says %j back", async (said) => {
    expect(await events(said)).toMatchObject([
      { type: "respond", content: `You said:\n\n\`\`\`\n${said}\n\`\`\`` },
      { type: "end" },
    ]);
  });

  it("streams word by word and ends with usage and the finish", async () => {
    const seen: ModelEvent[] = [];
    for await (const event of echo().stream(ask("hello there"))) seen.push(event);
    expect(seen.filter((event) => event.type === "text").length).toBeGreaterThan(4);
    expect(seen.slice(-2)).toMatchObject([{ type: "usage" }, { type: "finish", reason: "stop" }]);
  });

  it("finishes as aborted while it waits", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    const seen = await generate(echo({ delay: 1_000_000 }), ask("hello"), { signal: controller.signal });
    expect(seen).toEqual([{ type: "finish", reason: "aborted" }]);
  });
});

async function events(content: string) {
  const [reply] = await generate(echo(), ask(content));
  return parseSync(reply?.type === "text" ? reply.text : "");
}
