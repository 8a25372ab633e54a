import type { LogEvent, Measure } from "@cogency/protocol";

/** What a conversation has used: the sums of the usage in its log. */
export class UsageMeter {
  /** Tokens of all requests, cached ones included. */
  input = 0;
  output = 0;
  /** In the currency of the prices; undefined where a step has no price. */
  cost: number | undefined = 0;
  /** Tokens of the last request and its answer. */
  context = 0;
  /** Whether a provider left a number out, so that it was counted from characters. */
  isEstimated = false;
  /** What conversations of agents have used that this one has started, by their names. */
  readonly #agents = new Map<string, AgentUse>();

  /** Counts what a step used. */
  add(step: Measure): void {
    const asked = step.input + step.cacheRead + step.cacheWrite;
    this.input += asked;
    this.output += step.output;
    this.context = asked + step.output;
    this.cost = this.cost === undefined || step.cost === undefined ? undefined : this.cost + step.cost;
    this.isEstimated ||= step.estimated === true;
  }

  /** Counts what an agent has used so far, with those that it has started itself. Anything else is ignored. */
  addAgent(conversation: unknown, used: unknown): void {
    const { tokens, cost } = (typeof used === "object" && used !== null ? used : {}) as Partial<AgentUse>;
    if (typeof conversation !== "string" || typeof tokens !== "number") return;
    this.#agents.set(conversation, { tokens, ...(typeof cost === "number" && { cost }) });
  }

  /** Counts the steps of a log. */
  static of(events: readonly LogEvent[]): UsageMeter {
    const meter = new UsageMeter();
    for (const [index, event] of events.entries()) {
      if (event.type === "record" && event.kind === "child") meter.addAgent(event.data?.conversation, event.data?.used);
      if (event.type !== "record" || event.kind !== "usage") continue;
      const { context } = meter;
      meter.add(event.data);
      const next = events[index + 1];
      // The request for a summary is none of the conversation.
      if (next?.type === "record" && next.kind === "summary") meter.context = context;
    }
    return meter;
  }

  /** `812 tokens in, 40 out, 3,000 by agents, cost 0.012`; numbers that were estimated follow `about`. */
  text(): string {
    const about = this.#about;
    const tokens = `${about}${number(this.input)} tokens in, ${about}${number(this.output)} out`;
    const agents = this.#byAgents === 0 ? "" : `${about}${number(this.#byAgents)} by agents`;
    return [tokens, agents, this.costText()].filter(Boolean).join(", ");
  }

  /** `cost 0.012`; where it is not known, all tokens: `about 1.3M tokens`. */
  shortText(): string {
    const tokens = this.input + this.output + this.#byAgents;
    return this.costText() || `${this.#about}${tokens.toLocaleString("en", compact)} tokens`;
  }

  /** `cost 0.012`; empty where it is not known. */
  costText(): string {
    const costs = [this.cost, ...[...this.#agents.values()].map(({ cost }) => cost)];
    const known = costs.filter((cost) => cost !== undefined);
    if (known.length < costs.length || this.input === 0) return "";
    return `cost ${this.#about}${amount(known.reduce((sum, cost) => sum + cost, 0))}`;
  }

  /** `context 12 % (24,300 of 200,000)`; without a share where the model's window is not known. */
  contextText(window: number | undefined): string {
    if (window === undefined) return `context ${this.#about}${number(this.context)}`;
    return `${this.shareText(window)} (${number(this.context)} of ${number(window)})`;
  }

  /** `context 12 %`; the tokens that are used where the model's window is not known. */
  shareText(window: number | undefined): string {
    if (window === undefined) return this.contextText(undefined);
    const share = (100 * this.context) / Math.max(1, window);
    return `context ${this.#about}${share > 0 && share < 1 ? "below 1" : Math.round(share)} %`;
  }

  get #byAgents(): number {
    return [...this.#agents.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  }

  get #about(): string {
    return this.isEstimated ? "about " : "";
  }
}

interface AgentUse {
  tokens: number;
  /** Absent where it is not known. */
  cost?: number;
}

const compact = { notation: "compact", maximumFractionDigits: 1 } as const;

function number(value: number): string {
  return value.toLocaleString("en");
}

/** Small amounts keep two significant digits. */
function amount(cost: number): string {
  return cost === 0 || cost >= 1 ? cost.toFixed(2) : cost.toFixed(Math.min(12, 1 - Math.floor(Math.log10(cost))));
}
