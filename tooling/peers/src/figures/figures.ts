import type { Steps } from "./steps.ts";
import type { Streaming } from "./streaming.ts";
import type { Work } from "./work.ts";

/** A figure, or why there is none: a peer that does not run has no number. */
export type Result<Figure> = { readonly value: Figure } | { readonly failed: string };

/** What was measured of one peer. Absent: it was not asked for. */
export interface PeerFigures {
  readonly name: string;
  /** Its version, if it comes from a registry. */
  readonly version?: string;
  /** Seconds. */
  readonly start?: Result<number>;
  /** Seconds. */
  readonly oneShot?: Result<number>;
  readonly streaming?: Result<Streaming>;
  readonly steps?: Result<Steps>;
  /** The eight steps, in each of its modes. */
  readonly work?: readonly { readonly mode: string; readonly result: Result<Work> }[];
}

/** A run of the benchmark. */
export interface Figures {
  readonly machine: Machine;
  readonly peers: readonly PeerFigures[];
}

/** Where the figures come from. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** The load of the last minute when it began. */
  readonly load: number;
  /** The load of the last minute when it ended. */
  readonly endLoad: number;
  /** Whether nothing but loopback could be reached. */
  readonly isConfined: boolean;
}

/** Whether the machine did other work, too: then the figures say little. A peer that is measured takes about one processor itself. */
export const isNoisy = ({ load, endLoad, cores }: Machine): boolean => load > 1 || endLoad > cores + 1;
