import { mcpServer } from "@cogency/mcp/server";
import { defineTool } from "@cogency/tools";

/**
 * A server with one tool, as a Web handler.
 *
 * @param {string[]} [allowedOrigins] hosts of pages that may use it, besides this machine
 */
export function serverFor(allowedOrigins = []) {
  const allow = { approval: { policy: { otherwise: /** @type {const} */ ("allow") } } };
  return mcpServer({ name: "sums", version: "1.0.0", tools: [add], execution: allow, allowedOrigins });
}

const number = { type: "number" };
const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  input: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
  execute: ({ a, b }) => Number(a) + Number(b),
});
