import { PassThrough } from "node:stream";
import { nodeListener } from "@cogency/server/node";
import { defineTool } from "@cogency/tools";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import type { Target } from "../../test/server/attacks/attack.ts";
import { loadAttacks } from "../../test/server/attacks/load-attacks.ts";
import { messageAttacks } from "../../test/server/attacks/message-attacks.ts";
import { roundAttacks } from "../../test/server/attacks/round-attacks.ts";
import { sessionAttacks } from "../../test/server/attacks/session-attacks.ts";
import { expectErrors, stdioAttacks } from "../../test/server/attacks/stdio-attacks.ts";
import { taskAttacks } from "../../test/server/attacks/task-attacks.ts";
import { answerOf, call, initialize, rawClient } from "../../test/server/raw-client.ts";
import { probeTools } from "../../test/server/tools.ts";
import { mcpServer } from "./index.ts";

const input = { type: "object", properties: {} } as const;
const annotations = { readOnlyHint: true } as const;

async function target(): Promise<Target> {
  const { tools, ran } = probeTools();
  const steps = defineTool({
    name: "steps",
    description: "Tells three steps.",
    input,
    annotations,
    async *execute() {
      ran.push("steps");
      yield* [1, 2, 3];
      return "done";
    },
  });
  const flooded = Promise.withResolvers<void>();
  const flood = defineTool({
    name: "flood",
    description: "Tells more than anybody reads.",
    input,
    annotations,
    async *execute(_, { signal }) {
      ran.push("flood");
      for (let at = 1; at <= 2000 && !signal.aborted; at++) {
        yield { progress: at, message: "x".repeat(2000) };
        await new Promise((resolve) => setImmediate(resolve));
      }
      flooded.resolve();
      return "done";
    },
  });
  const server = mcpServer({
    tools: [...tools, steps, flood],
    authenticate: ({ headers }) => ({ user: headers.get("authorization") ?? "" }),
    tasks: ["wait", "steps", "add", "write"],
    limits: { sessionsPerUser: 4, sessions: 8, body: 300, unreadBytes: 200_000, tasksPerUser: 40 },
  });
  const { url } = await serve(nodeListener(server.handler));
  const client = (user: string) => rawClient(server, { authorization: user });
  return { server, address: url, eve: client("eve"), ada: client("ada"), ran, flooded: flooded.promise };
}

describe("an attacker at a server over HTTP", () => {
  it.each([...messageAttacks, ...sessionAttacks, ...roundAttacks, ...loadAttacks, ...taskAttacks])(
    "$name: nothing runs, and the next client is served",
    async ({ play, runs = [] }) => {
      const at = await target();
      await play(at);
      expect(at.ran).toEqual(runs);
      const honest = await at.ada.modern("tools/call", { name: "add", arguments: { a: 2, b: 3 } });
      expect(honest.result.content).toEqual([{ type: "text", text: "5" }]);
      const inSession = await answerOf(await at.ada.post(call("add", { a: 3, b: 4 }), await at.ada.session()));
      expect(inSession.result.content).toEqual([{ type: "text", text: "7" }]);
      await at.server.close();
    },
  );
});

describe("an attacker at the standard input of a server", () => {
  it.each(stdioAttacks)("sends $name: nothing breaks", async ({ bytes, errors, ends }) => {
    const { tools } = probeTools();
    const server = mcpServer({ tools });
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const connection = server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: 8 * 1024 * 1024 }));
    const messages: { id?: unknown; error?: { code: number }; result?: unknown }[] = [];
    const answered = Promise.withResolvers<void>();
    let rest = "";
    stdout.on("data", (chunk) => {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      messages.push(...lines.map((line) => JSON.parse(line)));
      if (messages.some(({ id }) => id === 99)) answered.resolve();
    });
    const say = (message: object) => stdin.write(`${JSON.stringify(message)}\n`);
    say({ jsonrpc: "2.0", id: 0, method: "initialize", params: initialize() });
    for (const piece of bytes()) stdin.write(piece);
    if (ends) {
      await connection.closed;
    } else {
      say(call("add", { a: 2, b: 3 }, 99));
      await answered.promise;
      expectErrors(messages, errors);
      expect(messages.find(({ id }) => id === 99)?.result).toMatchObject({ content: [{ text: "5" }] });
    }
    await server.close();
  });
});
