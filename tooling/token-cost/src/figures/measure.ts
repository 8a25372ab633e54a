import { createAgent } from "@cogency/agent";
import { filler } from "../conversation/filler.ts";
import type { Form } from "../conversation/reply.ts";
import { instructionCharacters, type Kind, type Script, scriptOf } from "../conversation/script.ts";
import { toolsOf } from "../conversation/tools.ts";
import { type Exchange, repliesOf, ScriptedModel } from "../servers/scripted-model.ts";
import { driverOf, type Way } from "../ways.ts";

/** What a conversation is measured with. */
export interface Plan {
  readonly way: Way;
  readonly kind: Kind;
  readonly turns: number;
  /** Defaults to `json`, the usual text protocol. */
  readonly form?: Form;
  /** Replaces the script of `kind` and `turns`. */
  readonly script?: Script;
}

/**
 * Has an agent and a scripted model on loopback play a conversation, and returns the requests of each turn: of a chat those of one
 * prompt, of a job one.
 *
 * @throws Error if a run does not complete, if the script is not played to its end, or if the agent counts other tokens than the server
 */
export async function measure({
  way,
  kind,
  turns,
  form = "json",
  script = scriptOf(kind, turns),
}: Plan): Promise<Exchange[][]> {
  const model = new ScriptedModel(way.cache(), repliesOf(script, form));
  const server = await way.serve(model);
  try {
    const agent = createAgent({
      provider: way.provider(server.url),
      driver: driverOf[form](),
      mode: way.mode,
      tools: toolsOf(kind),
      instructions: filler("You work in the folder of a project", instructionCharacters),
    });
    const ends: number[] = [];
    let input = 0;
    for (const prompt of script.prompts) {
      const { status, usage, error } = await agent.ask(prompt, { conversation: "measured" });
      if (status !== "completed") throw new Error(`A run of ${way.name} has ${status}.`, { cause: error });
      input += usage.input + usage.cacheRead + usage.cacheWrite;
      ends.push(model.exchanges.length);
    }
    check(way, model, script, input);
    return kind === "job"
      ? model.exchanges.map((one) => [one])
      : ends.map((end, turn) => model.exchanges.slice(ends[turn - 1] ?? 0, end));
  } finally {
    server.close();
  }
}

function check({ name }: Way, { exchanges }: ScriptedModel, { steps }: Script, counted: number): void {
  if (exchanges.length !== steps.length)
    throw new Error(`${name} made ${exchanges.length} requests of ${steps.length}.`);
  const served = exchanges.reduce((sum, { input }) => sum + input, 0);
  if (counted !== served) throw new Error(`The runs of ${name} count ${counted} tokens, and the server ${served}.`);
}
