import { type ModelEvent, ProviderError, scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/index.ts";
import { reactDriver } from "../src/react.ts";
import { collect, echo, types } from "./support/fixtures.ts";
import { act, agentOf, answer, contents } from "./support/react.ts";

describe("the stream of ReAct", () => {
  const pieces = async (text: string, chunkSize: number) => {
    const provider = scripted([text], { chunkSize });
    const run = createAgent({ provider, driver: reactDriver(), tools: [echo] }).run("go", { stream: "token" });
    const events = await collect(run);
    return events.flatMap((event) => (event.type === "think" || event.type === "respond" ? [event] : []));
  };

  it.each([1, 2, 5, 1000])(
    "gives the thought and then the answer as they are written, in pieces of %d",
    async (size) => {
      const thought = 'say "hi" \\ 😀\nthen \u00e9';
      const escaped = JSON.stringify({ thought, type: "final_answer", answer: "Hi,\tthere 😀." }).replace(
        "é",
        "\\u00e9",
      );
      const surrogates = escaped.replaceAll("😀", "\\ud83d\\ude00");
      for (const text of [escaped, surrogates, ` \n\`\`\`json\n${escaped}\n\`\`\``]) {
        const events = await pieces(text, size);
        const joined = (type: string) =>
          events.flatMap((event) => (event.type === type ? [event.content] : [])).join("");
        expect(joined("think")).toBe(thought);
        expect(joined("respond")).toBe("Hi,\tthere 😀.");
        if (size === 1) expect(events.length).toBeGreaterThan(20);
      }
    },
  );

  it("gives each piece before the model is asked for the next one", async () => {
    const text = answer("It is five.", "Think.");
    const provider = scripted([{ chunks: [...text], hang: true }]);
    const controller = new AbortController();
    const run = createAgent({ provider, driver: reactDriver() }).run("go", {
      stream: "token",
      signal: controller.signal,
    });
    let shown = "";
    for await (const event of run) {
      if (event.type === "respond") shown += event.content;
      if (shown === "It is five.") controller.abort();
    }
    expect(await run.result).toMatchObject({ status: "stopped", text: "It is five." });
  });

  it.each<[string, string]>([
    ["stands before its type", '{"answer":"5","thought":"t","type":"final_answer"}'],
    ["stands behind prose", `Here it is: ${answer("5", "t")} That is all.`],
    ["stands in a fenced block behind prose", `Here it is:\n\`\`\`json\n${answer("5", "t")}\n\`\`\``],
  ])("gives an answer that %s when the decision is complete", async (_, text) => {
    const events = await pieces(text, 1);
    expect(events.filter(({ type }) => type === "respond").map(({ content }) => content)).toEqual(["5"]);
    expect(
      events
        .filter(({ type }) => type === "think")
        .map(({ content }) => content)
        .join(""),
    ).toBe("t");
  });

  it("shows nothing of the JSON around them", async () => {
    const { go } = agentOf([act("echo", { answer: "no", type: "final_answer", text: "a" }, "t"), answer("yes", "u")]);
    const shown = (await collect(go({ stream: "token" }))).flatMap((event) =>
      event.type === "think" || event.type === "respond" ? [event.content] : [],
    );
    expect(shown.join("")).toBe("tuyes");
  });

  it("keeps reasoning that comes apart from the text as a thought of its own", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "deep" },
      { type: "text", text: answer("5", "short") },
    ];
    const { go, log } = agentOf([{ events }]);
    await go().result;
    expect(contents(await log(), "think")).toEqual(["deep", "short"]);
  });

  it("keeps what was shown of an answer that the limit cuts off", async () => {
    const { go, provider } = agentOf([{ chunks: answer("It is a long way").slice(0, -6), finish: "length" }]);
    expect(await go().result).toMatchObject({
      status: "completed",
      text: "It is a long",
      stop: { reason: "finish_reason" },
    });
    provider.assertDone();
  });

  it("keeps what was shown of an answer that breaks off, and runs no call of one", async () => {
    const error = new ProviderError("cut_stream", "gone");
    const half = agentOf([{ chunks: answer("It is five").slice(0, -6), error }]);
    expect(await half.go().result).toMatchObject({ status: "failed", text: "It is", error: { code: "provider" } });
    const call = agentOf([{ chunks: act("echo", { text: "a" }), error }]);
    await call.go().result;
    expect(types(await call.log())).not.toContain("call");
  });
});
