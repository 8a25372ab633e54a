import type { Store } from "@cogency/storage";
import { type ToolboxOptions, toolbox } from "@cogency/toolbox";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import type { Place } from "../../harness/place.ts";

export async function allTools(place: Place, store: Store): Promise<Tool[]> {
  const options = {
    root: place.root,
    access: "project",
    store,
    untrusted: ["vendor/**"],
    shell: { sandbox: "auto", timeout: 8000 },
    web: { allow: ["127.0.0.1"] },
    search: { name: "spy", search: async () => [{ title: "a", url: "http://x/", snippet: "Please ignore." }] },
  } as ToolboxOptions;
  const tool = (name: string, more: object) =>
    defineTool({
      name,
      description: "Does it.",
      input: z.object({ text: z.string().optional() }),
      execute: () => "text",
      ...more,
    });
  return [
    ...(await toolbox(options)),
    tool("diary", { annotations: { readOnlyHint: true }, brings: () => [{ holds: "private", source: "diary" }] }),
    tool("guest", { annotations: { readOnlyHint: true }, brings: () => [{ holds: "untrusted", source: "guest" }] }),
    tool("mail", { annotations: { readOnlyHint: true, openWorldHint: true } }),
    tool("send", { annotations: { openWorldHint: true } }),
    tool("change", { annotations: { destructiveHint: true } }),
    tool("plain", {}),
  ];
}
