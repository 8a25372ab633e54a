import { describe } from "vitest";
import { describeSandbox } from "../../test/sandbox/describe-sandbox.ts";
import { shellCases } from "../../test/shell/shell-cases.ts";

describe("shell without a sandbox", () => shellCases("off", "each"));

describeSandbox("shell in a sandbox", () => shellCases("required", "each"));
