import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningDemo, startDemo } from "./start-demo.ts";

let demo: RunningDemo;

beforeAll(async () => {
  demo = await startDemo("--port", "0");
});
afterAll(() => demo.kill());

interface ToolPart {
  readonly state: string;
  readonly approval?: { readonly id: string };
}

const number = { type: "number" };
const add = {
  name: "add",
  description: "Add.",
  parameters: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
};

/** One chat as `useChat` has it. */
class Chat {
  readonly messages: UIMessage[] = [];
  /** How often the last message has changed. */
  changes = 0;
  readonly #id = crypto.randomUUID();
  readonly #transport: DefaultChatTransport<UIMessage>;

  /** @param tools the tools that the page brings */
  constructor(tools: readonly object[] = []) {
    this.#transport = new DefaultChatTransport({ api: `${demo.origin}/ai-sdk/chat`, body: { tools } });
  }

  async say(text: string): Promise<UIMessage> {
    this.messages.push({ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] });
    return this.send();
  }

  /** Posts the messages, and returns the last one as the answer has made it. */
  async send(): Promise<UIMessage> {
    const stream = await this.#transport.sendMessages({
      chatId: this.#id,
      messages: this.messages,
      trigger: "submit-message",
      messageId: undefined,
      abortSignal: undefined,
    });
    const last = this.messages.at(-1);
    const begun = last?.role === "assistant" ? last : undefined;
    let answer = begun;
    for await (const message of readUIMessageStream({
      stream,
      terminateOnError: true,
      ...(begun && { message: begun }),
    })) {
      answer = message;
      this.changes += 1;
    }
    if (!answer) throw new Error("The stream has held no message.");
    if (begun) {
      expect(answer.id).toBe(begun.id);
      this.messages.pop();
    }
    this.messages.push(answer);
    return answer;
  }

  /** Answers the open approval of the last message as the page of `useChat` does. */
  decide(approved: boolean): void {
    this.change("approval-requested", (part) => ({
      ...part,
      state: "approval-responded",
      approval: { id: part.approval?.id, approved },
    }));
  }

  /** Changes the parts of the last message that are in a state, as the page does when somebody has answered. */
  change(state: string, to: (part: ToolPart) => object): void {
    const answer = this.messages.pop();
    if (!answer) throw new Error("There is no message.");
    const parts = answer.parts.map((part) => ("state" in part && part.state === state ? to(part as ToolPart) : part));
    this.messages.push({ ...answer, parts: parts as UIMessage["parts"] });
  }
}

const textOf = ({ parts }: UIMessage) => parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
const toolsOf = ({ parts }: UIMessage) =>
  parts.filter(({ type }) => type.startsWith("tool-") || type === "dynamic-tool");

describe.concurrent("the demo through the transport of useChat", () => {
  it("greets", async () => {
    expect(textOf(await new Chat().say("Good morning"))).toEqual([expect.stringMatching(/^Hello!/)]);
  });

  it("calls a tool and reports at “use a tool”", async () => {
    const answer = await new Chat().say("use a tool");
    expect(toolsOf(answer)).toMatchObject([{ state: "output-available", input: { city: "Kiel" } }]);
    expect(textOf(answer)).toEqual(["I look at the weather.", "The tool weather says: Kiel: rain, 9 °C"]);
  });

  it.each([
    ["use the tool", true, "output-available", "The tool send_postcard says: The postcard to Ada is on its way."],
    ["approve this", false, "output-denied", expect.stringMatching(/^The tool send_postcard did not work/)],
  ])("asks a person at “%s”, and reports after the decision %s", async (words, approved, state, report) => {
    const chat = new Chat();
    expect(toolsOf(await chat.say(words))).toMatchObject([{ state: "approval-requested", input: { to: "Ada" } }]);
    chat.decide(approved);
    const answer = await chat.send();
    expect(toolsOf(answer)).toMatchObject([{ state }]);
    expect(textOf(answer).at(-1)).toEqual(report);
  });

  it("calls the tool that the page brings, and reports its result", async () => {
    const chat = new Chat([add]);
    const answer = await chat.say("Add 1 and 2 with the tool.");
    expect(toolsOf(answer)).toMatchObject([{ state: "input-available", input: { a: 1, b: 2 } }]);
    chat.change("input-available", (part) => ({ ...part, state: "output-available", output: 3 }));
    expect(textOf(await chat.send())).toEqual(["The tool add says: 3"]);
  });

  it("says what is missing at “Add 1 and 2 with the tool.” where the page brings no tool", async () => {
    expect(textOf(await new Chat().say("Add 1 and 2 with the tool."))).toEqual([
      expect.stringContaining("I would need a tool"),
    ]);
  });

  it("writes piece by piece at “slow please”", async () => {
    const chat = new Chat();
    expect(textOf(await chat.say("slow please"))).toEqual([expect.stringMatching(/^1, 2, 3, .*49, 50\.$/)]);
    expect(chat.changes).toBeGreaterThan(5);
  });
});
