import type { JsonObject, ToolCall } from "@cogency/protocol";
import { canonicalJson } from "@cogency/tools/host";

/** A call that can answer another one. */
export interface KnownCall {
  readonly name: string;
  readonly args: JsonObject;
  /** The same call as the model wrote it, or as it ran after a hook had changed it. */
  readonly other?: Pick<ToolCall, "name" | "args"> | undefined;
}

/** Recorded calls that have answered no call yet. */
export class CallsLeft<Call> {
  readonly #read: (call: Call) => KnownCall;
  #left: { readonly call: Call; readonly spellings: readonly string[] }[] = [];
  readonly #known = new Set<string>();

  constructor(read: (call: Call) => KnownCall) {
    this.#read = read;
  }

  get all(): readonly Call[] {
    return this.#left.map(({ call }) => call);
  }

  add(calls: readonly Call[]): void {
    for (const call of calls) {
      const { name, args, other } = this.#read(call);
      const spellings = [{ name, args }, ...(other ? [other] : [])].map(spelled);
      this.#left.push({ call, spellings });
      for (const one of spellings) this.#known.add(one);
    }
  }

  /** Takes the first one with this name and these arguments, as canonical JSON. Undefined if there is none. */
  take(wanted: Pick<ToolCall, "name" | "args">): Call | undefined {
    const text = spelled(wanted);
    const at = this.#left.findIndex(({ spellings }) => spellings.includes(text));
    return at === -1 ? undefined : this.#left.splice(at, 1)[0]?.call;
  }

  /** Whether there ever was one with this name and these arguments. */
  has(wanted: Pick<ToolCall, "name" | "args">): boolean {
    return this.#known.has(spelled(wanted));
  }
}

function spelled({ name, args }: Pick<ToolCall, "name" | "args">): string {
  return canonicalJson([name, args]);
}
