import { describe, expect, it } from "vitest";
import { answerTooLarge, completeLimits, type LimitName } from "./limits.ts";

describe("completeLimits", () => {
  it("has a default for each limit, which a given limit replaces", () => {
    expect(completeLimits()).toEqual({
      answerBytes: 134_217_728,
      errorBytes: 1_048_576,
      eventBytes: 8_388_608,
      answerCharacters: 8_000_000,
      calls: 1_000,
      blocks: 10_000,
      depth: 500,
    });
    expect(completeLimits({ calls: 3, blocks: Number.POSITIVE_INFINITY })).toMatchObject({
      calls: 3,
      blocks: Number.POSITIVE_INFINITY,
      depth: 500,
    });
  });

  it.each(Object.keys(completeLimits()) as LimitName[])(
    "refuses a %s that is not greater than 0, and names it",
    (name) => {
      for (const limit of [0, -1, Number.NaN]) expect(() => completeLimits({ [name]: limit })).toThrow(`\`${name}\``);
    },
  );

  it.each(Object.keys(completeLimits()) as LimitName[])("names %s in the error of an answer beyond it", (name) => {
    const error = answerTooLarge("acme.test", name, completeLimits({ [name]: 1234 }));
    expect(error).toMatchObject({ code: "answer_too_large", retryable: false, status: undefined });
    expect(error.message).toContain("1,234");
    expect(error.message).toContain(`\`limits.${name}\``);
  });
});
