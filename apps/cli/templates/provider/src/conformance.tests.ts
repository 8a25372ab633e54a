import { test } from "node:test";
import { providerConformance } from "@cogency/provider/testkit";
import parrot from "./parrot.js";
import { wire } from "./wire.js";

const cases = providerConformance("parrot", () => ({
  wire,
  provider: ({ url, ...options }) => parrot({ baseURL: url, ...options }),
}));
for (const { name, run } of cases) test(name, run);
