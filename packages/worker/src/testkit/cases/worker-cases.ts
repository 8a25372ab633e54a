import { assert, assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import { ProviderError } from "@cogency/provider";
import type { Case } from "../case.ts";
import { Conversations } from "../fleet/conversations.ts";
import { createGate } from "../fleet/gate.ts";
import { memoryLedger } from "../fleet/ledger.ts";
import { startWorker } from "../fleet/start-worker.ts";
import { steppingAgent, steppingModel } from "../fleet/stepping-agent.ts";

/** A worker on the dispatcher. Unless a case says otherwise it looks by itself once an hour, so that only wakes let it work. */
export const workerCases: Case[] = [
  {
    name: "messages reach workers through the dispatcher alone, and each conversation ends",
    async check(subject) {
      const ledger = memoryLedger();
      const workers = [await subject.open(), await subject.open()];
      for (const opened of workers) await startWorker(subject, opened, { ledger, concurrency: 3 });
      const conversations = new Conversations(await subject.open(), ledger);
      await Promise.all(Array.from({ length: 12 }, (_, index) => conversations.begin(`c${index}`)));
      await conversations.begin("later", Date.now() + 300);
      await conversations.check(subject.patience);
    },
  },
  {
    name: "a worker without a place leaves wakes to others",
    async check(subject) {
      const ledger = memoryLedger();
      const gate = createGate(subject);
      const wait = async (conversation: string) => conversation === "slow" && gate.opened;
      for (const opened of [await subject.open(), await subject.open()]) {
        await startWorker(subject, opened, { ledger, concurrency: 1, pause: wait });
      }
      const conversations = new Conversations(await subject.open(), ledger);
      await conversations.begin("slow");
      await eventually(() => ledger.lines().includes("slow 1"), subject.patience, "No worker began");
      for (const conversation of ["a", "b", "c"]) {
        await conversations.begin(conversation);
        await conversations.ends(conversation, subject.patience, "its wake waits for the worker that has no place");
      }
      gate.open();
      await conversations.check(subject.patience);
    },
  },
  {
    name: "what a drained worker hands over wakes another one",
    async check(subject) {
      const ledger = memoryLedger();
      const gate = createGate(subject);
      const first = await startWorker(subject, await subject.open(), { ledger, pause: () => gate.opened });
      const conversations = new Conversations(await subject.open(), ledger);
      await conversations.begin("c");
      await eventually(() => ledger.lines().includes("c 1"), subject.patience, "No worker began");
      await startWorker(subject, await subject.open(), { ledger });
      const drained = first.worker.drain();
      gate.open();
      await drained;
      await conversations.check(subject.patience);
    },
  },
  {
    name: "a conversation that was put off wakes a worker at its time",
    async check(subject) {
      const ledger = memoryLedger();
      const model = steppingModel();
      let refusals = 1;
      const provider = {
        ...model,
        async *stream(...args: Parameters<typeof model.stream>) {
          if (refusals-- > 0) throw new ProviderError("rate_limit", "Too many requests.", { retryAfter: 0.4 });
          yield* model.stream(...args);
        },
      };
      const { events } = await startWorker(subject, await subject.open(), { ledger, provider });
      const conversations = new Conversations(await subject.open(), ledger);
      await conversations.begin("c");
      await conversations.check(subject.patience);
      const verdicts = events.flatMap((event) => (event.type === "attended" ? [event.verdict.type] : []));
      assertEqual(verdicts, ["later", "done"], "what became of the claims");
    },
  },
  {
    name: "wakes after runs that ended, stopped and failed ask the model nothing, and run no tool",
    async check(subject) {
      const ledger = memoryLedger();
      const opened = await subject.open();
      const model = steppingModel();
      const provider = {
        ...model,
        async *stream(...[request, options]: Parameters<typeof model.stream>) {
          if (JSON.stringify(request.messages.at(-1)).includes("Fail.")) throw new ProviderError("bad_request", "No.");
          yield* model.stream(request, options);
        },
      };
      const agent = steppingAgent({ store: opened.store, ledger, provider });
      const statuses = {
        ended: (await agent.run("Go.", { conversation: "ended" }).result).status,
        stopped: (await agent.run("Go.", { conversation: "stopped", budget: { steps: 2 } }).result).status,
        failed: (await agent.run("Fail.", { conversation: "failed" }).result).status,
      };
      assertEqual(statuses, { ended: "completed", stopped: "stopped", failed: "failed" }, "how the runs ended");
      const before = { requests: model.requests, effects: ledger.lines().length };
      // The one that failed fails again, and is parked then: how long a worker waits from try to try is not the matter here.
      const { events } = await startWorker(subject, opened, { ledger, provider, attempts: 1 });
      const sender = await subject.open();
      for (const conversation of Object.keys(statuses)) {
        for (let turn = 0; turn < 3; turn++) {
          await sender.store.wake({ conversation }, { id: "again", at: 0 });
          for (const reason of ["one", "two"]) await sender.dispatcher.wake({ conversation }, { reason });
        }
      }
      const attended = () =>
        new Set(events.flatMap((event) => (event.type === "attended" ? [event.claim.key.conversation] : [])));
      const isOver = async () => attended().size === 3 && (await opened.store.nextWake()) === undefined;
      await eventually(isOver, subject.patience, "The worker was not woken");
      const after = { requests: model.requests, effects: ledger.lines().length };
      assertEqual(after, before, "the requests and effects");
    },
  },
  {
    name: "a run whose worker died between its last append and the release is not run again",
    async check(subject) {
      const ledger = memoryLedger();
      const opened = await subject.open();
      const conversations = new Conversations(opened, ledger);
      await conversations.begin("c");
      const [claim] = await opened.store.claim({ owner: "dead", limit: 1, ttl: 300 });
      assert(claim !== undefined, "The message did not make the conversation due.");
      const lease = await opened.store.lease(claim.key, { owner: "dead", ttl: 30_000 });
      // Neither the lease nor the claim is ended.
      await steppingAgent({ store: opened.store, ledger }).recover({ ...claim.key, lease }).result;
      await lease.renew(300);
      const provider = steppingModel();
      const { events } = await startWorker(subject, opened, { ledger, provider, lookEvery: 100 });
      const isAttended = () => events.some(({ type }) => type === "attended");
      await eventually(isAttended, subject.patience, "No worker looked after what the dead one had claimed");
      await conversations.check(subject.patience);
      assertEqual(provider.requests, 0, "the requests to the model");
    },
  },
  {
    name: "a store that hangs holds up its own worker only, and that one goes on when it answers again",
    async check(subject) {
      const ledger = memoryLedger();
      const [hanging, sound] = [await subject.open(), await subject.open()];
      const answers = createGate(subject);
      const { store } = hanging;
      const claim: typeof store.claim = async (options) => {
        await answers.opened;
        return store.claim(options);
      };
      const slow = new Proxy(store, {
        get(target, name) {
          if (name === "claim") return claim;
          const value = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      await startWorker(subject, { ...hanging, store: slow }, { ledger });
      // A wake that the hanging worker was given is lost.
      const other = await startWorker(subject, sound, { ledger, lookEvery: 200 });
      const conversations = new Conversations(await subject.open(), ledger);
      for (let index = 0; index < 4; index++) {
        await conversations.begin(`during ${index}`);
        await conversations.ends(`during ${index}`, subject.patience, "the store of another worker hangs");
      }
      answers.open();
      await other.worker.drain();
      await pause(20);
      await conversations.begin("after");
      await conversations.check(subject.patience);
    },
  },
];
