import { callOf, type LogEvent } from "@cogency/protocol";
import { assert, assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import type { Store } from "@cogency/storage";
import { wakingStore } from "../../waking-store.ts";
import type { OpenedDispatcher } from "../tested-dispatcher.ts";
import type { Ledger } from "./ledger.ts";
import { lastWord, steppingAgent, stepsEach } from "./stepping-agent.ts";

/** Conversations that a process without a worker begins, and what must have become of them. */
export class Conversations {
  readonly #store: Store;
  readonly #ledger: Ledger;
  readonly #send: (conversation: string, at?: number) => Promise<unknown>;
  readonly #begun: string[] = [];

  constructor({ store, dispatcher }: OpenedDispatcher, ledger: Ledger) {
    this.#store = store;
    this.#ledger = ledger;
    const sender = steppingAgent({ store: wakingStore(store, dispatcher), ledger });
    this.#send = (conversation, at) => sender.send({ conversation }, { kind: "prompt", content: "Begin." }, { at });
  }

  /** Sends a message to a new conversation, and wakes a worker. */
  async begin(conversation: string, at?: number): Promise<void> {
    this.#begun.push(conversation);
    await this.#send(conversation, at);
  }

  /** Whether a conversation has its answer. */
  async hasEnded(conversation: string): Promise<boolean> {
    return answersIn(await this.#store.load({ conversation })).length > 0;
  }

  async ends(conversation: string, patience: number, what: string): Promise<void> {
    await eventually(() => this.hasEnded(conversation), patience, `The conversation did not end: ${what}`);
  }

  /**
   * Waits for the end of each, and checks it: nothing is due, each message stands in the log once, each step once, in order, and no
   * effect came twice.
   */
  async check(patience: number): Promise<void> {
    for (const conversation of this.#begun) await this.ends(conversation, patience, conversation);
    const isSettled = async () => (await this.#store.nextWake()) === undefined;
    await eventually(async () => (await isSettled()) || pause(20), patience, "Something stays due");
    for (const conversation of this.#begun) {
      const log = await this.#store.load({ conversation });
      assertEqual(log.filter(({ type }) => type === "user").length, 1, `the messages in the log of ${conversation}`);
      assertEqual(stepsIn(log), allSteps, `the steps in the log of ${conversation}`);
      assertEqual(answersIn(log), [lastWord], `the answers in the log of ${conversation}`);
      assertEqual(await this.#store.inbox({ conversation }), [], `the inbox of ${conversation}`);
    }
    this.checkEffects();
  }

  /** No effect came twice. */
  checkEffects(): void {
    const lines = this.#ledger.lines();
    const twice = lines.filter((line, index) => lines.indexOf(line) < index);
    assert(twice.length === 0, `The tool ran again for the same step: ${twice.slice(0, 3).join(", ")}.`);
  }
}

const allSteps = Array.from({ length: stepsEach }, (_, index) => index + 1);

function stepsIn(log: readonly LogEvent[]): unknown[] {
  return log.flatMap((event) => (event.type === "call" ? [callOf(event).args.step] : []));
}

function answersIn(log: readonly LogEvent[]): string[] {
  return log.flatMap((event) => (event.type === "respond" ? [event.content] : []));
}
