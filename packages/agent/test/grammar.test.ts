import { type ModelEvent, type ModelRequest, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { nativeDriver } from "../src/drivers/native-driver.ts";
import { protocolDriver } from "../src/drivers/protocol-driver.ts";
import { reactDriver } from "../src/drivers/react-driver.ts";
import { conversation, echo } from "./support/fixtures.ts";

const bound = { capabilities: { grammar: true, tools: true, format: true } };

/** The requests of a run whose model calls a tool and then answers. */
async function requestsOf(options: object, { capabilities } = bound): Promise<ModelRequest[]> {
  const provider = scripted(['<execute>[{"name":"echo","args":{"text":"a"}}]</execute>', "Yes.<end>"], {
    capabilities,
  });
  await createAgent({ provider, tools: [echo], ...options })
    .run("go")
    .result.catch(() => {});
  return [...provider.requests];
}

describe("a model that can be bound to a language", () => {
  it("gets that of the text protocol with its tools in every step", async () => {
    const [first, second] = await requestsOf({ driver: protocolDriver() });
    expect(first?.grammar).toMatchObject({ tools: [{ name: "echo" }], dialect: "json", hasOthers: false });
    expect(second?.grammar).toEqual(first?.grammar);
  });

  it("gets that of the driver's dialect, and where its answer begins", async () => {
    const [request] = await requestsOf({ driver: protocolDriver({ dialect: "xml", startIn: "think" }) });
    expect(request?.grammar).toMatchObject({ dialect: "xml", startIn: "think" });
  });

  it("gets none if its answer must have a format", async () => {
    const [request] = await requestsOf({ driver: protocolDriver(), request: { format: { type: "object" } } });
    expect(request).not.toHaveProperty("grammar");
  });

  it("gets none if the driver is told so", async () => {
    const [request] = await requestsOf({ driver: protocolDriver({ grammar: false }) });
    expect(request).not.toHaveProperty("grammar");
  });

  it.each([nativeDriver(), reactDriver()])("gets none from another driver", async (driver) => {
    const [request] = await requestsOf({ driver });
    expect(request).not.toHaveProperty("grammar");
  });

  it("is needed: others get none", async () => {
    const capabilities = { ...bound.capabilities, grammar: false };
    const [request] = await requestsOf({ driver: protocolDriver() }, { capabilities });
    expect(request).not.toHaveProperty("grammar");
  });

  it("leaves its language out of the log, since it follows from the tools", async () => {
    const store = memoryStore();
    const ignored: ModelEvent = { type: "ignored", setting: "grammar", message: "Asked without." };
    const events: ModelEvent[] = [ignored, { type: "text", text: "Yes.<end>" }, { type: "finish", reason: "stop" }];
    const provider = scripted([{ events }], bound);
    const agent = createAgent({ provider, tools: [echo], store, driver: protocolDriver() });
    const run = agent.run("go", { conversation, events: "all" });
    const told: object[] = [];
    for await (const event of run) if (event.type === "setting_ignored") told.push(event);
    expect(told).toMatchObject([{ setting: "grammar" }]);
    expect(provider.requests[0]).toHaveProperty("grammar");
    expect(JSON.stringify(await store.load({ conversation }))).not.toContain("hasOthers");
  });
});
