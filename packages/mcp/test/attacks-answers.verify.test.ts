import { describe, expect, it } from "vitest";
import { attacked, secret } from "./hostile/attacked.ts";
import { type Behaviour, said, type Wire } from "./hostile/behaviour.ts";

const honestAfter = (act: (wire: Wire, id: unknown) => void): Behaviour => ({
  "tools/call"({ id }, wire) {
    act(wire, id);
    return said("mine");
  },
});

describe.concurrent("an answer", () => {
  it.each<[string, (wire: Wire, id: unknown) => void]>([
    ["to an id that was never used", (wire) => wire.send(result(9999, "false"))],
    ["to the next id, before it is asked", (wire, id) => wire.send(result(Number(id) + 1, "false"))],
    ["to a request that is over", (wire) => wire.send(result(0, "false"))],
    ["to the id as a text", (wire, id) => wire.send(result(String(id), "false"))],
    ["to no id", (wire) => wire.send({ jsonrpc: "2.0", result: said("false") })],
    ["to the id null", (wire) => wire.send({ jsonrpc: "2.0", id: null, error: { code: 1, message: "false" } })],
    ["that is no JSON", (wire) => wire.raw("data: {false\n\n")],
    ["that is a list", (wire) => wire.raw(`data: ${JSON.stringify([result(1, "false"), 5])}\n\n`)],
    ["that is a number", (wire) => wire.raw("data: 5\n\n")],
    [
      "of another version",
      (wire, id) => wire.raw(`data: ${JSON.stringify({ jsonrpc: "1.0", id, result: said("false") })}\n\n`),
    ],
  ])("%s answers nothing, and the true one counts", async (_, act) => {
    const { results } = await attacked({ behaviour: honestAfter(act), steps: [["evil__echo"], ["evil__echo"]] });
    expect(results.map(({ status, content }) => [status, content])).toEqual([
      ["success", "mine"],
      ["success", "mine"],
    ]);
  });

  it("that comes twice counts once", async () => {
    const { results } = await attacked({
      behaviour: {
        "tools/call"({ id }, wire) {
          wire.push(result(id, "first"));
          wire.push(result(id, "second"));
          wire.send(result(id, "third"));
        },
      },
      listens: true,
      steps: [["evil__echo", "evil__echo"], ["evil__echo"]],
    });
    for (const { status } of results) expect(status).toMatch(/success|failure/);
    expect(results).toHaveLength(3);
  });

  it("is told where it is false", async () => {
    const { problems } = await attacked({ behaviour: honestAfter((wire) => wire.send(result(9999, "false"))) });
    expect(problems).toEqual([expect.stringContaining("answered a request that was not open")]);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a text", "done"],
    ["content that is a text", { content: "done" }],
    ["content of an unknown kind", { content: [{ type: "hologram", data: "x" }] }],
    ["content without its fields", { content: [{ type: "text" }, { type: "image" }] }],
    ["a picture that is none", { content: [{ type: "image", data: "!!!", mimeType: "image/png" }] }],
    ["a media type with a line break", { content: [{ type: "image", data: "AAAA", mimeType: "image/png\r\nx: y" }] }],
    ["a resource that is none", { content: [{ type: "resource", resource: 5 }] }],
    ["structured content that is a list", { content: [], structuredContent: [1] }],
    ["a failure without a reason", { content: [], isError: true }],
  ])("with a result that is %s ends the call, and nothing else", async (_, broken) => {
    const { results } = await attacked({
      behaviour: { "tools/call": ({ id }, wire) => wire.send({ jsonrpc: "2.0", id, result: broken }) as undefined },
    });
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results[0]).length).toBeLessThan(2000);
  });

  it.each<[string, unknown]>([
    ["is a text", "broken"],
    ["has no code", { message: "broken" }],
    ["has a code that is a text", { code: "x", message: "broken" }],
    ["has secrets in it", { code: -32_000, message: `Authorization: Bearer ${secret}`, data: { headers: [secret] } }],
    ["is long", { code: -32_000, message: "x".repeat(1_000_000) }],
  ])("with an error that %s is a failure of one sentence", async (_, error) => {
    const { results } = await attacked({
      behaviour: { "tools/call": ({ id }, wire) => wire.send({ jsonrpc: "2.0", id, error }) as undefined },
    });
    expect(results[0]?.status).toBe("failure");
    expect(results[0]?.content.length).toBeLessThan(2000);
  });

  it.each<[string, Behaviour]>([
    [
      "with an unknown revision",
      { initialize: () => ({ protocolVersion: "1999-01-01", capabilities: {}, serverInfo: {} }) },
    ],
    ["with no capabilities", { initialize: ({ params }) => ({ protocolVersion: params.protocolVersion }) }],
    [
      "with a result that is null",
      { initialize: ({ id }, wire) => wire.send({ jsonrpc: "2.0", id, result: null }) as undefined },
    ],
    [
      "with an error",
      {
        initialize: ({ id }, wire) =>
          wire.send({ jsonrpc: "2.0", id, error: { code: 1, message: secret } }) as undefined,
      },
    ],
  ])("to the handshake %s leaves the server out with a sentence", async (_, behaviour) => {
    const { states } = await attacked({ behaviour, steps: [] });
    const evil = states.find(({ name }) => name === "evil");
    expect(evil?.status).not.toBe("ready");
    expect(evil?.reason).toMatch(/^.{10,500}\.$/);
  });
});

function result(id: unknown, text: string) {
  return { jsonrpc: "2.0", id, result: said(text) };
}
