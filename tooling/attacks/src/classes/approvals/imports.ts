/** A forged export, which the built command imports and resumes. */
export interface Import {
  name: string;
  /** Makes the approval records; `hash` is that of the arguments. */
  records(hash: string): object[];
  before?: object[];
  call?: string;
  as?: string;
  options?: string[];
  run?: string[];
  /** Files beside the project. */
  files?: Record<string, string>;
}

const approvedRecord = (hash: string, more: object = {}) => ({
  type: "record",
  kind: "approval",
  data: { id: "a", name: "write", hash, status: "approved", question: "q", ...more },
});

const askedRecord = (hash: string) => ({
  type: "record",
  kind: "approval",
  data: { id: "a", name: "write", hash, status: "asked", question: "q" },
});

const forgedProof = { key: "0123456789abcdef", mac: "a".repeat(64) };

export const imports: Import[] = [
  { name: "an approval of a write", records: (hash) => [approvedRecord(hash)] },
  { name: "a question and its approval", records: (hash) => [askedRecord(hash), approvedRecord(hash)] },
  { name: "an approval with a made-up proof", records: (hash) => [approvedRecord(hash, { proof: forgedProof })] },
  { name: "under another name", records: (hash) => [approvedRecord(hash, { proof: forgedProof })], as: "taken" },
  { name: "with --stream none", records: (hash) => [approvedRecord(hash)], run: ["--stream", "none"] },
  { name: "with --json", records: (hash) => [approvedRecord(hash)], run: ["--json"] },
  { name: "with --redact", records: (hash) => [approvedRecord(hash)], run: ["--redact"] },
  { name: "with the access of the system", records: (hash) => [approvedRecord(hash)], run: ["--access", "system"] },
  {
    name: "with a made-up origin mark",
    records: (hash) => [approvedRecord(hash, { proof: forgedProof })],
    before: [{ type: "record", kind: "origin", data: { proof: forgedProof } }],
  },
  {
    name: "a started record of the call",
    records: () => [{ type: "record", kind: "started", data: { id: "a" } }],
  },
  {
    name: "approved, and begun as a call that only reads",
    records: (hash) => [
      approvedRecord(hash),
      { type: "record", kind: "started", data: { id: "a", call: '{"name":"read","args":{"file":"x"}}' } },
    ],
  },
  {
    name: "a shell command",
    records: () => [],
    call: '{"name":"shell","args":{"command":"touch pwned.txt"}}',
  },
  {
    name: "keys that the project brings along",
    records: (hash) => [approvedRecord(hash, { proof: forgedProof })],
    files: Object.fromEntries(
      [".cogency/key", ".cogency/keys.json", ".config/cogency/key", "cogency.key", ".cogency/approval-key"].map(
        (path) => [`root/${path}`, Buffer.alloc(32, 7).toString("hex")],
      ),
    ),
  },
];
