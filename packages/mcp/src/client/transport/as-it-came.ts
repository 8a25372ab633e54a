import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/** Lets a result of a server through as it came, for a caller that checks it. */
export const asItCame: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "cogency", validate: (value) => ({ value }) },
};
