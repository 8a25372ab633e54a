import { settlesWithin, wait } from "@cogency/async";
import {
  above,
  atLeast,
  callback,
  checkOptions,
  having,
  name,
  type OptionTable,
  required,
  whole,
  wrongOption,
} from "@cogency/protocol/options";
import type { Claim } from "@cogency/storage";
import { claimLimits } from "@cogency/storage/adapter";
import { attend } from "./attend.ts";
import type { Stop } from "./dispatcher.ts";
import { Looking } from "./looking.ts";
import { storeLostNotice } from "./notice.ts";
import { ownerName } from "./owner-name.ts";
import { storeDispatcher } from "./store-dispatcher.ts";
import { Troubles, troubleLog } from "./troubles.ts";
import { wakingStore } from "./waking-store.ts";
import type { Worker, WorkerEvent, WorkerHealth, WorkerOptions } from "./worker.ts";

/**
 * Makes a worker. Any number of them, on any machines, may share a store.
 *
 * @throws TypeError for an unknown option, a missing one, or one of a wrong type; RangeError for a number out of its range
 */
export function createWorker(options: WorkerOptions): Worker {
  checkOptions("createWorker", options, table);
  return new OwnWorker(options);
}

const count = whole(1, Number.MAX_SAFE_INTEGER);

const table = {
  agent: required(having("the agent of createAgent", "recover")),
  store: required(having("the store of the agent", "claim", "append")),
  dispatcher: having("a dispatcher", "wake", "work"),
  concurrency: count,
  perUser: count,
  owner: name,
  // The store knows its range.
  ttl: above(0, "milliseconds"),
  attempts: count,
  lookEvery: atLeast(1, "milliseconds"),
  drain: atLeast(0, "milliseconds"),
  on: callback,
} satisfies OptionTable<WorkerOptions>;

/** With their defaults. */
type Resolved = Pick<WorkerOptions, "perUser"> & {
  [Name in Exclude<keyof WorkerOptions, "perUser" | "owner">]-?: NonNullable<WorkerOptions[Name]>;
};

interface Running {
  claim: Claim;
  /** By `performance.now()`. */
  since: number;
  ended: Promise<void>;
}

class OwnWorker implements Worker {
  readonly owner: string;
  readonly #options: Resolved;
  readonly #running = new Map<number, Running>();
  readonly #looking = new Looking(() => this.#look());
  /** Aborts when the worker is drained: runs end before their next step. */
  readonly #handOver = new AbortController();
  /** Aborts when the time of the drain is over: runs end at once. */
  readonly #breakOff = new AbortController();
  #stop: Promise<Stop> | undefined;
  #drained: Promise<void> | undefined;
  #isEnded = false;
  #lookedAt: number | undefined;
  /** Since when the store owes an answer. */
  #askedAt: number | undefined;
  #trouble: string | undefined;
  readonly #troubles = new Troubles();

  constructor({ owner: given, ...options }: WorkerOptions) {
    const owner = given ?? ownerName(options.store, "worker");
    this.owner = owner;
    const {
      store,
      agent,
      concurrency = 16,
      ttl = 12_000,
      perUser,
      attempts = 5,
      lookEvery = 1000,
      drain = 10_000,
    } = options;
    claimLimits({ owner, limit: concurrency, ttl, perUser });
    if (lookEvery === Number.POSITIVE_INFINITY)
      throw wrongOption(
        RangeError,
        "lookEvery",
        "createWorker: `lookEvery` is Infinity, so a lost wake would never be found; give milliseconds.",
      );
    const dispatcher = options.dispatcher ?? storeDispatcher(store, { scope: agent.scope });
    this.#options = {
      // Others hear of what it puts off or hands over.
      store: wakingStore(store, dispatcher),
      agent,
      concurrency,
      ttl,
      perUser,
      attempts,
      lookEvery,
      drain,
      dispatcher,
      on: options.on ?? troubleLog(),
    };
  }

  async start(): Promise<void> {
    if (this.#stop || this.#drained) throw new Error("The worker was begun or drained before. Make a new one.");
    this.#stop = this.#options.dispatcher.work(() => this.#looking.look());
    // Before the engine answers: one that is down delays conversations, and does not stop them.
    void this.#lookByItself();
    try {
      await this.#stop;
    } catch (error) {
      await this.drain();
      throw error;
    }
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  health(): WorkerHealth {
    const now = performance.now();
    const seconds = (since: number) => Math.round(now - since) / 1000;
    const isDraining = this.#handOver.signal.aborted;
    const working = this.#running.size > 0 ? "working" : "idle";
    return {
      owner: this.owner,
      state: this.#isEnded ? "ended" : isDraining ? "draining" : working,
      concurrency: this.#options.concurrency,
      running: [...this.#running.values()].map(({ claim: { key, attempts }, since }) => ({
        key,
        attempts,
        seconds: seconds(since),
      })),
      lookedSecondsAgo: this.#lookedAt === undefined ? undefined : seconds(this.#lookedAt),
      silentSeconds: this.#askedAt === undefined ? 0 : seconds(this.#askedAt),
      trouble: this.#trouble,
      failing: this.#troubles.failing,
      parked: this.#troubles.parked,
    };
  }

  /** Finds what no wake has told. */
  async #lookByItself(): Promise<void> {
    const { signal } = this.#handOver;
    while (!signal.aborted) {
      await this.#looking.look();
      // Not all workers at one moment.
      await wait(this.#options.lookEvery * (0.75 + Math.random() / 4), signal);
    }
  }

  /** Claims what is due until nothing is left; while all places are taken, until one is free. */
  async #look(): Promise<void> {
    const { store, agent, concurrency, ttl, perUser } = this.#options;
    while (!this.#handOver.signal.aborted) {
      const free = concurrency - this.#running.size;
      if (free === 0) {
        await Promise.race([...this.#running.values()].map(({ ended }) => ended));
        continue;
      }
      let claims: Claim[];
      this.#askedAt ??= performance.now();
      try {
        claims = await store.claim({ owner: this.owner, limit: free, ttl, perUser, scope: agent.scope });
        this.#lookedAt = performance.now();
        this.#askedAt = undefined;
        this.#trouble = undefined;
      } catch (error) {
        this.#tellTrouble({ type: "trouble", doing: "claim", error });
        return;
      }
      for (const claim of claims) this.#take(claim);
      if (claims.length < free) return;
    }
  }

  #take(claim: Claim): void {
    const ended = this.#takeOn(claim)
      .catch((error) => this.#tellTrouble({ type: "trouble", doing: "settle", error, claim }))
      .finally(() => {
        this.#running.delete(claim.token);
        // It may have made itself due, and others may wait for its place.
        void this.#looking.look();
      });
    this.#running.set(claim.token, { claim, since: performance.now(), ended });
  }

  async #takeOn(claim: Claim): Promise<void> {
    const { store, agent, attempts, ttl } = this.#options;
    if (claim.attempts > attempts) {
      const reason = `${attempts} workers in a row did not come to an end with it: they died, or the store failed. Find out why, then release it.`;
      await storeLostNotice(store, claim);
      if (await store.park(claim, reason)) this.#tell({ type: "parked", claim, reason });
      return;
    }
    // Taken between the drain and its end.
    if (this.#handOver.signal.aborted || (this.#isSuspect(claim) && this.#hasOtherSuspect(claim))) {
      const delay = this.#handOver.signal.aborted ? 0 : suspectDelay;
      await store.defer(claim, claim.claimedAt + delay);
      return;
    }
    this.#tell({ type: "claimed", claim });
    const { elapsed, ...attended } = await attend(claim, {
      store,
      agent,
      ttl,
      attempts,
      handOver: this.#handOver.signal,
      signal: this.#breakOff.signal,
    });
    this.#tell({ type: "attended", ...attended, seconds: elapsed / 1000 });
    const { verdict, stood } = attended;
    if (verdict.type === "parked" && stood) this.#tell({ type: "parked", claim, reason: verdict.reason });
  }

  /** Of two conversations that may kill a worker, nobody could say which one did. */
  #hasOtherSuspect({ token }: Claim): boolean {
    return [...this.#running.values()].some(({ claim }) => claim.token !== token && this.#isSuspect(claim));
  }

  /** Whether several workers in a row did not come to an end with it, and it would be parked after one or two more. */
  #isSuspect({ attempts }: Claim): boolean {
    return attempts >= Math.max(3, this.#options.attempts - 1);
  }

  async #drain(): Promise<void> {
    this.#handOver.abort();
    const stopping = this.#stop
      ?.then((stop) => stop())
      .catch((error) => {
        this.#tellTrouble({ type: "trouble", doing: "dispatch", error });
      });
    const all = async () => {
      // A claim may be on its way. What it brings is put back.
      await settlesWithin(this.#looking.ended(), claimTime);
      while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    };
    const ended = all();
    if (!(await settlesWithin(ended, this.#options.drain))) {
      this.#breakOff.abort(new DOMException("The worker is drained.", "TimeoutError"));
      await settlesWithin(ended, breakOffTime);
    }
    await settlesWithin(stopping ?? Promise.resolve(), breakOffTime);
    this.#isEnded = true;
  }

  #tellTrouble(event: Extract<WorkerEvent, { type: "trouble" }>): void {
    this.#trouble = `${event.doing}: ${event.error instanceof Error ? event.error.message : String(event.error)}`;
    this.#tell(event);
  }

  #tell(event: WorkerEvent): void {
    this.#troubles.see(event);
    try {
      this.#options.on(event);
    } catch {
      // The listener's own business.
    }
  }
}

/** Milliseconds until a suspect that must not run now is claimed again. */
const suspectDelay = 1000;

/** Milliseconds that a drain waits for a claim. One that comes later ends by its `ttl`. */
const claimTime = 2000;

/** Milliseconds that a run may take to end that was broken off. Runs end in less, unless the store hangs. */
const breakOffTime = 5000;
