/**
 * Says a message of the packages in the words of the command line. They speak to programmers, of options and functions; here there are
 * commands and flags. Everything that a person reads of them passes through here once.
 */
export function inPlainWords(message: string): string {
  return phrases.reduce(
    // The two kinds of words are two overloads for the compiler.
    (text, [pattern, words]) =>
      typeof words === "string" ? text.replaceAll(pattern, words) : text.replaceAll(pattern, words),
    message,
  );
}

/** The flags of limits, by their names in the budget of an agent. */
const limitFlags: Readonly<Record<string, string>> = {
  steps: "--max-steps",
  seconds: "--max-seconds",
  cost: "--max-cost",
  tokens: "--max-tokens",
  toolCalls: "--max-calls",
  failedCalls: "--max-failed-calls",
  repeats: "--max-repeats",
  failures: "--max-failures",
};

const nameKey = "give the name of the variable that holds a key for this server with --api-key-env";

/** What the packages say, and what is said instead. In this order: a whole phrase before the names in it. */
const phrases: readonly (readonly [pattern: RegExp, words: string | ((...parts: string[]) => string)])[] = [
  // How a run goes on.
  [/: raise it, and go on with a new prompt\./g, ": raise it, and go on with another prompt."],
  [
    /It is not over: `recover` goes on with it\.|The run is not over: `recover` goes on with it\./g,
    "It is not over: it goes on where the conversation is resumed.",
  ],
  [/`recover` asks it again;/g, "To resume the conversation asks it again;"],
  [/The conversation has no events; start it with run\(\)\./g, "The conversation is empty: say something first."],
  [/recover the conversation to end them/g, "resume the conversation to end them"],
  [/`atLimit` failed:/g, "Whether to go on could not be asked:"],
  [/`approve` or `deny`/g, "cogency approve or cogency deny"],
  [/ by `answer`\./g, " by cogency answer."],
  [/`budget\.(?:conversation\.)?(\w+)`/g, (whole, name = "") => limitFlags[name] ?? whole],
  // The output limit of a model has no flag.
  [
    / ?(?:`request\.maxOutputTokens` raises the limit|Raise `request\.maxOutputTokens`), if the model allows more\./g,
    "",
  ],
  [/ \(`(?:(?:request\.)?maxOutputTokens|budget\.calls)`\)/g, ""],
  [/ \(`attachments\.maxRequestBytes`\)/g, ""],
  [/, or give the agent a model that takes it/g, ", or choose a model that takes it with --model"],
  [/; add it to `prices` of createAgent/g, "; add it to the file of --prices"],

  [
    /offer fewer tools, or use a model with a larger window/g,
    "offer fewer tools with --tools, or choose a model with a larger window with --model",
  ],
  [
    /, or use a model with a larger window: the next message/g,
    ", or choose another model with --model: the next message",
  ],

  // The server, its key and the model.
  [
    /No (\S.*) API key\. Set the environment variable (\w+) or pass `apiKey`; for another server pass its `baseURL`\./g,
    noKey,
  ],
  [
    /No API key\. Set the environment variable (\w+) or pass `apiKey`\./g,
    (_, variable = "") => noKey("", "", variable),
  ],
  [/pass `apiKey` beside `baseURL`/g, nameKey],
  [/pass `apiKey`/g, nameKey],
  [/check `apiKey`/g, "check the key"],
  [/check `model` and `baseURL`/g, "check --model and --base-url"],
  [/Check the characters of `apiKey` and `headers`\./g, "Check the characters of the key."],
  [/must not hold credentials; use `apiKey` or `headers`\./g, `must not hold a key or a password; ${nameKey}.`],
  [/ Use https, or set `allowInsecure(?:\w*)` if the network is yours\./g, " Use https."],
  [
    /No model\. Pass `model`: with `(.+?)` it is one that you have loaded there\./g,
    "No model: name one that is loaded at $1 with --model.",
  ],
  [/There is no preset `/g, "There is no provider `"],
  [/There is no `api` /g, "There is no --api "],
  [/`baseURL`/g, "--base-url"],
  [/another `send`\./g, "another request."],
  [/ Leave `(?:candidateCount|streamFunctionCallArguments)` out\./g, ""],
  [
    /`candidateCount` is (\S+): an answer has one candidate\. Leave it out\./g,
    "An answer has one candidate, and not $1.",
  ],

  // The address of an MCP server.
  [/http: the protocol of `url` is (\w+:) /g, "The protocol of the address is $1 "],
  [/ Use https:, or set `insecure: true`\./g, " Use https:."],
  [/http: `url` (holds .*?\.) Give them as `headers`,/g, "The address $1 Give them as headers,"],
  [/http: `url` is no address;/g, "The url is no address;"],

  // The store.
  [/ \(see (?:`cause`|isPersisted)\)/g, ""],
  [/ \(maxStoredBytes\)/g, ""],
  [/Update @cogency\/storage-(?:sqlite|postgres)\./g, "Update cogency."],
  [/ Have an administrator run the SQL of `schemaScript`, or open the store with `migrate: true`\./g, administrator],
  [/ Have an administrator run what `schemaScript\(\{ role \}\)` gives\./g, administrator],
  [/in `url`\./g, "in its address."],
  [/`url` is not an address/g, "This is not an address"],
  [/choose another `schema`\./g, "give another one with --store."],
  [
    /`liveness` needs a direct connection, but a pooler stands between\. Leases and claims of processes that ended are taken over after their `ttl` only\./g,
    "The database is behind a pooler: what a process that was killed was at work on can be taken over only after a while.",
  ],
  [
    /`liveness` has no connection yet, so leases and claims end by their `ttl` until it has one:/g,
    "What a process that was killed was at work on can be taken over only after a while:",
  ],

  // Forks.
  [
    /fork: the conversation (.*) exists already; give another `as`\./g,
    "The conversation $1 exists already: give another name with --as.",
  ],
  [/fork: `at` is (.*?); give a number of events of/g, "There is no point $1: give a number of events of"],
  [/fork: event /g, "Event "],
  [/fork: the conversation /g, "The conversation "],

  // Tools.
  [/To run them so without this warning, choose the sandbox "off"\./g, "To run them so on purpose: --sandbox off."],
  [
    / ?Give `approve` to the run, or `execution\.approval\.approve` to the agent, which ask a person, or rules that allow it in `execution\.approval\.policy`\.(?: With a `store` and a `keyRing`,[^.]*\.)?/g,
    " --allow lets calls run without a question.",
  ],
];

function noKey(_: string, service = "", variable = ""): string {
  const of = service === "" ? "" : `${service} `;
  return `No ${of}API key: cogency config key set ${variable} keeps one; for another server give its address with --base-url.`;
}

function administrator(): string {
  return " Have somebody who may change its tables run cogency once, such as cogency doctor.";
}
