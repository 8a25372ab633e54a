import { styleText } from "node:util";
import { exitCodes } from "../base/errors/exit-code.ts";
import { put, putLine } from "../base/terminal/output.ts";
import { counted, linesWrapped, padded, revealed, widthOr } from "../base/terminal/text.ts";
import type { ExtensionOptions } from "../work/extensions/open-extensions.ts";
import type { ProviderChoice } from "../work/provider/choose-provider.ts";
import { checkExtensions } from "./check-extensions.ts";
import {
  checkApiKeys,
  checkIsolation,
  checkModel,
  checkModeOf,
  checkNode,
  checkServers,
  checkSigningKey,
  checkStore,
  checkTerminal,
} from "./doctor-checks.ts";
import type { Finding } from "./finding.ts";
import { type ServersOptions, serversHere } from "./mcp/with-servers.ts";

export interface DoctorOptions extends ProviderChoice, ExtensionOptions {
  store: string;
  root: string;
  /** Whether the model gets a test request. */
  request: boolean;
  json?: true;
}

/**
 * `cogency doctor`: looks at what runs need on this machine, and says what is wrong and how to mend it.
 *
 * @returns the exit code: 1 if there is a fault
 */
export async function doctor(options: DoctorOptions): Promise<number> {
  const findings: Finding[] = [];
  const checks: (() => Finding | Promise<Finding | Finding[]>)[] = [
    () => checkNode(),
    () => checkTerminal(),
    () => checkStore(options.store),
    () => checkSigningKey(),
    () => checkApiKeys(),
    () => checkIsolation(options.root),
    () => checkModeOf(options),
    () => checkExtensions(options),
    () => checkServers(),
    () => mcpServers(options),
    () => modelFileOf(options),
    () => checkModel(options, options.request),
  ];
  for (const check of checks) {
    for (const finding of [await check()].flat()) {
      findings.push(finding);
      await (options.json ? putLine(finding) : put(linesOf(finding)));
    }
  }
  const faults = findings.filter(({ state }) => state === "fault").length;
  if (!options.json) await put(faults === 0 ? "\nNothing is wrong.\n" : `\n${counted(faults, "fault")}.\n`);
  return faults === 0 ? exitCodes.done : exitCodes.unexpected;
}

/** Loads what looks at servers only where a configuration names one. */
async function mcpServers(options: ServersOptions): Promise<Finding[]> {
  const { found } = await serversHere(options);
  if (found.servers.length + found.ignored.length + found.problems.length === 0) return [];
  const { checkMcpServers } = await import("./mcp/check-servers.ts");
  return checkMcpServers(options);
}

/** Loads what looks at models in files only where one is to run. */
async function modelFileOf({ provider, model }: DoctorOptions): Promise<Finding[]> {
  if (provider !== "llama") return [];
  const { checkLlama } = await import("./check-llama.ts");
  return checkLlama(model);
}

const signs = { ok: ["✓", "green"], note: ["!", "yellow"], fault: ["✗", "red"] } as const;

function linesOf({ about, state, text, mend }: Finding): string {
  const [sign, color] = signs[state];
  const columns = widthOr(process.stdout, Number.POSITIVE_INFINITY) - margin;
  const lines = [text, ...(mend === undefined ? [] : [mend])].flatMap((one) => linesWrapped(revealed(one), columns));
  const head = `${styleText(color, sign, { stream: process.stdout })} ${padded(about, margin - 3)} `;
  return lines.map((line, at) => `${at === 0 ? head : " ".repeat(margin)}${line}\n`).join("");
}

/** Columns of the terminal, for the sign and what it is about. */
const margin = 12;
