import { askModel } from "../loop/ask-model.ts";
import type { RunContext } from "../run-context.ts";
import type { Settings } from "../settings.ts";
import { type SessionLine, sessionLine } from "./session-line.ts";

/** The session that a run asks its model through; undefined where there is none. */
export function openLine(
  { connect, mayReplay, provider }: Settings,
  stream: RunContext["stream"],
): SessionLine | undefined {
  if (!connect) return undefined;
  return sessionLine(connect, mayReplay ? (...asked) => askModel(provider, stream, ...asked) : undefined);
}
