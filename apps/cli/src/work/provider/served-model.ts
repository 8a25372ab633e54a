import { nearestNames } from "@cogency/protocol/options";
import { messageOf } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { readApiKeys } from "../../place/api-keys.ts";
import { modelServers } from "./known-servers.ts";
import { modelsAt, modelsOf } from "./server-models.ts";

/** Milliseconds that a server may take to list its models. */
const timeout = 5000;

/** The presets whose server has no model of its own, but those that were loaded into it. */
const withoutDefault: readonly string[] = ["ollama", "vllm", "sglang", "lmstudio"];

/**
 * The model of a server that is not the provider's own, which knows no model of that name: the only one that it lists.
 *
 * @param address undefined for the provider's own server
 * @param tell receives the name that was chosen
 * @returns undefined if the provider has a default that fits
 * @throws UsageError if the server has several models, none, or does not say
 */
export async function servedModel(
  provider: string,
  address: string | undefined,
  keys: readonly string[] | undefined,
  tell: (text: string) => void,
): Promise<string | undefined> {
  const server = modelServers.find(({ name }) => name === provider);
  if (!server) return undefined;
  const isOwn = address === undefined || new URL(address).host === new URL(server.home).host;
  if (isOwn && !withoutDefault.includes(provider)) return undefined;
  const { host } = new URL(address ?? server.home);
  const models = await modelsAt(provider, address ?? server.home, keys?.[0] ?? "", timeout).catch((error: Error) => {
    throw new UsageError(
      `--model is missing, and ${host} did not say which models it has: ${oneLine(messageOf(error), 300)} Name the model with --model.`,
      { cause: error },
    );
  });
  const [only] = models;
  if (only === undefined) throw new UsageError(`${host} has no model yet: load one there, and name it with --model.`);
  if (models.length > 1) {
    const more = models.length > mostNamed ? ` and ${models.length - mostNamed} more` : "";
    const names = models.slice(0, mostNamed).map((model) => oneLine(model, 80));
    throw new UsageError(`${host} has several models; name one with --model: ${names.join(", ")}${more}.`);
  }
  tell(`${host} has one model: ${oneLine(only, 80)}`);
  return only;
}

const mostNamed = 12;

/**
 * What to say if the provider's own server lists no model of that name; undefined if it does, and where it cannot be asked. Servers
 * know names that they do not list, such as `claude-sonnet-5-5` for a dated one, so this refuses nothing.
 */
export async function doubtOf(provider: string, model: string): Promise<string | undefined> {
  const server = modelServers.find(({ name }) => name === provider);
  const said = server && (await modelsOf(server, timeout, { ...(await readApiKeys()), ...process.env }));
  if (!said || !("models" in said) || said.models.some((name) => name.startsWith(model))) return undefined;
  const near = nearestNames(model, said.models);
  const meant = near.length > 0 ? ` Did you mean ${near.map((name) => oneLine(name, 80)).join(" or ")}?` : "";
  return `${provider} lists no model "${oneLine(model, 80)}".${meant} cogency models ${provider} lists them.`;
}
