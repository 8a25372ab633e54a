import { request } from "node:http";
import { freePort } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { sentences } from "../src/demo/examples.ts";
import { startDemo } from "./start-demo.ts";

/** The status of a request to the demo that names another host. */
async function statusFor(origin: string, host: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  request(origin, { headers: { host } }, (response) => resolve(response.resume().statusCode))
    .on("error", reject)
    .end();
  return promise;
}

describe("the demo", () => {
  it("takes a port that it is given, refuses one that is busy, and ends at Ctrl-C", async ({ onTestFinished }) => {
    const port = String(await freePort());
    const demo = await startDemo("--port", port);
    onTestFinished(() => demo.kill());
    expect(demo.origin).toBe(`http://127.0.0.1:${port}`);
    await expect(startDemo("--port", port)).rejects.toThrow(
      `Port ${port} cannot be used: another program listens there. Give another one, or --port 0 for any that is free.`,
    );
    expect(await demo.interrupt()).toBe(0);
  });

  it("ends at Ctrl-C while it writes, without waiting for the answer", async ({ onTestFinished }) => {
    const demo = await startDemo("--port", "0");
    onTestFinished(() => demo.kill());
    const headers = { "content-type": "application/json" };
    const messages = [{ role: "user", content: "slow please" }];
    const body = JSON.stringify({ model: "agent", stream: true, messages });
    const response = await fetch(`${demo.origin}/v1/chat/completions`, { method: "POST", headers, body });
    let text = "";
    const reading = (async () => {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
    })().catch(() => {});
    await expect.poll(() => text, { timeout: 20_000 }).toContain(" 2,");
    expect(await demo.interrupt()).toBe(0);
    await reading;
    expect(text).not.toContain("50.");
  });

  it.each(["x", "-1", "70000"])("refuses the port %s", async (port) => {
    await expect(startDemo(`--port=${port}`)).rejects.toThrow("--port is a number from 0 to 65535");
  });

  it("refuses an origin that is none, and ends", async () => {
    await expect(startDemo("--port=0", "--origin=http://localhost:3000/chat")).rejects.toThrow(
      'origins has "http://localhost:3000/chat": name each origin, such as https://app.example.',
    );
  });

  it("lists what to try on a page and in the terminal, and what the terminal says works", async ({
    onTestFinished,
  }) => {
    const demo = await startDemo("--port", "0");
    onTestFinished(() => demo.kill());
    const page = await (await fetch(demo.origin)).text();
    for (const [words] of sentences) expect(page).toContain(words);
    const curls = await demo.curls();
    expect(curls.map(({ address }) => new URL(address).pathname)).toEqual([
      "/ai-sdk/chat",
      "/ag-ui",
      "/v1/chat/completions",
      expect.stringMatching(/^\/api\/conversations\/.*\/messages$/),
    ]);
    for (const { address, headers, body } of curls) {
      const response = await fetch(address, { method: "POST", headers, body });
      expect(response.ok).toBe(true);
      const isAccepted = response.status === 202;
      expect(await response.text()).toContain(isAccepted ? '"id":"1"' : "weather");
    }
  });

  it("answers over its own API, and goes on with what is posted there", async ({ onTestFinished }) => {
    const demo = await startDemo("--port", "0");
    onTestFinished(() => demo.kill());
    const address = `${demo.origin}/api/conversations/own`;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ id: "1", kind: "prompt", content: "use a tool" });
    expect((await fetch(`${address}/messages`, { method: "POST", headers, body })).status).toBe(202);
    const state = async () => (await fetch(address)).json();
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ state: "idle" });
    const abort = new AbortController();
    const events = await fetch(`${address}/events`, { signal: abort.signal });
    let text = "";
    for await (const piece of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.includes("The tool weather says: Kiel: rain, 9 °C")) break;
    }
    expect(text).toContain('"name\\":\\"weather\\"');
  });

  it("refuses a request with a foreign Host, and one from a page of another site", async ({ onTestFinished }) => {
    const demo = await startDemo("--port", "0", "--origin", "http://localhost:3000");
    onTestFinished(() => demo.kill());
    const { port } = new URL(demo.origin);
    expect(await statusFor(demo.origin, `localhost:${port}`)).toBe(200);
    expect(await statusFor(demo.origin, `rebound.example:${port}`)).toBe(421);
    expect(await statusFor(demo.origin, `127.0.0.1`)).toBe(421);
    for (const path of ["/ai-sdk/chat", "/ag-ui", "/v1/models", "/api/conversations"]) {
      const from = async (origin: string) => (await fetch(demo.origin + path, { headers: { origin } })).status;
      expect([path, await from("https://evil.example")]).toEqual([path, 403]);
      expect(await from("http://localhost:3000")).not.toBe(403);
    }
  });
});
