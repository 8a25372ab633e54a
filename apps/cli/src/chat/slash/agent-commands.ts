import { presentTool } from "@cogency/plan/log";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { presets } from "../../place/provider/presets.ts";
import { modeMeanings, modes } from "../../place/rules/mode.ts";
import { serverPlace } from "../../work/mcp/server-place.ts";
import { doubtOf } from "../../work/provider/served-model.ts";
import type { SlashCommand } from "./slash-command.ts";

const providers = ["offline", "openai", "anthropic", "google", ...presets];

/** The options that belong to the server of the provider before. */
const ofServer = { baseUrl: undefined, apiKeyEnv: undefined, api: undefined };

const drivers = ["protocol", "native", "react", "auto"] as const;

/** Which model answers, how it is asked, and what it may do. In the order of the help. */
export const agentCommands: readonly SlashCommand[] = [
  {
    name: "model",
    argument: "[provider] [name]",
    help: "which model answers from now on, in the same conversation",
    complete: () => providers,
    async run(conversation, argument) {
      const [first, second, ...more] = argument.split(/\s+/).filter(Boolean);
      if (more.length > 0) throw new UsageError("/model takes the name of a model, or a provider and a name.");
      if (first !== undefined && second !== undefined)
        await conversation.session.change({ ...ofServer, provider: first, model: second });
      else if (first !== undefined && providers.includes(first))
        await conversation.session.change({ ...ofServer, provider: first, model: undefined });
      else if (first !== undefined) await conversation.session.change({ model: first });
      const { provider, model: name, baseUrl } = conversation.session.choice;
      const canDoubt = first !== undefined && provider !== undefined && name !== undefined && baseUrl === undefined;
      const doubt = canDoubt ? await doubtOf(provider, name) : undefined;
      if (doubt !== undefined) conversation.view.remark(doubt);
      conversation.view.remark(`model ${await conversation.modelText()}`);
    },
  },
  {
    name: "driver",
    argument: "[driver]",
    help: `how the model is asked for calls: ${drivers.join(", ")}`,
    complete: () => drivers,
    async run({ session, view }, argument) {
      const found = drivers.find((name) => name === argument);
      if (found) await session.change({ driver: found });
      else if (argument !== "")
        throw new UsageError(`There is no driver ${oneLine(argument, 60)}: ${drivers.join(", ")}.`);
      view.remark(`driver ${session.choice.driver}`);
    },
  },
  {
    name: "mode",
    argument: "[mode]",
    help: `which calls run without a question: ${modes.join(", ")}; Shift-Tab goes through the first five`,
    anytime: true,
    complete: () => modes,
    async run(conversation, argument) {
      const chosen = modes.find((name) => name === argument);
      if (chosen) await conversation.session.setMode(chosen);
      else if (argument !== "") throw new UsageError(`There is no mode ${oneLine(argument, 60)}: ${modes.join(", ")}.`);
      const now = conversation.state.mode;
      conversation.view.remark(`mode ${now}: ${modeMeanings[now]}`);
    },
  },
  {
    name: "tools",
    help: "what the model may call",
    async run({ session, view, state }) {
      const { tools: own, extensions, mcp } = await session.open();
      const all = [...own, ...mcp.tools()];
      // In other modes it is not offered.
      const tools = all.filter(({ name }) => name !== presentTool || state.mode === "plan");
      const places = extensions.extensions.flatMap(({ name, tools }) =>
        tools.map((tool) => [tool.name, name] as const),
      );
      const ofServers = mcp.tools().map(({ name }) => [name, serverPlace(name.split("__")[0] ?? "")] as const);
      const from = new Map([...places, ...ofServers]);
      if (tools.length === 0) view.remark("The model has no tools.");
      else
        view.list(
          tools.map(({ name, description }) => {
            const place = from.get(name);
            const what = description.split(/\.\s/)[0] ?? "";
            return [name, oneLine(place === undefined ? what : `${place} · ${what}`, 200)];
          }),
        );
      for (const problem of extensions.problems) view.remark(problem, "warning");
    },
  },
];
