import { memoryStore } from "@cogency/storage";
import { logOf, recordedConversations } from "@tooling/conversations";
import { describe, expect, it } from "vitest";
import { editor } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { site } from "./support/site.ts";

describe.each(recordedConversations)("the recorded conversation $name", (recorded) => {
  it("is told as in its golden file when it is loaded", async () => {
    const store = memoryStore();
    const sessionId = "recorded";
    await store.append({ conversation: sessionId }, logOf(recorded));
    const here = editor(site([], { store, session: { contextWindow: () => 100_000, currency: "USD" } }).acp, {
      capabilities: { session: { notices: {}, compaction: {} } },
      permission: () => new Promise<never>(() => {}),
    });
    await here.initialize();
    await here.agent.request("session/load", { sessionId, cwd: "/project", mcpServers: [] });
    expect([...schemaFaults(here.sent), ...sessionFaults(here.sent, { watched: true })]).toEqual([]);
    const lines = here.updates.map(({ sessionUpdate, ...fields }) => `${sessionUpdate} ${JSON.stringify(fields)}`);
    const text = `# ${recorded.name}\n\n${recorded.about}\n\n${lines.join("\n")}\n`;
    await expect(text).toMatchFileSnapshot(`golden/${recorded.name}.txt`);
  });
});
