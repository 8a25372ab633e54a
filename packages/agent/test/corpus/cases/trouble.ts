import { type ModelEvent, type Provider, ProviderError, withRetry } from "@cogency/provider";
import { redactingStore, type Store, StoreError } from "@cogency/storage";
import { protocolDriver } from "../../../src/index.ts";
import type { Case, Scene, Stage } from "../scene.ts";
import { block, echo, endless, timed } from "../tools.ts";

const call = block(["echo", { text: "x" }]);
const busy = new ProviderError("overloaded", "The server is overloaded.");
const limited = new ProviderError("rate_limit", "Slow down.", { retryAfter: 3 });
const unauthorized = new ProviderError("authentication", "The key is not known.", { status: 401 });
const cut = new ProviderError("cut_stream", "The connection broke.");

/** Waits that do not depend on chance. */
const again = (model: Provider) => withRetry(model, { baseDelay: 20, random: () => 0.5 });

const never = () => new Promise<never>(() => {});

const scenes: Record<string, (stage: Stage) => Scene> = {
  "step limit": () => ({
    script: Array.from({ length: 4 }, (_, i) => block(["echo", { text: `n${i}` }])),
    options: { budget: { steps: 2 } },
  }),
  "one step": () => ({ script: [`Report.${call}`], options: { budget: { steps: 1 } } }),
  "cancelled before it began": () => ({
    script: ["Hello.<end>"],
    turns: [{ prompt: "go", isAborted: true }, { prompt: "again" }],
  }),
  "a deadline while the model writes": (stage) => ({
    script: [{ chunks: ["One. ", "<think>two", " three", "</think>four"], delay: 20 }, "Done.<end>"],
    prepare: deadline(stage, 50),
    turns: [{ prompt: "go" }, {}],
  }),
  "a deadline while the model hangs": (stage) => ({
    script: [{ chunks: ["One. ", "Two"], hang: true }, "Done.<end>"],
    prepare: deadline(stage, 50),
    turns: [{ prompt: "go" }, {}],
  }),
  "a deadline in a batch": (stage) => ({
    script: [
      block(
        ["wait", { for: 20, item: "a" }],
        ["write", { for: 100, item: "b" }],
        ["write", { for: 1, item: "b" }],
        ["endless", {}],
      ),
      "Done.<end>",
      "Done.<end>",
    ],
    prepare: deadline(stage, 50),
    turns: [{ prompt: "go" }, {}, { prompt: "and?" }],
  }),
  "a cancel in a batch": (stage) => ({
    script: [
      block(
        ["wait", { for: 20, item: "a" }],
        ["write", { for: 100, item: "b" }],
        ["write", { for: 1, item: "b" }],
        ["endless", {}],
      ),
      "Done.<end>",
      "Done.<end>",
    ],
    prepare: async () => void setTimeout(() => stage.abort("the user left"), 50),
    turns: [{ prompt: "go" }, {}, { prompt: "and?" }],
  }),
  "a cancel in a block": (stage) => ({
    script: [{ chunks: ["So.<execute>[", '{"name":"echo","args":{"text":"x"}}', ","], hang: true }, "Done.<end>"],
    prepare: async () => void setTimeout(() => stage.abort(), 50),
    turns: [{ prompt: "go" }, { prompt: "and?" }],
  }),
  "a provider that ignores its signal": (stage) => ({
    script: ["Done.<end>"],
    provider: (model) => ({
      ...model,
      async *stream(request, options): AsyncGenerator<ModelEvent> {
        if (request.messages.length > 1) return yield* model.stream(request, options);
        yield { type: "text", text: "Hel" };
        stage.abort();
        await never();
      },
    }),
    turns: [{ prompt: "go" }, { prompt: "and?" }],
  }),
  "a provider that ignores the end of its turn": () => ({
    script: [call, "ok<end>"],
    options: { driver: protocolDriver({ grace: 5 }) },
    provider: (model) => ({
      ...model,
      async *stream(request, options): AsyncGenerator<ModelEvent> {
        for await (const event of model.stream(request, options)) if (event.type === "text") yield event;
        await never();
      },
    }),
  }),
  "a provider that will not be left": (stage) => ({
    script: [["a ", "b"], "Done.<end>"],
    prepare: async () => void setTimeout(() => stage.abort(), 50),
    provider: (model) => ({
      ...model,
      async *stream(request, options): AsyncGenerator<ModelEvent> {
        if (request.messages.length > 1) return yield* model.stream(request, options);
        try {
          yield* model.stream(request, options);
        } finally {
          await never();
        }
      },
    }),
    turns: [{ prompt: "go" }, { prompt: "and?" }],
  }),
  "a provider that goes on after it was cancelled": (stage) => ({
    script: ["Done.<end>"],
    provider: (model) => ({
      ...model,
      async *stream(request, options): AsyncGenerator<ModelEvent> {
        if (request.messages.length > 1) return yield* model.stream(request, options);
        for (const text of ["Hel", "lo", " and", " on", ...Array(10).fill(" and on")]) {
          yield { type: "text", text };
          await stage.pause(40);
          if (text === "lo") stage.abort();
        }
      },
    }),
    turns: [{ prompt: "go" }, { prompt: "and?" }],
  }),
  "a provider that goes on after its turn": (stage) => ({
    script: ["Done.<end>"],
    options: { driver: protocolDriver({ grace: 5 }) },
    provider: (model) => ({
      ...model,
      async *stream(request, options): AsyncGenerator<ModelEvent> {
        if (request.messages.length > 1) return yield* model.stream(request, options);
        yield { type: "text", text: `So.${block(["wait", { for: 300, item: "a" }], ["echo", { text: "b" }])}` };
        for (let piece = 0; piece < 10; piece++) {
          await stage.pause(40);
          yield { type: "text", text: ` And ${piece}.` };
        }
        yield { type: "finish", reason: "stop", native: "too late" };
      },
    }),
  }),
  "a provider that throws at once": () => ({
    script: [],
    provider: (model) => ({
      ...model,
      stream() {
        throw new TypeError("no stream");
      },
    }),
  }),
  "an event that is none": () => ({ script: ["Half"], provider: (model) => tampered(model, null as never) }),
  "a text that is no text": () => ({
    script: ["Half"],
    provider: (model) => tampered(model, { type: "text", text: 7 } as never),
  }),
  "no finish": () => ({ script: ["<think>so</think>Half of"], provider: withoutFinish }),
  "no finish after the end": () => ({ script: ["Whole.<end>"], provider: withoutFinish }),
  "a driver that throws": () => ({
    script: ["Half"],
    options: {
      driver: {
        name: "poor",
        batch: {},
        begin: () => ({
          request: { system: "", messages: [] },
          stage: "open",
          grace: 0,
          write: ({ type }) =>
            type === "text" ? [{ type: "respond", content: "Half", timestamp: 1000, unit: 1 }] : [],
          end() {
            throw new Error("no step");
          },
        }),
      },
    },
  }),
  "refused at once": () => ({ script: [{ error: unauthorized }, "Done.<end>"], turns: [{ prompt: "go" }, {}] }),
  "broken in the middle of a text": () => ({
    script: [{ chunks: ["Half ", "of", " it"], error: cut, errorAfter: 2 }, "Rest.<end>"],
    turns: [{ prompt: "go" }, {}],
  }),
  "broken in the middle of a thought": () => ({
    script: [{ chunks: ["<think>Half ", "of"], error: cut }, "Rest.<end>"],
    turns: [{ prompt: "go" }, { prompt: "more" }],
  }),
  "broken in the middle of a block": () => ({
    script: [{ chunks: ['So.<execute>[{"name":"echo","args":{"text":"x"}}', ","], error: cut }, "Rest.<end>"],
    turns: [{ prompt: "go" }, {}],
  }),
  "broken after the end": () => ({ script: [{ chunks: "Whole.<end>", error: cut }] }),
  "broken with a partial answer": () => ({
    script: [{ error: new ProviderError("cut_stream", "gone", { partial: "<think>so</think>Partly" }) }],
  }),
  "broken in the second step": () => ({
    script: [`First.${call}`, { chunks: "And", error: new Error("plain error") }, "Done.<end>"],
    turns: [{ prompt: "go" }, {}],
  }),
  "asked again twice": () => ({ script: [{ error: busy }, { error: busy }, "Hello.<end>"], provider: again }),
  "asked again after its time, in the second step": () => ({
    script: [call, { error: limited }, "Hello.<end>"],
    provider: again,
  }),
  "asked again in vain": () => ({ script: Array(6).fill({ error: busy }), provider: again }),
  "cancelled while waiting to ask again": (stage) => ({
    script: [{ error: limited }, "Hello.<end>"],
    provider: again,
    prepare: async () => void setTimeout(() => stage.abort(), 100),
    turns: [{ prompt: "go" }, { prompt: "and?" }],
  }),
  "a store that is away every third time": () => ({ script: [`So.${call}`, "Done.<end>"], store: flapping }),
  "a store that stays away": () => ({
    script: [`So.${call}`, "Done.<end>"],
    store: (inner) => ({
      ...inner,
      append: async (key, events, options) =>
        events.some(({ type }) => type === "call") ? away() : inner.append(key, events, options),
    }),
  }),
  "a store that hangs when the run is cancelled": (stage) => ({
    script: [block(["echo", { text: "a" }], ["endless", {}]), "Done.<end>"],
    store: (inner) => ({
      ...inner,
      append(key, events, options) {
        const isFinished = events.some((event) => event.type === "record" && event.kind === "finished");
        if (!isFinished) return inner.append(key, events, options);
        stage.abort();
        return never();
      },
    }),
  }),
  "a store that hangs at a text when the run is cancelled": (stage) => ({
    script: [{ chunks: ["One.", "<think>two</think>", "Three.", "<end>"] }, "Done.<end>"],
    store: (inner) => ({
      ...inner,
      append(key, events, options) {
        if (!events.some(({ type }) => type === "respond")) return inner.append(key, events, options);
        stage.abort();
        return never();
      },
    }),
  }),
  "a store that hangs once when the run is cancelled": (stage) => {
    let hangs = 0;
    return {
      script: [block(["echo", { text: "a" }], ["endless", {}]), "Done.<end>"],
      store: (inner) => ({
        ...inner,
        append(key, events, options) {
          const isFinished = events.some((event) => event.type === "record" && event.kind === "finished");
          if (!isFinished || ++hangs > 1) return inner.append(key, events, options);
          stage.abort();
          return never();
        },
      }),
    };
  },
  "a store that takes 10 ms": () => ({
    script: [block(...Array.from({ length: 20 }, (_, i) => ["echo", { text: `n${i}` }] as const)), "Done.<end>"],
    // Fewer operations must not change the time at which anything happens.
    options: { clock: () => 1000 },
    store: slow,
  }),
  "secrets in a redacting store": () => ({
    script: [
      `<think>The key is ${key}.</think>I use ${key}.${block(["echo", { text: `token ${key}` }])}`,
      `It was ${key}.<end>`,
      "Yes.<end>",
    ],
    scripted: { chunkSize: 9 },
    store: (inner) => redactingStore(inner),
    turns: [{ prompt: `My key is ${key}.` }, { prompt: "Still there?" }],
  }),
};

const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ";

function deadline(stage: Stage, milliseconds: number) {
  const overdue = () => stage.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  return async () => void setTimeout(overdue, milliseconds);
}

function tampered(model: Provider, event: ModelEvent): Provider {
  return {
    ...model,
    async *stream(request, options) {
      for await (const each of model.stream(request, options)) yield each.type === "usage" ? event : each;
    },
  };
}

function withoutFinish(model: Provider): Provider {
  return {
    ...model,
    async *stream(request, options) {
      for await (const event of model.stream(request, options)) if (event.type === "text") yield event;
    },
  };
}

function away(): never {
  throw new StoreError("unavailable", "The database is restarting.");
}

function flapping(inner: Store): Store {
  let asked = 0;
  return { ...inner, append: async (...given) => (++asked % 3 === 0 ? inner.append(...given) : away()) };
}

function slow(inner: Store): Store {
  const later = () => new Promise((resolve) => setTimeout(resolve, 10));
  return {
    ...inner,
    async append(...given) {
      await later();
      return inner.append(...given);
    },
    async load(...given) {
      await later();
      return inner.load(...given);
    },
  };
}

export const troubleCases: Case[] = Object.entries(scenes).map(([name, open]) => ({
  name: `trouble: ${name}`,
  scene(stage) {
    const scene = open(stage);
    return { ...scene, options: { tools: [echo, endless, ...Object.values(timed(stage))], ...scene.options } };
  },
}));
