/**
 * What the first Cogency says of its two modes: the tokens of so many turns of a run, 1,500 of system prompt, 200 of thought, 100 of
 * call and 300 of result each. https://github.com/iteebz/cogency/blob/main/docs/proof.md
 */
export const claim = {
  replay: (turns: number) => 1500 * turns + 300 * turns ** 2,
  resume: (turns: number) => 1200 + 600 * turns,
};
