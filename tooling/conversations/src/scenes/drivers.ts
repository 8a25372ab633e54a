import { protocolDriver } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { reactDriver } from "@cogency/agent/react";
import { scriptedDriver } from "@cogency/agent/scripted";
import { nativeCall, reasoning, words } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import { survey, weather } from "../recording/tools.ts";

export const drivers = [
  scene(
    "native-driver",
    "The provider's own calls, with streamed arguments, reasoning, and blocks of the provider.",
    async (stage) => {
      const native = [{ type: "reasoning", signature: "c2lnbmF0dXJl" }];
      const agent = stage.agent(
        [
          {
            events: [
              ...reasoning("I need both cities."),
              ...words("I look at both."),
              ...nativeCall(0, "toolu_1", "weather", { city: "Kiel" }),
              ...nativeCall(1, "toolu_2", "weather", { city: "Reykjavík, the capital of Iceland" }),
              { type: "finish", reason: "tool_calls", native },
            ],
          },
          { events: [...reasoning("Rain everywhere."), ...words("It rains in both.")] },
        ],
        { tools: [weather], driver: nativeDriver(), recordRequests: true },
        { tools: true, reasoning: true },
      );
      await stage.ask(agent, "The weather in Kiel and Reykjavík?");
    },
  ),

  scene(
    "native-driver-refused",
    "A native call was cut off: none of its message runs, and the model calls again.",
    async (stage) => {
      const agent = stage.agent(
        [
          {
            events: [
              { type: "tool_call_delta", index: 0, id: "a", name: "weather", arguments: '{"city":"Ki' },
              { type: "tool_call", id: "a", name: "weather", arguments: '{"city":"Ki' },
              { type: "finish", reason: "length" },
            ],
          },
          { events: nativeCall(0, "b", "weather", { city: "Kiel" }) },
          { events: words("Rain in Kiel.") },
        ],
        { tools: [weather], driver: nativeDriver() },
        { tools: true },
      );
      await stage.ask(agent, "The weather in Kiel?");
    },
  ),

  scene("react-driver", "A model that writes one decision a step as JSON.", async (stage) => {
    const agent = stage.agent(
      [
        '{"thought":"I look at the weather.","type":"call_tool","tool":"weather","args":{"city":"Oslo"}}',
        "It rains.",
        '{"thought":"Now I know it.","type":"final_answer","answer":"It rains in Oslo."}',
      ],
      { tools: [weather], driver: reactDriver(), recordRequests: true },
    );
    await stage.ask(agent, "The weather in Oslo?");
  }),

  scene("xml-dialect", "The text protocol in its XML dialect; two calls run one after another.", async (stage) => {
    const agent = stage.agent(
      [
        "I look and count.<execute><weather><city>Oslo</city></weather><survey><harbour>Oslo</harbour></survey></execute>",
        "Rain, and twelve boats.<end>",
      ],
      { tools: [weather, survey], driver: protocolDriver({ dialect: "xml" }), recordRequests: true },
    );
    await stage.ask(agent, "The weather in Oslo, and its boats?");
  }),

  scene("scripted-driver", "A driver that asks no model.", async (stage) => {
    const { driver, provider } = scriptedDriver([
      { think: "I look.", text: "One moment.", calls: [{ name: "weather", args: { city: "Kiel" } }] },
      "It rains.",
    ]);
    await stage.ask(
      stage.agentOf({ driver, provider, tools: [weather], recordRequests: true }),
      "The weather in Kiel?",
    );
  }),
];
