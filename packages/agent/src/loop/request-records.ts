import type { Json, JsonObject, ModelMessage, RecordEvent } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { canonicalJson, sha256 } from "@cogency/tools/host";
import type { RunInstructions } from "../instructions-of-run.ts";
import type { Settings } from "../settings.ts";
import type { FromLog } from "./from-log.ts";

/**
 * Makes the `request` records of one run. Each carries the whole system prompt and tools; the log leaves out what it says
 * already. Only messages that the request before did not have are hashed, so a step costs the same however long the log is.
 */
export class RequestRecords {
  readonly #settings: RecordSettings;
  /** The messages of the request before. */
  #before: readonly ModelMessage[] = [];
  /** The hashes of system prompts and lists of tools. */
  readonly #hashes = new Map<unknown, Promise<string>>();

  constructor(settings: RecordSettings) {
    this.#settings = settings;
  }

  /**
   * The request is read before the function returns. The promise does not reject.
   *
   * @throws TypeError if JSON cannot hold the request
   */
  recordOf(request: ModelRequest, fromLog: FromLog | undefined): Promise<RecordEvent> {
    const { driver, provider, clock, ofRun = [] } = this.#settings;
    // The language of the answer follows from the tools, and is not recorded.
    const { system: sent, messages, tools, model = provider.model, grammar: _, ...settings } = request;
    const system = ofRun.reduce(recordedSystem, sent);
    const again = sharedLength(messages, this.#before);
    this.#before = messages.slice();
    const said = { driver: driver.name, provider: provider.name, model, settings: withoutCredentials(settings) };
    const timestamp = clock();
    const hashes = [hashOf(messages.slice(again)), this.#hashOf(system), tools && this.#hashOf(tools)] as const;
    return Promise.all(hashes).then(([hash, systemHash, toolsHash]) => ({
      type: "record",
      kind: "request",
      data: {
        ...said,
        messages: { ...fromLog, count: messages.length, again, hash },
        hashes: { system: systemHash, ...(toolsHash && { tools: toolsHash }) },
        system,
        ...(tools && { tools }),
      },
      timestamp,
    }));
  }

  #hashOf(value: unknown): Promise<string> {
    const hash = this.#hashes.get(value) ?? hashOf(value);
    this.#hashes.set(value, hash);
    return hash;
  }
}

type RecordSettings = Pick<Settings, "driver" | "provider" | "clock" | "ofRun">;

/** The system prompt without a text that no log may keep, also where a driver has changed that so that it is not found. */
function recordedSystem(system: string, { text, recorded }: RunInstructions): string {
  if (text === recorded) return system;
  return system.includes(text) ? system.replaceAll(text, () => recorded) : recorded;
}

/** How many messages at the beginning of both lists are the same objects. */
function sharedLength(messages: readonly ModelMessage[], before: readonly ModelMessage[]): number {
  const different = messages.findIndex((message, index) => message !== before[index]);
  return different === -1 ? messages.length : different;
}

/** A copy of the settings. Options of a wire may hold headers and keys of other services, which no log may keep. */
function withoutCredentials(settings: object): JsonObject {
  return JSON.parse(JSON.stringify(settings, (name, value) => (credential.test(name) ? "[left out]" : value)));
}

const credential = /headers|authorization|cookie|api.?key|secret|passw|credential|(access|auth|bearer).?token/i;

/**
 * SHA-256 of the canonical JSON of what `JSON.stringify` makes of the value, as 64 lower-case hexadecimal digits.
 *
 * @throws TypeError if JSON cannot hold the value
 */
function hashOf(value: unknown): Promise<string> {
  return sha256(canonicalJson(JSON.parse(JSON.stringify(value)) as Json));
}
