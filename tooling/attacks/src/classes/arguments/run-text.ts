import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import * as z from "zod";

/** Runs the text of a model with a tool that needs no approval. */
export async function runText(text: string, ran: string[]): Promise<void> {
  const tool = (name: string) =>
    defineTool({
      name,
      description: "Does it.",
      input: z.object({ disk: z.string() }),
      execute: (args) => ran.push(`${name} ${JSON.stringify(args)}`),
    });
  const agent = createAgent({ provider: scripted([text, "Done.", "Done.", "Done."]), tools: [tool("wipe")] });
  await agent.run("Go.").result;
}
