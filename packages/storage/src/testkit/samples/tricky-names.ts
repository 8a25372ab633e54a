import type { Key } from "../../key.ts";

/** Names that a careless key, path, pattern or query confuses with each other. */
export const trickyNames = [
  "",
  " ",
  "a",
  "A",
  "a ",
  "a/b",
  "a%2Fb",
  "a:b",
  "a\u0000b",
  "a\u0000",
  "\u0000",
  "../a",
  "'; DROP TABLE events; --",
  '"a"',
  "\\",
  "%",
  "_",
  "*",
  "null",
  "undefined",
  "0",
  "00",
  "__proto__",
  "constructor",
  "é",
  "e\u0301",
  "👩‍👧",
  "\ud83d",
  "\ude00",
  "\ufffd",
  "x".repeat(10_000),
  `${"x".repeat(10_000)}y`,
];

/** Separators with which a careless store joins two parts to one name. */
const separators = ["/", ":", "|", ",", ".", "-", "_", " ", "\n", "\u0000", '","'];

/**
 * Keys of different logs that a careless store takes for one: because it normalizes or joins names, swaps user and
 * conversation, or gives the anonymous user a name.
 */
export const trickyKeys: readonly Key[] = [
  { conversation: "c" },
  { conversation: "c", user: "u" },
  { conversation: "u", user: "c" },
  ...trickyNames.flatMap((name): Key[] => [
    { conversation: name },
    { conversation: name, user: "u" },
    { conversation: "c", user: name },
  ]),
  { conversation: "z", user: "xy" },
  { conversation: "yz", user: "x" },
  ...separators.flatMap((separator): Key[] => [
    { conversation: "z", user: `x${separator}y` },
    { conversation: `y${separator}z`, user: "x" },
    { conversation: "z", user: `x${separator}` },
    { conversation: `${separator}z`, user: "x" },
  ]),
];
