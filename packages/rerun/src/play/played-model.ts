import type { AgentOptions } from "@cogency/agent";
import { type ScriptStep, scriptedDriver } from "@cogency/agent/scripted";
import { type ModelRequest, type Provider, ProviderError, scripted } from "@cogency/provider";
import { PlayError } from "./play-error.ts";
import type { PlayOptions } from "./play-parts.ts";
import type { PlayedStep } from "./played-step.ts";
import type { PackedRequest } from "./recorded-request.ts";
import { writeAnswer } from "./write-answer.ts";

/** More requests than a conversation has. */
const many = 100_000;

/** The model of a play: writes one step after another, in the form in which the recorded model wrote. */
export class PlayedModel {
  readonly provider: Provider;
  /** That of the recorded steps, if they were recorded with a driver that asks no model. */
  readonly driver: AgentOptions["driver"];
  onSteer: (content: string) => Promise<unknown> = async () => {};
  onCancel: () => Promise<unknown> = async () => {};
  readonly #steps: PlayedStep[] = [];
  #written = 0;
  /** Whether it was asked for a step that there is not. */
  isOverdrawn = false;

  /** @param onRequest called with each request, before it is answered */
  constructor(
    { writes = "json", provider: name, model, requests = [] }: PlayOptions,
    onRequest: (made: ModelRequest) => void,
  ) {
    const hasFormat = requests.some((request) => (request as PackedRequest).settings?.format !== undefined);
    const isNative = writes === "native" || writes === "scripted";
    const script =
      writes === "scripted" ? scriptedDriver(new Array(many).fill(() => scriptStep(this.#next()))) : undefined;
    const answers = writes === "scripted" ? [] : new Array(many).fill(() => writeAnswer(this.#next(), writes));
    const inner =
      script?.provider ??
      scripted(answers, {
        capabilities: { tools: isNative, reasoning: isNative, format: hasFormat, attachments: ["image", "file"] },
      });
    this.driver = script?.driver;
    const stream = (request: ModelRequest, options?: Parameters<Provider["stream"]>[1]) =>
      this.#stream(inner, request, options, onRequest);
    this.provider = { ...inner, name: name ?? inner.name, model: model ?? inner.model, stream };
  }

  add(steps: readonly PlayedStep[]): void {
    this.#steps.push(...steps);
  }

  /** @throws PlayError `unused_steps` */
  end(): void {
    const left = this.#steps.length - this.#written;
    if (left === 0) return;
    const next = this.#steps[this.#written] as PlayedStep;
    const what = next.text ?? next.calls?.map((call) => call.name).join(", ") ?? "";
    const first = what === "" ? "" : ` The first of them: ${JSON.stringify(what.slice(0, 200))}.`;
    throw new PlayError(
      "unused_steps",
      `The agent asked the model ${this.#written} times, and ${this.#steps.length} times when it was recorded.${first}`,
    );
  }

  async *#stream(
    inner: Provider,
    request: ModelRequest,
    options: Parameters<Provider["stream"]>[1],
    onRequest: (made: ModelRequest) => void,
  ) {
    onRequest(structuredClone(request));
    const { steer, cancelled } = this.#steps[this.#written] ?? {};
    if (steer !== undefined) await this.onSteer(steer);
    let isCancelled = false;
    for await (const event of inner.stream(request, options)) {
      yield event;
      // The text is there before the person cancels.
      if (cancelled && !isCancelled && event.type === "text") {
        isCancelled = true;
        await this.onCancel();
      }
    }
  }

  #next(): PlayedStep {
    const step = this.#steps[this.#written];
    if (!step) {
      this.isOverdrawn = true;
      throw new ProviderError("bad_request", "The recorded model has no more steps.");
    }
    this.#written++;
    return step;
  }
}

function scriptStep({ think, text, calls = [], fails }: PlayedStep): ScriptStep {
  return {
    ...(think !== undefined && { think }),
    ...(text !== undefined && { text }),
    calls: calls.map(({ name, args = {} }) => ({ name, args })),
    ...(fails && {
      error: new ProviderError(fails, `The recorded model failed here: ${fails}.`, { retryable: false }),
    }),
  };
}
