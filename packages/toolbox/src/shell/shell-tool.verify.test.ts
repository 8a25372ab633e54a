import { describeSandbox } from "../../test/sandbox/describe-sandbox.ts";
import { shellCases } from "../../test/shell/shell-cases.ts";

describeSandbox("shell in a sandbox", () => shellCases("required"));
