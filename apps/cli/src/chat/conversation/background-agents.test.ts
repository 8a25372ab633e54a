import type { ModelRequest, ScriptedStep } from "@cogency/provider";
import { describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { statusLine } from "../status-line.ts";
import type { Person } from "./person.ts";
import { UsageMeter } from "./usage-meter.ts";

const call = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;
const give = call("agent", { agent: "general", prompt: "Look.", background: true });
const long = { timeout: 60_000 };

/** A chat whose model starts an agent in the background, answers, and answers again whenever it is asked. */
function chatWith(ofAgent: ScriptedStep, person?: Person) {
  let isStarted = false;
  const step: ScriptedStep = (request: ModelRequest) => {
    if (request.system.includes("You do one task for another agent"))
      return typeof ofAgent === "function" ? ofAgent(request) : ofAgent;
    if (isStarted) return `Answer ${JSON.stringify(request.messages).includes("has ended") ? "after" : "before"}.<end>`;
    isStarted = true;
    return give;
  };
  return conversationWith(
    Array.from({ length: 8 }, () => step),
    {},
    {},
    person,
  );
}

const status = (conversation: ReturnType<typeof chatWith>["conversation"]) =>
  statusLine({ ...conversation.state, isAsking: false, place: "" }, new UsageMeter(), 120, 0);

describe("an agent in the background of a chat", () => {
  it("is shown while it works; when it is done the person reads so, and the model goes on by itself", async () => {
    const answer = Promise.withResolvers<{ approved: false }>();
    const person: Person = { canAnswer: () => true, ask: () => answer.promise, answer: async () => "yes" };
    const write = call("write", { file: "a", content: "" });
    const work: ScriptedStep = ({ messages }) => (messages.length === 1 ? write : "Seen.<end>");
    const { conversation, shown, events, idle } = chatWith(work, person);
    conversation.submit("go");
    await vi.waitFor(() => expect(events.some((event) => event.type === "run_ended")).toBe(true), long);
    await idle();
    expect(status(conversation)).toContain("1 agent in the background · /agents");
    await conversation.command("agents");
    expect(shown.at(-1)).toMatch(/^general works in the background: \d/);
    expect(conversation.state.agents).toHaveLength(1);
    answer.resolve({ approved: false });
    const ends = () => events.filter((event) => event.type === "run_ended");
    await vi.waitFor(() => expect(ends()).toHaveLength(2), long);
    await idle();
    expect(shown.filter((line) => line.includes("is done"))).toEqual(["The agent general in the background is done."]);
    const answers = events.flatMap((event) => (event.type === "respond" ? [event.content] : []));
    expect([answers[0], answers.at(-1)]).toEqual(["Answer before.", "Answer after."]);
    expect(status(conversation)).not.toContain("background");
  });

  it("is ended by /agents stop with its name, of which there must be one", async () => {
    const { conversation, shown, events, idle } = chatWith({ chunks: ["I am "], hang: true });
    conversation.submit("go");
    await vi.waitFor(() => expect(conversation.state.agents).toHaveLength(1), long);
    await idle();
    await conversation.command("agents", "stop explore");
    expect(shown.at(-1)).toMatch(/No agent explore works in the background/);
    await conversation.command("agents", "stop general");
    await vi.waitFor(() => expect(shown).toContain("The agent general in the background is done."), long);
    await idle();
    expect(conversation.state.agents).toEqual([]);
    const told = events.flatMap((event) => (event.type === "user" ? [event.content] : []));
    expect(told.at(-1)).toMatch(/The agent general .* has ended \(stopped\)/);
  });

  it("that is left behind with the chat is told of, and by the next process, too", async () => {
    const { conversation, shown } = chatWith({ chunks: ["I am "], hang: true });
    conversation.submit("go");
    await vi.waitFor(() => expect(conversation.state.agents).toHaveLength(1), long);
    await conversation.close();
    expect(shown.at(-1)).toMatch(/^1 agent in the background was interrupted\./);
  });
});
