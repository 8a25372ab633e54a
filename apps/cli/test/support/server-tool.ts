import { defineTool, type Tool, type ToolAnnotations } from "@cogency/tools";

/** A tool as a server defines it: `github__create_issue` of `https://mcp.example.com/mcp`. */
export function serverTool({
  name = "github__create_issue",
  definedBy = "https://mcp.example.com/mcp",
  description = "Creates an issue.",
  properties = { title: { type: "string" } } as object,
  annotations = { openWorldHint: true } as ToolAnnotations,
  ...others
}: Partial<Tool> & { properties?: object } = {}): Tool {
  const input = { type: "object", properties } as const;
  const tool = defineTool({ name, description, input, annotations, approval: "ask", execute: () => "done" });
  return { ...tool, definedBy, ...others };
}
