/** A change of the agent in a written test. */
export interface Mutation {
  readonly name: string;
  /** Undefined where the agent has nothing of the kind. */
  apply(source: string): string | undefined;
  /** What the failure must name. */
  readonly names: RegExp;
}

const replaced = (source: string, from: RegExp, to: string) =>
  from.test(source) ? source.replace(from, to) : undefined;

export const mutations: readonly Mutation[] = [
  {
    name: "other instructions",
    apply: (source) =>
      replaced(source, /^ {4}\.\.\.parts,$/m, '    ...parts,\n    identity: "You are somebody else.",'),
    names: /differs in its system prompt, line 1.*now: +You are somebody else/s,
  },
  {
    name: "another description of a tool",
    apply: (source) => replaced(source, /^( {8}|.*\{ .*)description: "/m, '$1description: "Changed: '),
    names: /describes the tool \w+|description of the tool \w+/,
  },
  {
    name: "another parameter of a tool",
    apply: (source) => replaced(source, /(parameters: \{.*?properties: \{)/s, "$1 more: {}, "),
    names: /describes the tool \w+|parameters of the tool \w+/,
  },
  {
    name: "a tool under another name",
    apply: (source) => replaced(source, /(record\.tool\(\{\s+name: "\w+)"/, '$1_2"'),
    names: /describes the tool \w+_2|it no longer has \w+; it has \w+_2|now: .*\w+_2/s,
  },
  {
    name: "another rule for approval",
    apply: (source) =>
      replaced(source, /,\s+approval: "ask"/, "") ??
      replaced(source, /(record\.tool\(\{\s+)(name: )/g, '$1approval: "ask",\n        $2'),
    // The differing line says whether a person is asked; where the turns say nothing of it, what became of the call does.
    names:
      /^[+-] +"asked": true,$|^\+ +"asks": "approval",$|Calls: \w+: success\. Open questions: none|was refused and did not run.*now: .*not recorded: \w+ did not run/ms,
  },
  {
    name: "another driver",
    apply: (source) =>
      replaced(source, /^ {4}driver: .*$/m, "") ??
      replaced(
        source.replace("import { createAgent }", "import { createAgent, protocolDriver }"),
        /^ {4}\.\.\.parts,$/m,
        '    ...parts,\n    driver: protocolDriver({ dialect: "xml" }),',
      ),
    names: /differs in its driver|under "## Protocol"/,
  },
];
