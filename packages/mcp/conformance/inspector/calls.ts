import { execPath } from "node:process";
import { fileURLToPath } from "node:url";

/** As the Inspector calls them. `auto` tries the newest first. */
export const eras = ["legacy", "auto", "modern"] as const;

export type Era = (typeof eras)[number];

/** What the Inspector is told to do. */
export interface InspectorCall {
  readonly args: readonly string[];
  /** What the result holds, as JSON. */
  readonly holds: RegExp;
  /** 0 by default. */
  readonly code?: number;
  /** Whether its result says who answers, which only servers of 2026-07-28 do. */
  readonly isSigned?: boolean;
}

interface Inspected {
  readonly name: string;
  readonly command: readonly string[];
  readonly calls: readonly InspectorCall[];
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const list = (what: string, holds: RegExp): InspectorCall => ({ args: ["--method", `${what}/list`], holds });
/** Fails with 6 if a schema is one that some client cannot take. */
const tools = (holds: RegExp): InspectorCall => ({ args: ["--method", "tools/list", "--strict"], holds });
const call = (tool: string, args: object, holds: RegExp): InspectorCall => {
  const given = ["--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
  return { args: ["--method", "tools/call", ...given], holds, isSigned: true };
};

export const inspected: readonly Inspected[] = [
  {
    name: "server.ts",
    command: [execPath, pathOf("../server.ts"), "--stdio"],
    calls: [
      tools(/"test_simple_text".*"json_schema_2020_12_tool"/),
      call("test_simple_text", {}, /"This is a simple text response for testing\."/),
      call("json_schema_2020_12_tool", { name: "a", contactMethod: "phone", phone: "1" }, /Received .*phone/),
      // The Inspector ends with 5 when the tool says that it failed.
      { ...call("test_error_handling", {}, /"isError":true/), code: 5 },
      list("resources", /"test:\/\/static-text"/),
      list("resources/templates", /"test:\/\/template\/\{id\}\/data"/),
      {
        args: ["--method", "resources/read", "--uri", "test://template/7/data"],
        holds: /Data for ID: 7/,
        isSigned: true,
      },
      list("prompts", /"test_prompt_with_arguments"/),
      {
        args: [
          "--method",
          "prompts/get",
          "--prompt-name",
          "test_prompt_with_arguments",
          "--prompt-args",
          "arg1=a",
          "arg2=b",
        ],
        holds: /arg1='a', arg2='b'/,
        isSigned: true,
      },
    ],
  },
  {
    name: "cogency mcp serve",
    command: [execPath, pathOf("../../../../apps/cli/bin/cogency.cjs"), "mcp", "serve"],
    calls: [
      tools(/"name":"read"/),
      call("read", { file: "note.txt" }, /water the plants/),
      { ...call("read", { file: "../elsewhere.txt" }, /"isError":true/), code: 5 },
    ],
  },
];
