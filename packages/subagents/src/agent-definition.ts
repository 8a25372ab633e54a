import type { Budget } from "@cogency/agent";
import type { Driver } from "@cogency/agent/driver";
import type { Provider } from "@cogency/provider";
import type { Content } from "@cogency/tools";

/** An agent to which another one gives work. */
export interface AgentDefinition {
  /** As the model names it: lower-case letters, digits and hyphens, at most 64, beginning with a letter or a digit. */
  readonly name: string;
  /** When to use it. The parent's model reads it in the description of the tool `agent`, on one line of at most 1,024 characters. */
  readonly description: string;
  /** Its system prompt. It reads nothing of the parent's. */
  readonly instructions: string;
  /** The only tools that it may have, of those that the parent has. Defaults to all of the parent's; `[]` is none. */
  readonly tools?: readonly string[] | undefined;
  /** Tools that it does not have, also of those in `tools`. */
  readonly withoutTools?: readonly string[] | undefined;
  /** Its model. Defaults to that of the parent. */
  readonly provider?: Provider | undefined;
  /** How its model is asked. Defaults to that of the parent. */
  readonly driver?: Driver | ((provider: Provider) => Driver) | undefined;
  /** Its own limits, beside what the parent has left. */
  readonly budget?: Budget | undefined;
  /** What `description` and `instructions` hold: `untrusted` if no person vouches for them. Defaults to nothing. */
  readonly holds?: readonly Content[] | undefined;
}
