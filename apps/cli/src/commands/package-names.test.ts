import { describe, expect, it } from "vitest";
import { packageNames } from "./package-names.ts";

describe("packageNames", () => {
  it.each([
    ["acme", "cogency-provider-acme", "acme", "acme", "Acme", "ACME"],
    ["acme-models", "cogency-provider-acme-models", "acme-models", "acmeModels", "AcmeModels", "ACME_MODELS"],
    ["cogency-provider-acme", "cogency-provider-acme", "acme", "acme", "Acme", "ACME"],
    ["@acme/models", "@acme/models", "models", "models", "Models", "MODELS"],
  ])("%s", (name, own, file, camel, pascal, constant) => {
    expect(packageNames("provider", name)).toEqual({ package: own, file, camel, pascal, constant });
  });

  it.each([
    "",
    "Acme",
    "a b",
    "../x",
    "-x",
    "1a",
    "a/b",
    "@a/../b",
    "a--b",
    "a-",
    "cogency-provider-",
    "class",
    "wire",
  ])("%j is refused with an example", (name) => {
    expect(() => packageNames("provider", name)).toThrow(/such as acme, acme-models or @acme\/models/);
  });
});
