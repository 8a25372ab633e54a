import type { Form } from "../conversation/reply.ts";
import { instructionCharacters, type Kind, scriptOf, sizes } from "../conversation/script.ts";
import { tokensOf } from "../servers/asked.ts";
import type { Exchange } from "../servers/scripted-model.ts";
import { tokensIn } from "../tokens.ts";
import { type WayName, ways } from "../ways.ts";
import { costOf, totalOf } from "./cost.ts";
import { type Figures, type FormFigures, longest, type TurnFigures } from "./figures.ts";
import { measure } from "./measure.ts";

/** Plays every conversation over every way, and a chat in every form. Takes some seconds. */
export async function measureAll(): Promise<Figures> {
  const conversations = [];
  for (const kind of ["chat", "job"] satisfies Kind[]) {
    for (const way of Object.keys(ways) as WayName[]) {
      const turns = await measure({ way: ways[way], kind, turns: longest });
      conversations.push({ kind, way, turns: turns.map(figuresOf) });
    }
  }
  const forms = [];
  for (const form of ["json", "xml", "native", "react"] satisfies Form[]) forms.push(await measureForm(form));
  return { conversations, forms };
}

function figuresOf(exchanges: readonly Exchange[]): TurnFigures {
  return totalOf(exchanges.map(({ asked, ...figures }) => figures));
}

async function measureForm(form: Form): Promise<FormFigures> {
  const way = ways.cached;
  const script = scriptOf("chat", longest);
  const thoughtless = { ...script, steps: script.steps.map((step) => ({ ...step, thought: "" })) };
  const plan = { way, kind: "chat", turns: longest, form } as const;
  const [thinking, bare] = [await measure(plan), await measure({ ...plan, script: thoughtless })];
  const { prompt, call, result, answer } = sizes.chat;
  const first = bare[0]?.[0]?.asked.sections ?? [];
  const turns = thinking.map(figuresOf);
  return {
    form,
    fixed: tokensOf(first.filter(({ kind }) => kind === "tool" || kind === "system")) - tokensIn(instructionCharacters),
    turn: Math.round(growthOf(bare) - (prompt + call + result + answer)),
    thoughts: Math.round(growthOf(thinking) - growthOf(bare)),
    input: totalOf(turns).input,
    cost: costOf(turns, way.price),
  };
}

/** By how many tokens the last request of a turn is longer than that of the turn before, on average. */
function growthOf(turns: readonly (readonly Exchange[])[]): number {
  const [first, last] = [turns[0], turns.at(-1)].map((turn) => turn?.at(-1)?.input ?? 0) as [number, number];
  return (last - first) / (turns.length - 1);
}
