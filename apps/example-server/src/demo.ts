import { parseArgs } from "node:util";
import { nodeListener } from "@cogency/server/node";
import { createDemo } from "./demo/demo-handler.ts";
import { demoPage } from "./demo/demo-page.ts";
import { curlsOf, examplesAt } from "./demo/examples.ts";
import { listen } from "./demo/listen.ts";
import { onlyFor } from "./demo/own-host.ts";

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "4100" }, origin: { type: "string", multiple: true, default: [] } },
  });
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
    throw new Error(`--port is a number from 0 to 65535, not ${JSON.stringify(values.port)}.`);
  const examples = (home: string) => examplesAt(home, crypto.randomUUID().slice(0, 8));
  const page = async ({ url }: Request) => demoPage(examples(new URL(url).origin));
  const { handler, worker } = createDemo(page, values.origin);
  const { server, port } = await listen(Number(values.port));
  const home = `http://127.0.0.1:${port}`;
  server.on("request", nodeListener(onlyFor(port, handler)));
  await worker.start();

  console.log(`${home}/ lists what to try. Ctrl-C ends the demo.`);
  for (const example of examples(home))
    console.log(`\n${example.wire}: ${example.address}\n${curlsOf(example).join("\n")}`);

  const end = async () => {
    server.close();
    server.closeAllConnections();
    await worker.drain();
    // Nothing lasts here, so no run needs to end first.
    process.exit();
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}
