import { plan } from "@cogency/plan";
import { block } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import { ferry, survey, weather } from "../recording/tools.ts";

export const calls = [
  scene("one-tool", "The model calls a tool, which tells its progress, and answers.", async (stage) => {
    const agent = stage.agent(
      [`I count them.${block(["survey", { harbour: "Kiel" }])}`, "There are twelve boats.<end>"],
      { tools: [survey], recordRequests: true },
    );
    await stage.ask(agent, "How many boats are in Kiel?");
  }),

  scene("parallel-tools-one-fails", "Three calls side by side; one of them fails.", async (stage) => {
    const agent = stage.agent(
      [
        block(["weather", { city: "Kiel" }], ["ferry", { to: "Mars" }], ["weather", { city: "Oslo" }]),
        "It rains in both, and no ferry goes to Mars.<end>",
      ],
      { tools: [weather, ferry] },
    );
    await stage.ask(agent, "The weather in Kiel and Oslo, and a ferry to Mars?");
  }),

  scene(
    "wrong-arguments",
    "A call lacks an argument, and one is of a tool that does not exist; the model mends it.",
    async (stage) => {
      const agent = stage.agent(
        [
          block(["weather", {}], ["teleport", { to: "Oslo" }]),
          block(["weather", { city: "Oslo" }]),
          "Rain, at nine degrees.<end>",
        ],
        { tools: [weather] },
      );
      await stage.ask(agent, "The weather in Oslo?");
    },
  ),

  scene(
    "plan-and-title",
    "The model keeps a plan, and the person renames the conversation afterwards.",
    async (stage) => {
      const steps = (first: string, second: string) => [
        { step: "Look at the weather", state: first },
        { step: "Pack", state: second },
      ];
      const agent = stage
        .agent(
          [
            block(["plan", { steps: steps("now", "open") }]),
            block(["weather", { city: "Oslo" }], ["plan", { steps: steps("done", "now") }]),
            `Pack for rain.${block(["plan", { steps: steps("done", "done") }])}`,
            "Done.<end>",
          ],
          { tools: [weather] },
        )
        .use(plan());
      await stage.ask(agent, "What do I pack for Oslo?");
      const title = {
        type: "record",
        kind: "title",
        data: { text: "Packing for Oslo" },
        timestamp: 1_790_000_100,
      } as const;
      await stage.store.append(stage.key, [title]);
    },
  ),

  scene("refused-block", "A block of calls is not JSON and is refused; the model writes it again.", async (stage) => {
    const agent = stage.agent(
      [
        'I look.<execute>[{"name":"weather","args":{"city":"Oslo"}},{"name":"weather","args":{city:"Kiel"}}]</execute>',
        `Once more.${block(["weather", { city: "Oslo" }])}`,
        "Rain, at nine degrees.<end>",
      ],
      { tools: [weather] },
    );
    await stage.ask(agent, "The weather in Oslo?");
  }),

  scene(
    "stopped-by-a-budget",
    "The model goes on and on; the budget of the run ends it after two steps.",
    async (stage) => {
      const agent = stage.agent([block(["weather", { city: "Kiel" }]), block(["weather", { city: "Oslo" }])], {
        tools: [weather],
        budget: { steps: 2 },
      });
      await stage.ask(agent, "Look at every city.");
    },
  ),
];
