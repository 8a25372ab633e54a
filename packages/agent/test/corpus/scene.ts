import type { LogEvent } from "@cogency/protocol";
import type { Provider, ScriptedOptions, ScriptedProvider, ScriptedStep } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import type { AgentOptions, ExecutionOptions, RunOptions } from "../../src/index.ts";

/** A scripted conversation of the corpus. */
export interface Case {
  /** The name of its recording. */
  name: string;
  /** Makes the scene anew for each replay: no replay may see what another one has done. */
  scene(stage: Stage): Scene;
  /** `false`: only the base run is recorded. */
  variants?: false;
}

/** What the tools of a scene may use. */
export interface Stage {
  /** Adds a line to the trace of the replay. */
  note(line: string): void;
  /** Aborts the run that is under way. */
  abort(reason?: unknown): void;
  /** Resolves after so many milliseconds of the replay's own time. */
  pause(milliseconds: number): Promise<void>;
}

export type SceneOptions = Omit<Partial<AgentOptions>, "provider" | "store" | "execution"> & {
  execution?: ExecutionOptions;
};

export interface Scene {
  /** The answers of the model, in order. */
  script: readonly ScriptedStep[];
  scripted?: ScriptedOptions;
  /** Makes the provider of the scripted model. Defaults to the model itself. */
  provider?(model: ScriptedProvider, script: readonly ScriptedStep[]): Provider;
  options?: SceneOptions;
  /** Wraps the store in memory. */
  store?(inner: Store): Store;
  /** The log before the first turn. */
  stored?: readonly LogEvent[];
  /** Called before the first turn. */
  prepare?(store: Store): Promise<void>;
  /** One prompt by default. */
  turns?: readonly Turn[];
  /** Milliseconds that the consumer takes for each event. Defaults to none. */
  pace?: number;
}

export interface Turn {
  /** Without one the turn recovers the conversation. */
  prompt?: string;
  run?: Omit<RunOptions, "conversation" | "signal">;
  /** Settings that change at this turn. */
  options?: SceneOptions;
  /** The signal has aborted before the run begins. */
  isAborted?: true;
}
