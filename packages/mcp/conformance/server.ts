/**
 * A server with the fixtures that the conformance suite asks for by name:
 *
 *     node conformance/server.ts --stdio
 *     node conformance/server.ts --http PORT     at http://127.0.0.1:PORT/mcp
 */
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { nodeListener } from "@cogency/server/node";
import { serveStdio } from "../src/node/serve-stdio.ts";
import { mcpServer } from "../src/server/index.ts";
import { askingTools } from "./fixtures/asking-tools.ts";
import { changingTools } from "./fixtures/changing-tools.ts";
import { contentTools } from "./fixtures/content-tools.ts";
import { prompts } from "./fixtures/prompts.ts";
import { resources } from "./fixtures/resources.ts";
import { namesOfTasks, taskTools } from "./fixtures/task-tools.ts";
import { toldTools } from "./fixtures/told-tools.ts";

const { values } = parseArgs({ options: { stdio: { type: "boolean" }, http: { type: "string" } } });

const changing = changingTools([...contentTools, ...askingTools, ...toldTools, ...taskTools], prompts);
const server = mcpServer({
  name: "cogency-conformance",
  version: "1.0.0",
  instructions: "Fixtures of the conformance suite.",
  tools: changing.tools,
  tasks: namesOfTasks,
  prompts: changing.prompts,
  resources,
  onError: (error) => process.env.MCP_CONFORMANCE_DEBUG && console.error(String(error)),
});
changing.of(server);

if (values.stdio) {
  await serveStdio(server).closed;
} else {
  const listener = createServer(nodeListener(server.handler));
  listener.listen(Number(values.http ?? 0), "127.0.0.1", () => {
    const { port } = listener.address() as { port: number };
    console.log(`http://127.0.0.1:${port}/mcp`);
  });
  process.once("SIGTERM", () => {
    server.close().finally(() => process.exit());
  });
}
