import type { WrittenAgent } from "@cogency/subagents/definition";

/** The agents that there are without a file. One of a person or a project that has the name takes the place. */
export const builtInAgents: readonly WrittenAgent[] = [
  {
    name: "explore",
    description: "Finds things out, changes nothing. For questions that take many files or pages.",
    instructions:
      "Find out what you are asked, and change nothing. Search first, then read what matters. Answer with what you found, with files and lines or addresses, and say what you did not find.",
    tools: ["read", "list", "find", "scrape", "search", "recall", "read_result", "skill"],
  },
  {
    name: "general",
    description: "Does a task of several steps. For work whose details you do not need, or beside other work.",
    instructions:
      "Do the task that you are given, and nothing beyond it. Answer with what you did, which files you changed, and what is still open.",
    withoutTools: ["agent"],
  },
];
