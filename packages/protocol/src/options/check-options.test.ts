import { describe, expect, it } from "vitest";
import { checkOptions, group } from "./check-options.ts";
import {
  above,
  anything,
  atLeast,
  callback,
  either,
  flag,
  having,
  listOf,
  name,
  oneOf,
  recordOf,
  required,
  signal,
  text,
  whole,
} from "./kinds.ts";

interface Limits {
  steps?: number;
  seconds?: number;
}

interface Options {
  path: string;
  apiKey?: string | readonly string[];
  baseURL?: string;
  attempts?: number;
  timeout?: number;
  mode?: "auto" | "replay";
  isQuiet?: boolean;
  onEvent?: () => void;
  provider?: object;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  budget?: Limits;
  extra?: unknown;
  /** Never given: it has no row in the table. */
  model?: never;
}

const check = (given: unknown, instead?: (name: string) => string | undefined) =>
  checkOptions<Options>(
    "open",
    given,
    {
      path: required(name),
      apiKey: either(text, listOf(text, "an array of strings")),
      baseURL: text,
      attempts: whole(1, 10),
      timeout: above(0, "milliseconds"),
      mode: oneOf("auto", "replay"),
      isQuiet: flag,
      onEvent: callback,
      provider: having("a provider", "stream"),
      signal,
      headers: recordOf(text),
      budget: group<Limits>({ steps: whole(1), seconds: atLeast(0, "seconds") }),
      extra: anything,
    },
    instead,
  );

describe("checkOptions", () => {
  it("accepts right options, ones that are undefined, and foreign fields of a class", () => {
    check({
      path: "a",
      timeout: Number.POSITIVE_INFINITY,
      budget: { steps: Number.POSITIVE_INFINITY },
      unheardOf: undefined,
    });
    check({
      path: "a",
      apiKey: ["k"],
      provider: { stream() {} },
      signal: new AbortController().signal,
      headers: { a: "b" },
    });
    class Preset {
      path = "a";
      other = 1;
    }
    check(new Preset());
    checkOptions<{ a?: string }>("f", undefined, { a: text });
  });

  it.each<[given: unknown, type: typeof TypeError | typeof RangeError, message: string]>([
    [
      { path: "a", baseUrl: "http://x" },
      TypeError,
      "open has no option `baseUrl` (given: a string). Did you mean `baseURL`? Its options are",
    ],
    [
      { path: "a", apikey: "sk-secret" },
      TypeError,
      "open has no option `apikey` (given: a string). Did you mean `apiKey`?",
    ],
    [{ file: "a" }, TypeError, "open has no option `file` (given: a string). Did you mean `path`?"],
    [{ path: "a", retries: 3 }, TypeError, "open has no option `retries` (given: 3). Did you mean `attempts`?"],
    [
      { path: "a", unheardOf: {} },
      TypeError,
      "open has no option `unheardOf` (given: an object). Its options are `path`, `apiKey`",
    ],
    [{ path: "a", toString: {} }, TypeError, "open has no option `toString`"],
    [{ path: "a", ["__proto__"]: {} }, TypeError, "open has no option `__proto__`"],
    [{}, TypeError, "open needs `path`: a string that is not empty."],
    [{ path: "" }, RangeError, "open: `path` is an empty string; give a string that is not empty."],
    [{ path: 7 }, TypeError, "open: `path` is 7; give a string that is not empty."],
    [{ path: null }, TypeError, "open: `path` is null; give a string that is not empty."],
    [
      { path: Promise.resolve("a") },
      TypeError,
      "open: `path` is a promise; give a string that is not empty. Await it: it is a promise.",
    ],
    [{ path: "a", apiKey: 7 }, TypeError, "open: `apiKey` is 7; give a string, or an array of strings."],
    [{ path: "a", apiKey: ["k", null] }, TypeError, "open: `apiKey[1]` is null; give a string."],
    [{ path: "a", apiKey: [undefined] }, TypeError, "open needs `apiKey[0]`: a string."],
    [{ path: "a", attempts: 0 }, RangeError, "open: `attempts` is 0; give a whole number from 1 to 10."],
    [{ path: "a", attempts: 1.5 }, RangeError, "open: `attempts` is 1.5; give a whole number from 1 to 10."],
    [{ path: "a", attempts: "3" }, TypeError, "open: `attempts` is a string; give a whole number from 1 to 10."],
    [{ path: "a", timeout: Number.NaN }, RangeError, "open: `timeout` is NaN; give milliseconds above 0."],
    [{ path: "a", timeout: -1 }, RangeError, "open: `timeout` is -1; give milliseconds above 0."],
    [{ path: "a", mode: "repaly" }, RangeError, 'open: `mode` is "repaly"; give one of "auto", "replay".'],
    [{ path: "a", mode: null }, TypeError, 'open: `mode` is null; give one of "auto", "replay".'],
    [{ path: "a", isQuiet: "yes" }, TypeError, "open: `isQuiet` is a string; give true or false."],
    [{ path: "a", onEvent: true }, TypeError, "open: `onEvent` is true; give a function."],
    [{ path: "a", provider: {} }, TypeError, "open: `provider` is an object; give a provider, which has `stream()`."],
    [{ path: "a", provider: Promise.resolve() }, TypeError, "Await it: it is a promise."],
    [{ path: "a", signal: new AbortController() }, TypeError, "open: `signal` is an object; give an AbortSignal"],
    [{ path: "a", headers: { "x-a": 1 } }, TypeError, 'open: `headers["x-a"]` is 1; give a string.'],
    [{ path: "a", budget: 20 }, TypeError, "open: `budget` is 20; give an object with `steps`, `seconds`."],
    [
      { path: "a", budget: { step: 20 } },
      TypeError,
      "`budget` of open has no option `step` (given: 20). Did you mean `steps`?",
    ],
    [
      { path: "a", budget: { steps: null } },
      TypeError,
      "`budget` of open: `steps` is null; give a whole number of at least 1.",
    ],
    [
      { path: "a", budget: { seconds: -1 } },
      RangeError,
      "`budget` of open: `seconds` is -1; give seconds of at least 0.",
    ],
    [undefined, TypeError, "open takes options, not undefined; give an object with `path`."],
    ["a.db", TypeError, "open takes options, not a string; give an object with `path`."],
    [[], TypeError, "open takes options, not an array"],
    [Promise.resolve({ path: "a" }), TypeError, "open takes options, not a promise; await it."],
  ])("refuses %j", (given, Type, message) => {
    const refused = () => check(given);
    expect(refused).toThrow(Type);
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ code: "invalid_option", option: expect.any(String) }));
    expect(refused).not.toThrow(/secret/);
  });

  it("says the code of this library for a name of another one", () => {
    const instead = (name: string) => (name === "system" ? 'createAgent({ instructions: "Be brief." })' : undefined);
    expect(() => check({ path: "a", system: "x" }, instead)).toThrow(
      'open has no option `system` (given: a string). Write `createAgent({ instructions: "Be brief." })`.',
    );
  });
});
