import { defineTool, type Tool, type ToolSource } from "@cogency/tools";
import { block } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import { page } from "../recording/tools.ts";

function tide(description: string): Tool {
  return defineTool({
    name: "harbour__tide",
    description,
    input: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
    definedBy: "https://harbour.example.com/mcp",
    annotations: { readOnlyHint: true },
    execute: ({ place }) => `${place}: low water at six`,
  });
}

export const trust = [
  scene(
    "untrusted-and-changed-tools",
    "Piped input and a page hold words of strangers, and the tools of a server come, change and go.",
    async (stage) => {
      let offered: readonly Tool[] = [];
      const harbour: ToolSource = {
        name: "harbour",
        tools: () => offered,
        notes: () => (offered.length > 0 ? [] : ['The server "harbour" is not there.']),
      };
      /** The same tool; once it was called, the server offers these. */
      const before = (tool: Tool, next: readonly Tool[]): Tool => ({
        ...tool,
        execute(args, context) {
          offered = next;
          return tool.execute(args, context);
        },
      });
      const second = [before(tide("When the tide is low, and how low."), [])];
      const first = [before(tide("When the tide is low."), second)];
      const answers = [
        block(["page", { address: "https://ferry.example.com" }]),
        block(["harbour__tide", { place: "Kiel" }]),
        block(["harbour__tide", { place: "Kiel" }]),
        "The ferry leaves at nine, in the rain.<end>",
      ];
      const agent = stage.agent(answers, { tools: [before(page, first)], sources: [harbour] });
      await stage.ask(agent, "When does the ferry leave?", { untrusted: "piped input", private: "notes.txt" });
    },
  ),

  scene("traced", "The turn is part of a trace.", async (stage) => {
    const agent = stage.agent(["Hello.<end>"]);
    agent.keepTrace(() => "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    await stage.ask(agent, "Hello.");
  }),
];
