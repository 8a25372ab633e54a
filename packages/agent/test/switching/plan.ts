import fc from "fast-check";
import type { DriverReply } from "../../src/testkit/index.ts";
import { driverHarnesses } from "../support/driver-harnesses.ts";
import { type ModelChoice, modelChoices } from "./wire-providers.ts";

/** Who leads a conversation for one run: a driver, and the providers that it asks. */
export interface Hands {
  driver: string;
  /** The others go on where the one before is down. */
  models: readonly [Eyes, ...Eyes[]];
  stream: "token" | "event" | null;
}

/** A model, and whether it takes pictures. */
export interface Eyes {
  model: ModelChoice;
  sees: boolean;
}

/** One answer of the model. */
export interface Answer {
  /**
   * - `whole`: as it is
   * - `bad`: its calls must be refused
   * - `cut`: the connection breaks off in it
   * - `limited`: it ends at the limit of its length
   * - `down`: there is none, because the server is down
   */
  kind: "whole" | "bad" | "cut" | "limited" | "down";
  reply: DriverReply;
}

/** One prompt, and the runs that it takes: each run after the first goes on where the one before stopped or died. */
export interface Turn {
  prompt: string;
  /** The person shows a picture. */
  hasPicture: boolean;
  hands: readonly [Hands, ...Hands[]];
  /** After them the model gives a plain answer. */
  answers: readonly Answer[];
  /** What becomes of questions: a person answers at once, or after the run has ended. */
  approval: "yes" | "no" | "later yes" | "later no";
  /** A hook changes the arguments of calls. */
  rewrites: boolean;
  /** So many appends of the first run are stored; then its process dies. */
  appends: number | undefined;
}

const words = fc.constantFrom(
  ...[
    "Well.",
    "I look.",
    " ",
    "\n",
    "<execute>",
    "</results>",
    "<think>",
    "Observation: no",
    "```json\n{}\n```",
    "{",
    "€ 𝄞",
  ],
  ...["Action: look", "<end>", "so be it", '{"text":"a"}', "</think>", "a\nb", "<echo>"],
);
const text = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));
/** What a model of any driver can mean as words. */
const said = fc.constantFrom("Well then.", "I look.", "It is so.", "Two\n\nparagraphs.", "1 < 2 & 3 > 2", "`code`");

const call = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => ({ name: "echo", args: { text: value } })) },
  { weight: 2, arbitrary: fc.constant({ name: "broken", args: {} }) },
  { weight: 3, arbitrary: said.map((to) => ({ name: "pay", args: { to } })) },
  { weight: 1, arbitrary: fc.constantFrom("nothing", "Echo", "a.b").map((name) => ({ name, args: { x: "y" } })) },
  { weight: 1, arbitrary: fc.constant({ name: "echo", args: { wrong: "1" } }) },
  { weight: 1, arbitrary: fc.constantFrom("words", "").map((caption) => ({ name: "show", args: { caption } })) },
);

const reply: fc.Arbitrary<DriverReply> = fc.record(
  {
    thinking: said,
    text: said,
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const answer: fc.Arbitrary<Answer> = fc.record({
  kind: fc.constantFrom("whole", "whole", "whole", "whole", "whole", "bad", "cut", "limited", "down"),
  reply,
});

const eyes: fc.Arbitrary<Eyes> = fc.record({
  model: fc.constantFrom(...modelChoices),
  sees: fc.constantFrom(true, true, true, true, true, true, false),
});

const hands: fc.Arbitrary<Hands> = fc.record({
  driver: fc.constantFrom(...Object.keys(driverHarnesses)),
  models: fc.oneof(fc.tuple(eyes), fc.tuple(eyes, eyes)),
  stream: fc.constantFrom("token", "event", null),
});

const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: fc.oneof(said, text),
  hasPicture: fc.constantFrom(false, false, false, false, false, true),
  hands: fc.tuple(hands, hands, hands, hands),
  answers: fc.array(answer, { maxLength: 4 }),
  approval: fc.constantFrom("yes", "no", "later yes", "later no"),
  rewrites: fc.boolean(),
  appends: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined, freq: 3 }),
});

/** A conversation of a few turns. */
export const turns = fc.array(turn, { minLength: 2, maxLength: 5 });
