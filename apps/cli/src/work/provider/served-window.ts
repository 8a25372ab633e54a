import { createFetch, parseBaseURL } from "@cogency/provider/http";
import { modelServers } from "./known-servers.ts";

/** Tokens that a model takes as a server on this machine has loaded it. Asked once, when a conversation has grown. */
export interface ServedWindow {
  /** What the server has said; undefined before it was asked. */
  readonly known: number | undefined;
  /** Undefined if it does not say. Never rejects. */
  ask(): Promise<number | undefined>;
}

/** Milliseconds that the server may take for an answer. */
const timeout = 2000;

/**
 * @param address undefined for the provider's own server
 * @returns undefined for a server elsewhere: its refusals tell
 */
export function servedWindow(
  provider: string | undefined,
  address: string | undefined,
  model: string,
): ServedWindow | undefined {
  const place = address ?? modelServers.find(({ name }) => name === provider)?.home;
  const base = place === undefined ? undefined : localBase(place);
  if (base === undefined) return undefined;
  let known: number | undefined;
  let asking: Promise<number | undefined> | undefined;
  return {
    get known() {
      return known;
    },
    ask() {
      asking ??= windowAt(base, model).then((window) => {
        known = window;
        return window;
      });
      return asking;
    },
  };
}

function localBase(address: string): URL | undefined {
  try {
    const base = parseBaseURL(address);
    return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname) ? base : undefined;
  } catch {
    return undefined;
  }
}

async function windowAt(base: URL, model: string): Promise<number | undefined> {
  const ask = async (path: string, below: "path" | "origin") => {
    const url = new URL(path, below === "origin" ? `${base.origin}/` : `${base.href.replace(/\/+$/, "")}/`);
    const fetch = createFetch({ timeouts: { total: timeout }, limits: { answerBytes: 2_000_000 } });
    const response = await fetch(url, {}).catch(() => undefined);
    return response?.ok ? await response.json().catch(() => undefined) : undefined;
  };
  const listed = inList(await ask("models", "path"), "data", model);
  if (listed !== undefined) return listed;
  const [llamaCpp, ollama, lmStudio] = await Promise.all([
    ask("props", "origin"),
    ask("api/ps", "origin"),
    ask("api/v0/models", "origin"),
  ]);
  return (
    tokens(at(at(llamaCpp, "default_generation_settings"), "n_ctx")) ??
    inList(ollama, "models", model) ??
    inList(lmStudio, "data", model)
  );
}

/**
 * Under which name a server gives the window of a loaded model: vLLM and SGLang, LM Studio, Ollama. What a model was trained with is no
 * window: the server may have loaded it with less.
 */
const fields = ["max_model_len", "loaded_context_length", "context_length", "context_window"];

function inList(answer: unknown, list: string, model: string): number | undefined {
  const entries = at(answer, list);
  if (!Array.isArray(entries)) return undefined;
  const named = (entry: unknown) => ["id", "name", "model"].some((field) => at(entry, field) === model);
  const entry = entries.find(named) ?? (entries.length === 1 ? entries[0] : undefined);
  return fields.map((field) => tokens(at(entry, field))).find((size) => size !== undefined);
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A smaller number is no window of a model. */
function tokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 1000 ? value : undefined;
}
