import { describe, expect, it } from "vitest";
import { attacked, type Seen } from "./hostile/attacked.ts";
import { type Behaviour, said, tool } from "./hostile/behaviour.ts";

/** For calls that nothing ends but the limit. */
const short = { connect: 20_000, call: 300 };
const evil = ({ states }: Seen) => states.find(({ name }) => name === "evil");
const page = (tools: object[], nextCursor: string) => ({ tools, nextCursor });

describe.concurrent("a list that does not end", () => {
  it.each<[string, Behaviour, RegExp]>([
    ["by the same cursor", { "tools/list": () => page([tool("echo")], "again") }, /^$|does not end/],
    [
      "by new cursors, with a tool each",
      { "tools/list": ({ params }) => page([tool(params?.cursor ?? "echo")], next(params)) },
      /more than 50 tools/,
    ],
    [
      "by new cursors, with empty pages",
      { "tools/list": ({ params }) => page(params?.cursor ? [] : [tool("echo")], next(params)) },
      /does not end/,
    ],
    [
      "by pages that grow",
      {
        "tools/list": ({ params }) =>
          page(
            Array.from({ length: Number(params?.cursor ?? 1) }, (_, at) => tool(`t${params?.cursor}_${at}`)),
            String(Number(params?.cursor ?? 1) * 2),
          ),
      },
      /more than 50 tools/,
    ],
  ])("%s is cut, and told", async (_, behaviour, problem) => {
    const seen = await attacked({ behaviour, server: { limits: { items: 50 } }, steps: [] });
    expect(seen.problems.join()).toMatch(problem);
    expect([...seen.offered.keys()].filter((name) => name.startsWith("evil__")).length).toBeLessThanOrEqual(50);
    expect(seen.hostile?.arrivals.count("tools/list")).toBeLessThan(80);
  });

  it.each<[string, Behaviour]>([
    ["to the handshake", { initialize: () => undefined }],
    ["to the list of tools", { "tools/list": () => undefined }],
    ["to the list, but sends comments", { "tools/list": (_, wire) => drip(wire, ": still there\n\n") }],
  ])("because nothing answers %s ends at the limit for connecting", async (_, behaviour) => {
    const seen = await attacked({
      behaviour,
      server: { timeouts: { connect: 200, call: 200 } },
      steps: [],
    });
    expect(evil(seen)?.status).not.toBe("ready");
    expect(evil(seen)?.reason).toMatch(/did not (connect|answer) in/);
    expect(JSON.stringify(seen.log)).toContain('The MCP server \\"evil\\"');
  });
});

describe.concurrent("an answer that does not end", () => {
  it.each<[string, Behaviour]>([
    ["never comes", { "tools/call": () => undefined }],
    ["is a stream of comments", { "tools/call": (_, wire) => drip(wire, ": still there\n\n") }],
    [
      "is a stream of other messages",
      {
        "tools/call": (_, wire) =>
          drip(wire, event({ method: "notifications/message", params: { level: "info", data: "x" } })),
      },
    ],
    ["is one line without an end", { "tools/call": (_, wire) => drip(wire, "data: xxxxxxxxxxxxxxxxxxxxx") }],
  ])("because it %s is cut at the limit of the call", async (_, behaviour) => {
    const { results } = await attacked({ behaviour, server: { timeouts: short } });
    expect(results[0]?.status).toBe("failure");
    expect(results[0]?.content).toMatch(/did not finish echo in time|whether it took effect is unknown/i);
  });

  it("because the server tells its progress for ever is cut at the limit of all of it", async () => {
    const { results } = await attacked({
      behaviour: {
        "tools/call"({ params }, wire) {
          let progress = 0;
          const { progressToken } = params._meta;
          const tell = () => {
            progress += 1;
            wire.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } });
          };
          const timer = setInterval(tell, 20);
          setTimeout(() => clearInterval(timer), 5000).unref();
          return undefined;
        },
      },
      server: { timeouts: { ...short, silence: 300, total: 600 } },
    });
    expect(results[0]?.content).toMatch(/did not finish echo in time/);
  });

  it("because it comes after the limit is dropped, and is not taken for the answer to the next call", async () => {
    let late: (() => void) | undefined;
    const { results } = await attacked({
      behaviour: {
        "tools/call"({ id }, wire) {
          if (late) {
            late();
            return said("the second");
          }
          late = () => wire.push({ jsonrpc: "2.0", id, result: said("the first, too late") });
          return undefined;
        },
      },
      listens: true,
      server: { timeouts: short },
      steps: [["evil__echo"], ["evil__echo"]],
    });
    expect(results.map(({ status }) => status)).toEqual(["failure", "success"]);
    expect(results[1]?.content).toBe("the second");
  });
});

function next(params: { cursor?: string } | undefined): string {
  return `c${Number(params?.cursor?.slice(1) ?? 0) + 1}`;
}

function event(message: object): string {
  return `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
}

function drip(wire: { raw(text: string): void }, text: string): undefined {
  const timer = setInterval(() => wire.raw(text), 10);
  setTimeout(() => clearInterval(timer), 3000).unref();
}
