import { styleText } from "node:util";
import { UsageError } from "../base/errors/usage-error.ts";
import { askedLine, hiddenLine } from "../base/terminal/asked-line.ts";
import type { Terminal } from "../base/terminal/terminal.ts";
import { counted, oneLine, padded, wordWrapped } from "../base/terminal/text.ts";
import { keepTypedKey } from "../place/api-keys.ts";
import { type ModelServer, modelServers } from "../work/provider/known-servers.ts";
import { type LocalServer, localServers } from "../work/provider/local-servers.ts";
import { type NoProvider, noModel } from "../work/provider/named-provider.ts";

/** The model that a person has chosen. */
export interface OfferedModel {
  readonly provider: string;
  /** Undefined: the one that was named before, or the provider's own default. */
  readonly model?: string | undefined;
}

interface Way {
  readonly what: string;
  take(): Promise<OfferedModel>;
}

/**
 * Says that there is no model to ask yet, and offers what there is: to set a key, a server that runs on this machine, and the offline
 * model.
 *
 * @param model the name that was given without a server
 * @param found the servers of this machine that answer
 * @throws UsageError if the person leaves, which says what to set
 */
export async function offerModel(
  { problem, maker }: NoProvider,
  model: string | undefined,
  terminal: Terminal,
  found = localServers(),
): Promise<OfferedModel> {
  const servers = await found;
  const keyed = maker ? [maker] : modelServers.filter(({ keyVariables }) => keyVariables.length > 0);
  const ways: Way[] = [
    {
      what: maker ? `set a key of ${maker.name}` : `set a key: ${keyed.map(({ name }) => name).join(", ")}`,
      take: () => withNewKey(keyed, model, terminal),
    },
    ...servers.flatMap((server) => wayTo(server, terminal)),
    {
      what: "try the offline model: it is small, knows only plain requests for files, and sends nothing anywhere",
      take: async () => ({ provider: "offline" }),
    },
  ];
  const head = problem === noModel ? "There is no model to ask yet: no key is set." : problem;
  const shown = wordWrapped(head, Math.max(20, (terminal.output.columns ?? 80) - 1)).join("\n");
  terminal.output.write(`${styleText("bold", shown, { stream: terminal.output as NodeJS.WriteStream })}\n`);
  const way = await chosen(
    ways.map(({ what }) => what),
    terminal,
  );
  const taken = way === undefined ? undefined : ways[way];
  if (!taken) throw new UsageError(problem);
  return taken.take();
}

/** A server without a model is named, and cannot be chosen. */
function wayTo(server: LocalServer, terminal: Terminal): Way[] {
  const { provider, address, models } = server;
  const [first] = models;
  if (first === undefined) {
    terminal.output.write(`${provider} runs at ${new URL(address).host}, and has no model yet.\n`);
    return [];
  }
  const has = models.length === 1 ? oneLine(first, 60) : counted(models.length, "model");
  return [
    {
      what: `use ${provider}, which runs on this machine at ${new URL(address).host}: ${has}`,
      take: async () => ({ provider, model: await oneOf(models, terminal) }),
    },
  ];
}

async function oneOf(models: readonly string[], terminal: Terminal): Promise<string> {
  const at = models.length === 1 ? 0 : await chosen(models, terminal);
  const model = at === undefined ? undefined : models[at];
  if (model === undefined) throw new UsageError("No model was chosen. Name one with --model.");
  return model;
}

async function withNewKey(
  servers: readonly ModelServer[],
  model: string | undefined,
  terminal: Terminal,
): Promise<OfferedModel> {
  const at =
    servers.length === 1
      ? 0
      : await chosen(
          servers.map(({ name, home }) => `${padded(name, 11)} ${new URL(home).host}`),
          terminal,
        );
  const { name, keyVariables } = (at === undefined ? undefined : servers[at]) ?? {};
  const variable = keyVariables?.[0];
  if (name === undefined || variable === undefined) throw new UsageError("No key was set.");
  await keepTypedKey(variable, await hiddenLine(`${variable} (it is not shown): `, terminal));
  return { provider: name, model };
}

/** Asks for the number of a line. @returns undefined if the person leaves */
async function chosen(lines: readonly string[], terminal: Terminal): Promise<number | undefined> {
  const columns = Math.max(20, (terminal.output.columns ?? 80) - 5);
  const shown = lines.map((line, at) => `  ${at + 1}  ${wordWrapped(oneLine(line, 200), columns).join("\n     ")}\n`);
  terminal.output.write(shown.join(""));
  for (;;) {
    const line = await askedLine(`Which one? 1 to ${lines.length}, and Enter; Enter alone leaves: `, terminal);
    const typed = line?.trim() ?? "";
    if (typed === "") return undefined;
    if (/^\d{1,3}$/.test(typed) && lines[Number(typed) - 1] !== undefined) return Number(typed) - 1;
  }
}
