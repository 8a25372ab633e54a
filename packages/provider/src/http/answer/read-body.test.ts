import { describe, expect, it } from "vitest";
import { inPieces, startWireServer } from "../../testkit/index.ts";
import { createFetch } from "../fetch/create-fetch.ts";
import { readBody } from "./read-body.ts";

const times = 5;
const whole = Array.from({ length: times }, () => "onetwo!");

/** What is read of some answers, one after another, of which the piece `!` is the last. */
async function readAll(ending: "end" | "destroy" | "hold") {
  const server = await startWireServer();
  server.respond(inPieces(["one", "two", "!"], { ending }));
  const fetch = createFetch();
  const texts: string[] = [];
  for (let time = 0; time < times; time++) {
    const { body } = await fetch(server.url);
    if (!body) throw new Error("no body");
    let text = "";
    for await (const bytes of readBody(body, () => text.endsWith("!"))) text += new TextDecoder().decode(bytes);
    texts.push(text);
  }
  const { connectionsMade } = server;
  await server.close();
  return { texts, connectionsMade };
}

describe("readBody", () => {
  it("leaves a connection that the next request uses", async () => {
    const { texts, connectionsMade } = await readAll("end");
    expect(texts).toEqual(whole);
    expect(connectionsMade).toBeLessThan(times);
  });

  it("does not wait for the end if the server keeps a complete answer open", async () => {
    expect((await readAll("hold")).texts).toEqual(whole);
  });

  it("ignores a connection that breaks after a complete answer", async () => {
    expect((await readAll("destroy")).texts).toEqual(whole);
  });

  it("throws the error that breaks an incomplete answer", async () => {
    const server = await startWireServer();
    server.respond(inPieces(["one"], { ending: "destroy" }));
    const { body } = await createFetch()(server.url);
    const read = async () => {
      if (body) for await (const _ of readBody(body, () => false));
    };
    await expect(read()).rejects.toThrow();
    await server.close();
  });

  it("closes the connection when the iteration is left", async () => {
    const server = await startWireServer();
    server.respond(inPieces(["one"], { ending: "hold" }));
    const { body } = await createFetch()(server.url);
    if (body) for await (const _ of readBody(body, () => false)) break;
    await server.exchanges[0]?.abandoned;
    expect(server.exchanges[0]?.isAbandoned).toBe(true);
    await server.close();
  });

  it("does not wait for a body whose cancel never resolves", async () => {
    const bytes = new TextEncoder().encode("one");
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes),
      cancel: () => new Promise(() => {}),
    });
    for await (const piece of readBody(body, () => false)) {
      expect(piece).toBe(bytes);
      break;
    }
  });
});
