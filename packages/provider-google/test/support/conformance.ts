import type { WireHarness } from "@cogency/provider/testkit";
import { wire } from "@tooling/wires/gemini";
import { google as provider } from "../../src/google.ts";

/** What the kit runs against. */
export const google: WireHarness = {
  wire,
  provider: ({ url, ...address }) => provider({ baseURL: url, ...address }),
  declare: {
    "usage is exact: cache writes, which are no part of input":
      "the wire does not tell what the server writes to its cache",
  },
};
