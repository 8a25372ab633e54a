import type { LogEvent } from "@cogency/protocol";
import { ProviderError } from "@cogency/provider";
import { redactionMark } from "@cogency/storage";
import { protocolDriver } from "../../../src/index.ts";
import { sessionModel } from "../../support/session-model.ts";
import type { Case, Scene, SceneOptions, Stage } from "../scene.ts";
import { add, block, broken, echo, pay, stopping, timed } from "../tools.ts";

const call = block(["echo", { text: "x" }]);

const asked: LogEvent = { type: "user", content: "go", timestamp: 1 };
const called = (id: string, name: string, args: object): LogEvent => ({
  type: "call",
  content: JSON.stringify({ name, args }),
  id,
  timestamp: 2,
});
const started = (id: string, more: object = {}): LogEvent => ({
  type: "record",
  kind: "started",
  data: { id, ...more },
  timestamp: 3,
});
const finished = (id: string, tool: string, content: string, more: object = {}): LogEvent => ({
  type: "record",
  kind: "finished",
  data: { id, result: { tool, status: "success", content }, ...more },
  timestamp: 4,
});
const write = (item: string) => ({ for: 1, item });

const scenes: Record<string, (stage: Stage) => Scene> = {
  "three turns": () => ({
    script: ["One.<end>", `<think>two</think>${call}`, "Two.<end>", "Three.<end>"],
    turns: [{ prompt: "one" }, { prompt: "two" }, { prompt: "three" }],
  }),
  "recover after an answer": () => ({ script: ["One.<end>", "More.<end>"], turns: [{ prompt: "one" }, {}] }),
  "recover of nothing": () => ({ script: [], turns: [{}] }),
  "settings that change": () => ({
    script: [call, "One.<end>", block(["add", { to: 1 }]), "Two.<end>", "Three.<end>"],
    options: { tools: [echo], identity: "You are E.", instructions: "Be brief." },
    turns: [
      { prompt: "one" },
      {
        prompt: "two",
        options: { tools: [echo, add], instructions: "Be long.", request: { model: "other", temperature: 0 } },
      },
      { prompt: "three", options: { tools: [], driver: protocolDriver({ grace: 1 }) }, run: { stream: "event" } },
    ],
  }),
  "a prompt that nobody vouches for": () => ({
    script: ["One.<end>", "Two.<end>"],
    turns: [{ prompt: "one", run: { untrusted: "piped input" } }, { prompt: "two" }],
  }),
  "a new prompt after a run that failed in a batch": () => ({
    script: [block(["echo", { text: "a" }], ["broken", {}], ["write", write("b")]), "Two.<end>"],
    options: { execution: { throwOnToolFailure: true } },
    turns: [{ prompt: "one" }, { prompt: "two" }],
  }),
  "a log from elsewhere": () => ({
    script: ["Here.<end>"],
    stored: [asked, { type: "think", content: "a", timestamp: 2 }, { type: "respond", content: "Half", timestamp: 3 }],
    turns: [{ prompt: "more" }],
  }),
  "recover half an answer": () => ({
    script: ["rest<end>"],
    stored: [asked, { type: "respond", content: "Half", timestamp: 3 }],
    turns: [{}],
  }),
  "recover after a prompt": () => ({ script: [call, "Here.<end>"], stored: [asked], turns: [{}] }),
  "recover a batch of which nothing had begun": () => ({
    script: ["Here.<end>"],
    stored: [
      asked,
      called("a", "echo", { text: "a" }),
      called("b", "write", write("b")),
      called("c", "write", write("b")),
    ],
    turns: [{}],
  }),
  "recover a batch of which everything had ended": () => ({
    script: ["Here.<end>"],
    stored: [
      asked,
      called("a", "echo", { text: "a" }),
      called("b", "write", write("b")),
      started("b"),
      started("a"),
      finished("b", "write", "b"),
      finished("a", "echo", "a"),
    ],
    turns: [{}],
  }),
  "recover a batch in the middle": () => ({
    script: ["Here.<end>"],
    stored: [
      asked,
      called("a", "write", write("a")),
      called("b", "read", write("b")),
      called("c", "set", write("c")),
      called("d", "write", write("d")),
      called("e", "echo", { text: redactionMark }),
      called("f", "gone", {}),
      { type: "call", content: "no json", id: "g", timestamp: 2 },
      started("a"),
      started("b"),
      started("c", { brings: [{ holds: "private", source: "c" }] }),
      started("d"),
      finished("d", "write", "d"),
    ],
    turns: [{}],
  }),
  "a new prompt after a batch in the middle": () => ({
    script: ["Here.<end>"],
    stored: [
      asked,
      called("a", "write", write("a")),
      called("b", "read", write("b")),
      called("d", "write", write("d")),
      started("a"),
      started("d"),
      finished("d", "write", "d"),
    ],
    turns: [{ prompt: "never mind" }],
  }),
  "recover a batch that had ended the run": () => ({
    script: [],
    stored: [
      asked,
      called("a", "stopping", { reason: "completed" }),
      called("b", "write", write("b")),
      started("a"),
      finished("a", "stopping", "The run was stopped", { stop: { reason: "completed", message: "", context: {} } }),
    ],
    turns: [{}],
  }),
  "recover where a failure ends the run": () => ({
    script: [],
    options: { execution: { throwOnToolFailure: true } },
    stored: [
      asked,
      called("a", "echo", { text: "a" }),
      called("b", "broken", {}),
      called("c", "echo", { text: "c" }),
      started("a"),
      finished("a", "echo", "a"),
    ],
    turns: [{}, {}],
  }),
  "recover a question": (stage) => ({
    script: ["Here.<end>"],
    options: {
      execution: {
        approval: {
          approve: async ({ call }) => {
            stage.note(`asked ${call.id}`);
            return true;
          },
        },
      },
    },
    stored: [
      asked,
      called("a", "pay", { to: "Ann", amount: 1 }),
      called("b", "pay", { to: "Bob", amount: 2 }),
      {
        type: "record",
        kind: "approval",
        data: { id: "a", name: "pay", hash: "0", question: "q1", status: "asked" },
        timestamp: 3,
      },
      {
        type: "record",
        kind: "approval",
        data: { id: "b", name: "pay", hash: "0", question: "q2", status: "approved" },
        timestamp: 3,
      },
    ],
    turns: [{}],
  }),
  "a native record in the log": () => ({
    script: ["Here.<end>"],
    stored: [
      asked,
      { type: "record", kind: "native", data: { provider: "scripted", model: "scripted-1", data: [1] }, timestamp: 2 },
      { type: "respond", content: "Yes.", timestamp: 3 },
    ],
    turns: [{ prompt: "more" }],
  }),
  "requests in the log": () => ({
    script: [`Well.${call}`, "<execute>[oops]</execute>", "Done.<end>", "More.<end>"],
    options: { recordRequests: true, instructions: "Be brief." },
    turns: [{ prompt: "go" }, { prompt: "more", options: { instructions: "Be kind." } }],
  }),
  "a conversation that another run holds": () => ({
    script: ["Never.<end>"],
    prepare: async (store) => void (await store.lease({ conversation: "c" }, { owner: "other", ttl: 60_000 })),
  }),
  "a conversation that a dead run holds": () => ({
    script: ["Here.<end>"],
    options: { lease: { ttl: 3000, owner: "mine", isGone: (owner) => owner === "other" } },
    prepare: async (store) => void (await store.lease({ conversation: "c" }, { owner: "other", ttl: 60_000 })),
  }),
  "a lease that runs out": (stage) => ({
    script: [block(["wait", { for: 4000, item: "a" }]), "Done.<end>"],
    options: { lease: { ttl: 3000, owner: "mine" } },
    store: (inner) => ({
      ...inner,
      lease(key, options) {
        stage.note("leased");
        return inner.lease(key, options);
      },
      renew: () => Promise.reject(new Error("no renewal today")),
    }),
  }),
  "a long call, its lease renewed": () => ({
    script: [block(["wait", { for: 9000, item: "a" }]), "Done.<end>"],
    options: { lease: { ttl: 3000, owner: "mine" } },
  }),
  "a session": () => sessions([call, block(["echo", { text: "y" }]), "Done.<end>", "More.<end>"], { mode: "resume" }),
  "a session that forgets": () =>
    sessions([`${call}\nand more`, "<execute>[{]</execute>", "Done.<end>", "More.<end>"], { mode: "resume" }),
  "a session that breaks": () =>
    sessions(
      [
        call,
        { chunks: ["Half", " of", " it"], error: new ProviderError("cut_stream", "gone"), errorAfter: 2 },
        "Done.<end>",
      ],
      { mode: "resume" },
    ),
  "a session with too many calls, which does not stop": () => ({
    ...sessions([block(["echo", { text: "1" }], ["echo", { text: "2" }]), "Sorry.<end>", "More.<end>"], {
      mode: "resume",
      budget: { calls: 1 },
    }),
    provider: (_, script) => sessionModel(script, { deaf: true }),
  }),
  "a session that cannot be opened": () => ({
    script: [call, "Done.<end>"],
    options: { mode: "auto" },
    provider: (model) => ({
      ...model,
      capabilities: { ...model.capabilities, session: true },
      connect: () => Promise.reject(new ProviderError("overloaded", "No room")),
    }),
  }),
};

/** Two turns with a model that keeps sessions. */
function sessions(script: Scene["script"], options: SceneOptions): Scene {
  return {
    script,
    options,
    provider: (_, script) => sessionModel(script),
    turns: [{ prompt: "go" }, { prompt: "more" }],
  };
}

export const conversationCases: Case[] = Object.entries(scenes).map(([name, open]) => ({
  name: `conversation: ${name}`,
  scene(stage) {
    const scene = open(stage);
    return {
      ...scene,
      options: { tools: [echo, add, broken, stopping, pay, ...Object.values(timed(stage))], ...scene.options },
    };
  },
}));
