import type { WireHarness } from "@cogency/provider/testkit";
import { wire } from "@tooling/wires/messages";
import { problemOf } from "@tooling/wires/strict";
import { anthropic as provider } from "../../src/anthropic.ts";
import { withoutCacheMarks } from "./without-cache-marks.ts";

/** What the kit runs against. */
export const anthropic: WireHarness = {
  wire: { ...wire, problem: problemOf("anthropic") },
  provider: ({ url, ...address }) => provider({ baseURL: url, ...address }),
  normalize: withoutCacheMarks,
};
