import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { generate, type Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { openRoot } from "@cogency/toolbox";
import { sharedNetworkProblem, shellIsolation } from "@cogency/toolbox/shell";
import { engines } from "../../package.json";
import { configurationFolder } from "../base/configuration-folder.ts";
import { messageOf } from "../base/errors/message-of.ts";
import { redacted } from "../base/errors/redacted.ts";
import { existingKeyFile, keyFileName } from "../base/files/key-file.ts";
import { counted, oneLine } from "../base/terminal/text.ts";
import { apiKeyFile, readApiKeys } from "../place/api-keys.ts";
import type { Options } from "../place/config/option-table.ts";
import { openStore } from "../place/store/open-store.ts";
import { isServer, shownStore } from "../place/store/store-address.ts";
import { checkMode } from "../work/check-mode.ts";
import { chooseProvider, type ProviderChoice } from "../work/provider/choose-provider.ts";
import { modelServers } from "../work/provider/known-servers.ts";
import { modelsOf } from "../work/provider/server-models.ts";
import type { Finding } from "./finding.ts";

function ok(about: string, text: string): Finding {
  return { about, state: "ok", text };
}

function remark(about: string, text: string, mend?: string): Finding {
  return { about, state: "note", text, ...(mend !== undefined && { mend }) };
}

function fault(about: string, text: string, mend: string): Finding {
  return { about, state: "fault", text, mend };
}

/** Whether this Node can run the app, the chat included. */
export function checkNode(version: string = process.versions.node): Finding {
  const least = engines.node.replace(/^>=/, "");
  if (isAtLeast(version, least)) return ok("node", version);
  return fault("node", `${version} is too old`, `Install Node ${least} or newer.`);
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** What the chat can do at this terminal. */
export function checkTerminal(
  stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "rows" | "getColorDepth"> = process.stdout,
  environment: NodeJS.ProcessEnv = process.env,
): Finding {
  if (!stream.isTTY) return ok("terminal", "none here");
  const { TERM = "", LC_ALL, LC_CTYPE, LANG } = environment;
  const size = `${stream.columns} × ${stream.rows}`;
  if (TERM === "" || TERM === "dumb")
    return remark(
      "terminal",
      `TERM is ${TERM || "not set"}, so the chat writes plain lines`,
      "Set TERM, as to xterm-256color.",
    );
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  if (!/utf-?8/i.test(locale))
    return remark(
      "terminal",
      `the locale ${locale || "is not set, so it"} may show signs such as ✓ wrong`,
      "Set LANG to a UTF-8 locale, such as C.UTF-8.",
    );
  if (stream.columns < 40 || stream.rows < 10)
    return remark("terminal", `${size} is small for a chat`, "Make the window 40 columns and 10 rows or larger.");
  return ok("terminal", `${TERM}, ${size}, ${2 ** stream.getColorDepth()} colours`);
}

/** Whether the store of the conversations can be opened, read and written. A store that does not exist is not made. */
export async function checkStore(place: string): Promise<Finding> {
  const shown = shownStore(place);
  try {
    if (!isServer(place) && !(await exists(place))) return await checkNewStore(place, shown);
    const store = await openStore(place, { readOnlyIfNeeded: true });
    try {
      const [latest] = await store.conversations({ limit: 1 });
      const events = latest ? `the latest conversation has ${counted(latest.events, "event")}` : "no conversation yet";
      const problem = await problemOfWriting(store);
      if (problem === undefined) return ok("store", `${shown}, ${events}`);
      return fault("store", problem, "Until then, conversations can be read, and none can begin or go on.");
    } finally {
      await store.close();
    }
  } catch (error) {
    const advice = isServer(place)
      ? "Start the server, or give the address of another one in COGENCY_STORE."
      : `Move the file away, as to ${shown}.broken, or give another one in COGENCY_STORE.`;
    return fault("store", messageOf(error as Error), advice);
  }
}

/** Writes a lease of a conversation that does not exist, and removes it. */
async function problemOfWriting(store: Store): Promise<string | undefined> {
  try {
    const name = `doctor-${crypto.randomUUID()}`;
    await (await store.lease({ conversation: name }, { owner: name, ttl: 1000 })).release();
    return undefined;
  } catch (error) {
    return messageOf(error as Error);
  }
}

async function checkNewStore(place: string, shown: string): Promise<Finding> {
  let folder = dirname(resolve(place));
  while (!(await exists(folder))) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok("store", `the first run makes ${shown}`);
  } catch {
    return fault(
      "store",
      `${shown} cannot be made: ${folder} is no folder that you can write to`,
      "Give a place where you can write in COGENCY_STORE.",
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}

/** Whether the key that signs the answers of this installation can be used. */
export async function checkSigningKey(folder = configurationFolder()): Promise<Finding> {
  const file = join(folder, keyFileName);
  try {
    return ok("key", (await existingKeyFile(folder)) ? file : `the first run makes ${file}`);
  } catch (error) {
    return fault(
      "key",
      (error as Error).message,
      `Run chmod 700 ${folder}; chmod 600 ${file}; if others may have read it, remove it.`,
    );
  }
}

/** Whether the keys of servers that `cogency config key` keeps can be used. Nothing is said where none is kept. */
export async function checkApiKeys(): Promise<Finding[]> {
  const file = apiKeyFile();
  try {
    const count = Object.keys(await readApiKeys()).length;
    return count === 0 ? [] : [ok("api keys", `${file}, ${counted(count, "key")}`)];
  } catch (error) {
    const mend = `Run chmod 600 ${file}; if others may have read it, remove it, and make new keys at the servers.`;
    return [fault("api keys", (error as Error).message, mend)];
  }
}

/** Whether programs that `shell` runs can be isolated in this folder. */
export async function checkIsolation(folder = "."): Promise<Finding> {
  const root = await openRoot(folder, { access: "project" }).catch((error: Error) => error);
  if (root instanceof Error)
    return fault("sandbox", root.message, "Run cogency in another folder, or give one with --root.");
  const { isolated, confined, problem, advice } = await shellIsolation(root);
  const use = confined ? "so --mode sandboxed can be used" : "but your home folder is in the root";
  if (isolated) {
    const apart = await sharedNetworkProblem();
    const background =
      apart === undefined ? "" : `; none reaches what one in the background listens on: ${oneLine(apart, 200)}`;
    return ok("sandbox", `programs that shell runs are isolated, ${use}${background}`);
  }
  return fault(
    "sandbox",
    `programs that shell runs have your rights: ${problem ?? "the sandbox is off"}`,
    advice ?? "Leave --sandbox off out.",
  );
}

/** Whether the mode that is chosen can be used. Nothing is said of the usual one. */
export async function checkModeOf({ root = ".", mode }: { root?: string } & Options<"mode">): Promise<Finding[]> {
  if (mode === undefined || mode === "ask") return [];
  try {
    await checkMode({ root, mode, access: "project" });
    return [ok("mode", mode)];
  } catch {
    const mend = "Mend the sandbox as above, or choose another mode, as with cogency config set mode edits.";
    return [fault("mode", `runs do not begin: ${mode} needs a sandbox`, mend)];
  }
}

/** Milliseconds that a server may take. */
const serverTimeout = 5000;

/** The servers with a key, and those on this machine that answer. */
export async function checkServers(): Promise<Finding[]> {
  const answers = await Promise.all(
    modelServers.map(async (server) => ({
      isLocal: server.keyVariables.length === 0,
      said: await modelsOf(server, serverTimeout),
    })),
  );
  const found = answers.flatMap(({ isLocal, said }): Finding[] => {
    if ("models" in said) return [ok("server", `${said.server} answers, with ${counted(said.models.length, "model")}`)];
    // A server at home that does not run is no fault, and one without a key is not used.
    if (isLocal || said.unset) return [];
    const problem = oneLine(redacted(said.problem), 300);
    return [fault("server", `${said.server}: ${problem}`, `Look at the key and the address ${said.address}.`)];
  });
  if (found.length > 0) return found;
  return [
    remark(
      "server",
      "no key is set, and no server runs on this machine",
      "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama.",
    ),
  ];
}

/** Milliseconds that the test request may take. */
const modelTimeout = 30_000;

/** Whether the model that a run would use answers. `request`: whether it is asked. */
export async function checkModel(choice: ProviderChoice, request: boolean): Promise<Finding[]> {
  const told: Finding[] = [];
  const found = await findModel(choice, request, (text) => told.push(remark("model", text)));
  return [...told, found];
}

async function findModel(choice: ProviderChoice, request: boolean, tell: (text: string) => void): Promise<Finding> {
  let provider: Provider;
  try {
    provider = await chooseProvider(choice, tell);
  } catch (error) {
    return fault(
      "model",
      redacted(messageOf(error as Error)),
      "Set the key, or give --provider, --model and --base-url.",
    );
  }
  const name = oneLine(`${provider.name} ${provider.model}`, 100);
  const bound = provider.capabilities.grammar ? "; answers in the text protocol are bound to its grammar" : "";
  if (!request) return ok("model", `${name}, not asked${bound}`);
  const startedAt = performance.now();
  try {
    const messages = [{ role: "user" as const, content: "Answer with one word: ready" }];
    const events = await generate(provider, { system: "", messages }, { signal: AbortSignal.timeout(modelTimeout) });
    const finish = events.findLast((event) => event.type === "finish");
    if (finish?.type === "finish" && finish.reason === "aborted")
      return fault(
        "model",
        `${name} gave no answer within ${modelTimeout / 1000} s`,
        "Look at the server, or choose another one with --base-url.",
      );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return ok("model", `${name} answered a test request in ${seconds} s${bound}`);
  } catch (error) {
    return fault(
      "model",
      `${name}: ${redacted(messageOf(error as Error))}`,
      "Look at the address, the key and the name of the model.",
    );
  }
}
