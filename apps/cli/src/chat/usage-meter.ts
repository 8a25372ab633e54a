import type { Measure } from "@cogency/protocol";

/** What a conversation has used, as its log says. */
export class UsageMeter {
  /** Tokens of all requests. */
  input = 0;
  output = 0;
  /** In the currency of the prices; undefined where a step has no price. */
  cost: number | undefined = 0;
  /** Tokens of the last request and its answer. */
  context = 0;
  /** Whether a provider left a number out, so that it was counted from characters. */
  isEstimated = false;

  add(step: Measure): void {
    const asked = step.input + step.cacheRead + step.cacheWrite;
    this.input += asked;
    this.output += step.output;
    this.context = asked + step.output;
    this.cost = this.cost === undefined || step.cost === undefined ? undefined : this.cost + step.cost;
    this.isEstimated ||= step.estimated === true;
  }

  /** `812 tokens in, 40 out, context 420` */
  text(): string {
    const about = this.isEstimated ? "about " : "";
    const cost = this.cost === undefined || this.input === 0 ? "" : `, cost ${about}${this.cost.toPrecision(2)}`;
    const number = (value: number) => value.toLocaleString("en");
    return `${about}${number(this.input)} tokens in, ${number(this.output)} out, context ${number(this.context)}${cost}`;
  }
}
