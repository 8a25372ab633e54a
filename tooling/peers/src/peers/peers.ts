import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { cogency } from "./cogency.ts";
import { opencode } from "./opencode.ts";
import type { Peer } from "./peer.ts";
import { pi } from "./pi.ts";

/** All that are measured, ours first. */
export const peers: readonly Peer[] = [cogency, pi, codex, claude, opencode];
