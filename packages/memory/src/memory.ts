import type { Capability } from "@cogency/agent";
import { above, callback, checkOptions, having, name, required, whole } from "@cogency/protocol/options";
import { isProviderError, type Provider, providerKind } from "@cogency/provider";
import { isStoreError, type Redact, redactSecrets, type Store } from "@cogency/storage";
import { isMemoryError } from "./errors.ts";
import { type Learned, learn } from "./learn/learn.ts";
import { Pause } from "./learn/pause.ts";
import { memoryText } from "./profile/memory-text.ts";
import { readProfile } from "./profile/read-profile.ts";

export interface MemoryOptions {
  /** Where conversations and profiles live: the store of the agent. */
  store: Store;
  /** The model that chooses what is remembered. Without one nothing is learned: the profile holds what persons type into it. */
  provider?: Provider | undefined;
  /** The model of the provider that is asked. Defaults to the provider's own. */
  model?: string | undefined;
  /** After how many new messages of a person the model is asked. Defaults to 10. */
  every?: number | undefined;
  /** Milliseconds that one look may take. Defaults to 60,000. */
  timeout?: number | undefined;
  /** Takes secrets out of what the model reads, and refuses excerpts that hold one. Defaults to `redactSecrets` of `@cogency/storage`. */
  redact?: Redact | undefined;
  /** Returns Unix time in seconds. Defaults to the system's clock. */
  clock?: (() => number) | undefined;
  /**
   * Called when learning after a run has failed. The next run tries again; if the model was at fault, the first run after a pause of a
   * minute, twice as long after each failure in a row, at most an hour. Defaults to `console.warn`.
   */
  warn?: ((message: string) => void) | undefined;
  /** Called when the model was asked after a run: what is new, and what that took. */
  onLearned?: ((learned: Learned) => void) | undefined;
}

/** What an agent remembers of the persons who talk to it. */
export interface AgentMemory {
  /** For `agent.use`: each run reads the profile of its user, and may learn when it has ended. */
  readonly capability: Capability;
  /**
   * Learns from the new messages of a user now, if there are `every` of them.
   *
   * @throws MemoryError, StoreError, ProviderError; TimeoutError after `timeout`; TypeError without a provider
   */
  learn(user?: string): Promise<Learned>;
  /** Resolves when nothing is being learned. Never rejects. */
  settled(): Promise<void>;
  /** Ends what is being learned, which the next run then begins anew, and learns nothing more. Never rejects. */
  close(): Promise<void>;
}

/**
 * Memories of persons, over all their conversations: their own words, which a model chooses and no model writes. They stand at the end of
 * the agent's instructions, and in no log.
 *
 * @throws TypeError, RangeError
 * @example
 * const remembered = memory({ store, provider });
 * const agent = createAgent({ provider, store, keyRing }).use(remembered.capability);
 */
export function memory(options: MemoryOptions): AgentMemory {
  checkMemory(options);
  const { store, provider, model, every = 10, timeout = 60_000, redact = redactSecrets } = options;
  const { clock = () => Date.now() / 1000, warn = console.warn, onLearned } = options;
  const closing = new AbortController();
  const pause = new Pause(clock);
  /** Whose runs have ended during a look, which did not see the last messages. */
  const missed = new Set<string | undefined>();
  const working = new Map<string | undefined, Promise<Learned>>();

  const learnFor = (user: string | undefined): Promise<Learned> => {
    const known = working.get(user);
    if (known) return known;
    if (!provider)
      return Promise.reject(new TypeError("memory: learning needs a `provider`, which chooses the words."));
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeout)]);
    const learning = learn({ store, provider, model, every, redact, clock }, user, signal).finally(() =>
      working.delete(user),
    );
    working.set(user, learning);
    return learning;
  };
  const learnBehind = (user: string | undefined) => {
    if (!provider || closing.signal.aborted || !pause.isOver) return;
    if (working.has(user)) {
      missed.add(user);
      return;
    }
    learnFor(user).then(
      (learned) => {
        pause.succeeded();
        if (learned.messages >= every) onLearned?.(learned);
        if (missed.delete(user)) learnBehind(user);
      },
      (error: unknown) => {
        if (closing.signal.aborted || (isStoreError(error) && error.code === "closed")) return;
        // A profile or a store that cannot be read costs no request, and may be that of one user.
        const isOfModel = !isMemoryError(error) && !isStoreError(error);
        const until = isOfModel
          ? `The next try is in ${pause.failed(retryAfterOf(error))} seconds at the earliest. `
          : "";
        const why = error instanceof Error ? error.message : error;
        warn(`Nothing was learned from the last messages. ${until}${why}`);
      },
    );
  };
  const settled = async () => {
    while (working.size > 0) await Promise.allSettled(working.values());
  };
  return {
    capability: {
      name: "memory",
      async instructionsOfRun({ user, scope }) {
        const { profile } = await readProfile(store, user);
        return memoryText(profile, scope);
      },
      hooks: [
        {
          name: "memory",
          afterRun({ user }) {
            learnBehind(user);
            return undefined;
          },
        },
      ],
    },
    learn: learnFor,
    settled,
    async close() {
      closing.abort(new DOMException("The memory was closed.", "AbortError"));
      await settled();
    },
  };
}

function retryAfterOf(error: unknown): number | undefined {
  return isProviderError(error) ? error.retryAfter : undefined;
}

/** @throws TypeError, RangeError */
function checkMemory(options: MemoryOptions): void {
  checkOptions<MemoryOptions>("memory", options, {
    store: required(having("a store such as `sqliteStore()` makes", "append", "load", "saveProfile")),
    provider: providerKind,
    model: name,
    every: whole(1, 200),
    timeout: above(0, "milliseconds"),
    redact: callback,
    clock: callback,
    warn: callback,
    onLearned: callback,
  });
}
