import { join } from "node:path";
import { redactSecrets } from "@cogency/storage";
import type { Attack } from "../../harness/attack.ts";
import { filled, textsOf } from "./store-file.ts";
import { usedUnnoticed } from "./used-unnoticed.ts";

export const controls: Attack[] = [
  {
    name: "control: a store that nobody touches keeps what it acknowledged",
    isControl: true,
    async run(place) {
      const path = join(place.outer, "s.db");
      await filled(path, "before");
      const problem = await usedUnnoticed(path);
      if (problem) return problem;
      return (await textsOf(path)).length === 0 ? undefined : "it was not deleted";
    },
  },
  ...[
    "The password policy demands 14 characters.",
    "const token = lexer.next();",
    "git log --oneline",
    "a".repeat(200),
  ].map(
    (text): Attack => ({
      name: `control: no secret: ${text.slice(0, 30)}`,
      isControl: true,
      run: async () => (redactSecrets(text) === text ? undefined : `it became ${redactSecrets(text)}`),
    }),
  ),
];
