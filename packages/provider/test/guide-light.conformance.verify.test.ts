import { rmSync } from "node:fs";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { generate, rotateKeys, withRetry } from "../src/index.ts";
import { inPieces, startWireServer, type WireAddress } from "../src/testkit/index.ts";
import { guideHarness } from "./support/guide.ts";
import { runLightCases } from "./support/run-light-cases.ts";

describe("the guide's provider", async () => {
  const folder = new URL(".readme/conformance/", import.meta.url);
  const harness = await guideHarness(folder);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("passes every light case with retries and rotating keys around it too", async () => {
    const rotated = ({ apiKey, ...address }: WireAddress) =>
      rotateKeys([apiKey], (key) => harness.provider({ ...address, apiKey: key }));
    await runLightCases("parrot, wrapped", () => ({
      ...harness,
      provider: (address) => withRetry(rotated(address), { attempts: 1 }),
    }));
  });

  it.each(["/birds", "/birds/"])("keeps the path %s of its address", async (path) => {
    const server = await startWireServer();
    onTestFinished(() => server.close());
    server.respond(inPieces([], { status: 404 }));
    const provider = harness.provider({ url: `${server.url}${path}`, apiKey: "a-key-of-mine" });
    await expect(generate(provider, { system: "", messages: [] })).rejects.toMatchObject({ code: "not_found" });
    expect(server.exchanges.map(({ request }) => request.path)).toEqual(["/birds/say"]);
  });
});
