import type { Agent } from "@cogency/agent";
import type { Tool } from "@cogency/tools";
import { block } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import { photograph, pixel, weather } from "../recording/tools.ts";

export const answers = [
  scene("one-answer", "A person greets, and the model answers.", async (stage) => {
    await stage.ask(stage.agent(["Hello, Ada. What can I do for you?<end>"]), "Hello.");
  }),

  scene("two-turns-with-thinking", "Two turns; the model thinks before each answer.", async (stage) => {
    const agent = stage.agent([
      "<think>She asks for the largest moon. That is Ganymede.</think>It is Ganymede, a moon of Jupiter.<end>",
      "<think>The second one is Titan.</think>Titan, a moon of Saturn.<think>Is that all she wants?</think> It has an atmosphere.<end>",
    ]);
    await stage.ask(agent, "Which moon is the largest?");
    await stage.ask(agent, "And the second?");
  }),

  scene("attachments", "A prompt with an image and a file; a tool gives an image back.", async (stage) => {
    const agent = stage.agent(
      [`I look there, too.${block(["photograph", {}])}`, "Both pictures show one pixel.<end>"],
      { tools: [photograph] },
      { attachments: ["image", "file"] },
    );
    await stage.ask(agent, {
      text: "Compare this with the harbour.",
      attachments: [
        { kind: "image", mediaType: "image/png", data: pixel, name: "mine.png" },
        {
          kind: "file",
          mediaType: "application/pdf",
          data: { url: "https://files.example.com/plan.pdf" },
          name: "plan.pdf",
        },
      ],
    });
  }),

  scene(
    "object",
    "The answer has to fit a schema; the first one does not, and the model is asked again.",
    async (stage) => {
      const agent = stage.agent(['{"city":"Paris"}<end>', '{"city":"Paris","rivers":["Seine"]}<end>']);
      const schema = {
        type: "object",
        properties: { city: { type: "string" }, rivers: { type: "array", items: { type: "string" } } },
        required: ["city", "rivers"],
      } as const;
      await agent.object("The capital of France, and its rivers?", schema, stage.key).result;
    },
  ),

  scene("steered", "The person says more while a call runs; the model reads it in its next request.", async (stage) => {
    const steering: Tool = {
      ...weather,
      async execute(args, context) {
        await agent.send(stage.key, { kind: "steer", content: "I meant Lübeck." }, { id: "steer-1", from: "Ada" });
        return weather.execute(args, context);
      },
    };
    const answers = [block(["weather", { city: "Kiel" }]), "In Lübeck it rains, too.<end>"];
    const agent: Agent = stage.agent(answers, { tools: [steering] });
    await stage.ask(agent, "How is the weather?");
  }),

  scene(
    "titled-in-a-run",
    "A prompt from the inbox begins a turn, and the person names the conversation while the model writes.",
    async (stage) => {
      const agent: Agent = stage.agent(["It is a long way to Tromsø, along the coast and over the fells.<end>"], {
        hooks: [
          {
            name: "person",
            async beforeRequest() {
              await agent.send(stage.key, { kind: "title", content: "The way north" }, { id: "title-1", from: "Ada" });
              return undefined;
            },
          },
        ],
      });
      await agent.send(
        stage.key,
        { kind: "prompt", content: "How far is it to Tromsø?" },
        { id: "prompt-1", from: "Ada" },
      );
      await stage.recover(agent);
    },
  ),
];
