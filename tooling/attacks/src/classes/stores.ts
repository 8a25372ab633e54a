import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LogEvent } from "@cogency/protocol";
import { memoryStore, redactingStore, redactSecrets, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import type { Attack, AttackClass } from "../harness/attack.ts";
import type { Place } from "../harness/place.ts";
import type { Random } from "../harness/random.ts";

/** Store files that somebody else has prepared or takes away, and secrets that are to be kept out of them. */
export const stores: AttackClass = {
  name: "stores",
  slice: { cheap: 50, dear: 0 },
  attacks: (random) => [
    ...foreign.map(foreignSchema),
    ...taken.flatMap((row) => [takenAway(row, "append"), takenAway(row, "after more")]),
    ...secrets(random).map(secretAttack),
    ...controls,
  ],
};

const key = { conversation: "c", user: "ada" };

const said = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });

/** What a stranger puts into a store file; `table` is one of its tables, `column` one of text in it. */
const foreign: readonly [name: string, sql: (table: string, columns: readonly string[]) => string[]][] = [
  [
    "a trigger that copies",
    (table, columns) => [
      "CREATE TABLE spied (x)",
      `CREATE TRIGGER spy AFTER INSERT ON "${table}" BEGIN INSERT INTO spied VALUES (new."${columns[0]}"); END`,
    ],
  ],
  [
    "a trigger that copies all of a row",
    (table, columns) => [
      `CREATE TABLE spied (${columns.map((_, index) => `c${index}`).join()})`,
      `CREATE TRIGGER spy AFTER INSERT ON "${table}" BEGIN INSERT INTO spied VALUES (${columns.map((column) => `new."${column}"`).join()}); END`,
    ],
  ],
  [
    "a trigger that drops",
    (table) => [`CREATE TRIGGER spy BEFORE INSERT ON "${table}" BEGIN SELECT RAISE(IGNORE); END`],
  ],
  [
    "a trigger that fails",
    (table) => [`CREATE TRIGGER spy BEFORE INSERT ON "${table}" BEGIN SELECT RAISE(ABORT, 'no'); END`],
  ],
  [
    "a trigger before updates",
    (table) => [`CREATE TRIGGER spy BEFORE UPDATE ON "${table}" BEGIN SELECT RAISE(IGNORE); END`],
  ],
  [
    "a trigger that keeps what is deleted",
    (table, columns) => [
      "CREATE TABLE spied (x)",
      `CREATE TRIGGER spy BEFORE DELETE ON "${table}" BEGIN INSERT INTO spied VALUES (old."${columns[0]}"); END`,
    ],
  ],
  [
    "a trigger with a name like its own",
    (table) => [`CREATE TRIGGER "sqlite-search" AFTER INSERT ON "${table}" BEGIN DELETE FROM "${table}"; END`],
  ],
  [
    "a trigger on one column",
    (table, columns) => [`CREATE TRIGGER spy AFTER UPDATE OF "${columns[0]}" ON "${table}" BEGIN SELECT 1; END`],
  ],
  [
    "a view in a table's place",
    (table) => [`ALTER TABLE "${table}" RENAME TO hidden`, `CREATE VIEW "${table}" AS SELECT * FROM hidden`],
  ],
  [
    "a view that writes elsewhere",
    (table) => [
      `ALTER TABLE "${table}" RENAME TO hidden`,
      `CREATE VIEW "${table}" AS SELECT * FROM hidden`,
      `CREATE TRIGGER spy INSTEAD OF INSERT ON "${table}" BEGIN SELECT 1; END`,
    ],
  ],
  ["a view beside", (table) => [`CREATE VIEW spied AS SELECT * FROM "${table}"`]],
  ["a table of another", () => ["CREATE TABLE notes (x)"]],
  [
    "a table without its index",
    (table) => [
      `CREATE TABLE copied AS SELECT * FROM "${table}"`,
      `DROP TABLE "${table}"`,
      `ALTER TABLE copied RENAME TO "${table}"`,
    ],
  ],
  ["an index over an expression", (table, columns) => [`CREATE INDEX spied ON "${table}" (length("${columns[0]}"))`]],
  [
    "an index that some rows break",
    (table, columns) => [`CREATE UNIQUE INDEX spied ON "${table}" (length("${columns[0]}") > 0)`],
  ],
  [
    "a column that is made of others",
    (table, columns) => [`ALTER TABLE "${table}" ADD COLUMN spied AS (hex("${columns[0]}"))`],
  ],
  ["a column with a default", (table) => [`ALTER TABLE "${table}" ADD COLUMN spied DEFAULT 'x'`]],
  ["a virtual table", () => ["CREATE VIRTUAL TABLE spied USING fts5(x)"]],
];

function foreignSchema([name, sql]: (typeof foreign)[number]): Attack {
  return {
    name: `foreign: ${name}`,
    async run(place) {
      const wrong: string[] = [];
      for (const [index, { table }] of (await tablesOf(place)).entries()) {
        const path = join(place.outer, `${index}.db`);
        await filled(path, "before");
        const database = new DatabaseSync(path);
        const columns = database
          .prepare(`PRAGMA table_info("${table}")`)
          .all()
          .map((row) => String(row.name));
        try {
          for (const statement of sql(table, columns)) database.exec(statement);
        } catch {
          // This table cannot be treated so.
          continue;
        } finally {
          database.close();
        }
        const problem = await usedUnnoticed(path);
        if (problem) wrong.push(`${table}: ${problem}`);
      }
      return wrong.length > 0 ? wrong.slice(0, 4).join("; ") : undefined;
    },
  };
}

async function tablesOf(place: Place): Promise<{ table: string }[]> {
  const path = join(place.outer, "plain.db");
  await filled(path, "before");
  const database = new DatabaseSync(path);
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  database.close();
  // The inner tables of a search index are no tables to write into.
  return rows
    .map(({ name }) => ({ table: String(name) }))
    .filter(({ table }) => !/_(data|idx|content|docsize|config)$/.test(table));
}

async function filled(path: string, text: string): Promise<void> {
  const store = await sqliteStore({ path });
  await store.append(key, [said(text)]);
  await store.close();
}

/** Whether the store works with the file all the same: then what it does must be what it says. */
async function usedUnnoticed(path: string): Promise<string | undefined> {
  let store: Store;
  try {
    store = await sqliteStore({ path });
  } catch {
    return undefined;
  }
  let found: unknown[];
  let matches: unknown[];
  let left: unknown[];
  try {
    await store.append(key, [said("secret words")]);
    found = await store.load(key);
    matches = await store.search("secret", { user: "ada" });
    await store.delete(key);
    left = await store.load(key);
  } catch {
    return undefined;
  } finally {
    await store.close();
  }
  const database = new DatabaseSync(path);
  const extra = database
    .prepare(
      "SELECT type, name FROM sqlite_schema WHERE name IN ('spy', 'spied', 'sqlite-search', 'hidden') AND type IN ('trigger', 'table', 'view')",
    )
    .all();
  const spied = extra.some(({ name, type }) => name === "spied" && type === "table") && rowsIn(database, "spied");
  database.close();
  if (spied) return "what was said was copied aside";
  if (found.length !== 2) return `${found.length} events of 2 were there`;
  if (matches.length !== 1) return `${matches.length} matches of 1 were found`;
  if (left.length > 0) return "what was deleted is still there";
  if (extra.some(({ type }) => type === "trigger")) return "it was opened with a stranger's trigger";
  return undefined;
}

function rowsIn(database: DatabaseSync, table: string): boolean {
  return database.prepare(`SELECT * FROM "${table}"`).all().length > 0;
}

/** What happens to the file of an open store. */
const taken: readonly [name: string, take: (path: string, place: Place) => unknown][] = [
  ["removed", (path) => rmSync(path)],
  [
    "removed with all beside it",
    (path) => {
      for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    },
  ],
  ["renamed", (path) => renameSync(path, `${path}.old`)],
  [
    "renamed with all beside it",
    (path) => {
      for (const end of ["", "-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, `${path}.old${end}`);
    },
  ],
  ["its folder renamed", (path) => renameSync(join(path, ".."), `${join(path, "..")}.old`)],
  [
    "its folder renamed and made anew",
    (path) => {
      const folder = join(path, "..");
      renameSync(folder, `${folder}.old`);
      mkdirSync(folder);
    },
  ],
  [
    "another store renamed over it",
    async (path) => {
      await filled(`${path}.new`, "other");
      renameSync(`${path}.new`, path);
    },
  ],
  [
    "another store renamed over it, what lay beside removed",
    async (path) => {
      await filled(`${path}.new`, "other");
      renameSync(`${path}.new`, path);
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    },
  ],
  [
    "an empty file renamed over it",
    (path) => {
      writeFileSync(`${path}.new`, "");
      renameSync(`${path}.new`, path);
    },
  ],
  ["cut to nothing", (path) => truncateSync(path, 0)],
  ["cut to half a page", (path) => truncateSync(path, 2048)],
  ["written over with zeros", (path) => writeFileSync(path, Buffer.alloc(8192))],
  ["written over with a text", (path) => writeFileSync(path, "hello")],
  [
    "a link in its place",
    (path) => {
      renameSync(path, `${path}.old`);
      writeFileSync(`${path}.other`, "");
      symlinkSync(`${path}.other`, path);
    },
  ],
  [
    "a folder in its place",
    (path) => {
      renameSync(path, `${path}.old`);
      mkdirSync(path);
    },
  ],
  ["its write-ahead log removed", (path) => rmSync(`${path}-wal`, { force: true })],
  ["its write-ahead log emptied", (path) => existsSync(`${path}-wal`) && truncateSync(`${path}-wal`, 0)],
  ["its shared memory removed", (path) => rmSync(`${path}-shm`, { force: true })],
  ["made unreadable", (path) => chmodSync(path, 0)],
];

/** What an append that resolved has stored must be there for whoever opens the file. */
function takenAway([name, take]: (typeof taken)[number], when: "append" | "after more"): Attack {
  return {
    name: `taken: ${name}, ${when === "append" ? "then one event" : "then many"}`,
    async run(place) {
      const path = place.put("db/store.db");
      rmSync(path);
      const store = await sqliteStore({ path });
      await store.append(key, [said("before")]);
      await take(path, place);
      const acknowledged: string[] = [];
      for (let index = 0; index < (when === "append" ? 1 : 40); index++) {
        try {
          await store.append(key, [said(`after ${index}`)]);
          acknowledged.push(`after ${index}`);
        } catch {
          // It was noticed; a later one may find it mended.
        }
      }
      await store.close().catch(() => {});
      if (acknowledged.length === 0) return undefined;
      const found = await textsOf(path);
      const lost = acknowledged.filter((text) => !found.includes(text));
      return lost.length > 0 ? `${lost.length} of ${acknowledged.length} acknowledged events are lost` : undefined;
    },
  };
}

async function textsOf(path: string): Promise<string[]> {
  try {
    const store = await sqliteStore({ path });
    const events = await store.load(key);
    await store.close();
    return events.flatMap((event) => ("content" in event ? [event.content] : []));
  } catch {
    return [];
  }
}

/** Where secrets stand; each is made anew, of what such secrets are made of. */
function secrets(random: Random): [name: string, text: string, secret: string][] {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const mixed = (length: number, of = letters) => Array.from({ length }, () => of[random.below(of.length)]).join("");
  const hex = (length: number) => mixed(length, "0123456789abcdef");
  const upper = (length: number) => mixed(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const p = mixed(14);
  const prefixed: [string, string][] = [
    ["x.ai", `xai-${mixed(80)}`],
    ["a Telegram bot", `${1_000_000_000 + random.below(8_000_000_000)}:AA${mixed(33)}`],
    ["Hugging Face", `hf_${mixed(34)}`],
    ["Groq", `gsk_${mixed(52)}`],
    ["Replicate", `r8_${mixed(37)}`],
    ["OpenRouter", `sk-or-v1-${hex(64)}`],
    ["Anthropic", `sk-ant-api03-${mixed(93)}AA`],
    ["an OpenAI project", `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`],
    ["an OpenAI service account", `sk-svcacct-${mixed(74)}T3BlbkFJ${mixed(74)}`],
    ["Tavily", `tvly-${mixed(32)}`],
    ["Perplexity", `pplx-${mixed(48)}`],
    ["NVIDIA", `nvapi-${mixed(64)}`],
    ["LangSmith", `lsv2_pt_${hex(32)}_${hex(10)}`],
    ["GitLab", `glpat-${mixed(20)}`],
    ["a GitLab runner", `glrt-${mixed(20)}`],
    ["GitHub, fine grained", `github_pat_${mixed(22)}_${mixed(59)}`],
    ["a GitHub app", `ghs_${mixed(36)}`],
    ["Docker Hub", `dckr_pat_${mixed(27)}`],
    ["npm", `npm_${mixed(36)}`],
    ["PyPI", `pypi-AgEIcHlwaS5vcmc${mixed(80)}`],
    ["RubyGems", `rubygems_${hex(48)}`],
    ["SendGrid", `SG.${mixed(22)}.${mixed(43)}`],
    ["Slack, an app", `xapp-1-A${upper(10)}-${1_000_000_000_000 + random.below(2 ** 31)}-${hex(64)}`],
    ["Slack, refreshed", `xoxe.xoxp-1-${mixed(160)}`],
    ["Shopify", `shpat_${hex(32)}`],
    ["Square", `sq0atp-${mixed(22)}`],
    ["Stripe, restricted", `rk_live_${mixed(99)}`],
    ["age", `AGE-SECRET-KEY-1${mixed(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`],
    ["DigitalOcean", `dop_v1_${hex(64)}`],
    ["Vault", `hvs.${mixed(95)}`],
    ["Terraform Cloud", `${mixed(14)}.atlasv1.${mixed(65)}`],
    ["Doppler", `dp.st.prd.${mixed(43)}`],
    ["Linear", `lin_api_${mixed(40)}`],
    ["Notion", `ntn_${mixed(46)}`],
    ["Figma", `figd_${mixed(40)}`],
    ["PlanetScale", `pscale_pw_${mixed(43)}`],
    ["Supabase", `sbp_${hex(40)}`],
    ["Databricks", `dapi${hex(32)}`],
    ["Grafana", `glsa_${mixed(32)}_${hex(8)}`],
    ["Sentry", `sntrys_${encoded(`{"iat":${random.below(2 ** 31)},"url":"https://sentry.io"}`)}_${mixed(43)}`],
    ["Google", `AIza${mixed(35)}`],
    ["Google, for an hour", `ya29.${mixed(120)}`],
    ["AWS, for an hour", `ASIA${upper(16)}`],
    ["Azure storage", `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${encoded(mixed(64))};`],
    ["Cloudflare", `CLOUDFLARE_API_TOKEN=${mixed(40)}`],
  ];
  const within: [string, string, string][] = [
    ["an npm setting of a registry", `//registry.example.com/:_auth=${encoded(`me:${p}`)}`, encoded(`me:${p}`)],
    ["an npm setting of a password", `//registry.example.com/:_password="${encoded(p)}"`, encoded(p)],
    ["an npm setting of a token", `//r.example.com/:_authToken=${p}`, p],
    ["a session of AWS in an ini file", `aws_session_token = ${mixed(300)}${p}`, p],
    ["a session of AWS in JSON", `{"SessionToken": "${mixed(200)}${p}"}`, p],
    ["a session of AWS in an export", `export AWS_SESSION_TOKEN='IQoJb3JpZ2lu${mixed(200)}${p}'`, p],
    ["a configuration of Docker", `{"auths":{"r.example.com":{"auth":"${encoded(`me:${p}`)}"}}}`, encoded(`me:${p}`)],
    ["a configuration of Docker with a token", `{"auths":{"r":{"identitytoken": "${p}"}}}`, p],
    ["netrc on one line", `machine example.com login me password ${p}`, p],
    ["netrc on several lines", `machine example.com\n  login me\n  password ${p}\n`, p],
    ["netrc with a default", `default login me password ${p}`, p],
    [
      "a key of a cluster",
      `    client-key-data: ${encoded(`-----BEGIN EC PRIVATE KEY-----${p}${mixed(120)}`)}`,
      mixed(1) && encoded(`-----BEGIN EC PRIVATE KEY-----${p}`).slice(0, 40),
    ],
    ["a token of a cluster", `    token: ${mixed(60)}${p}`, p],
    ["mysql -p", `mysql -u root -p${p} shop`, p],
    ["mysqldump --password", `mysqldump --password=${p} shop`, p],
    ["sshpass -p", `sshpass -p ${p} ssh host`, p],
    ["sshpass -p without a space", `sshpass -p'${p}' ssh host`, p],
    ["curl -u", `curl -u me:${p} https://example.com`, p],
    ["curl --user", `curl --user "me:${p}" https://example.com`, p],
    ["curl -H", `curl -H 'X-Api-Key: ${p}' https://example.com`, p],
    ["wget --http-password", `wget --http-password=${p} https://example.com`, p],
    ["redis-cli -a", `redis-cli -a ${p} ping`, p],
    ["PGPASSWORD", `PGPASSWORD=${p} psql -h db`, p],
    ["a connection of libpq", `psql "host=db user=me password=${p}"`, p],
    ["pgpass", `db.example.com:5432:shop:me:${p}`, p],
    ["smbclient -U", `smbclient -U 'me%${p}' //host/share`, p],
    ["an address of a database", `mongodb+srv://me:${p}@db.example.com/shop`, p],
    ["an address with an escaped password", `amqp://me:${p}%40x@mq.example.com`, p],
    ["a header of HTTP", `Authorization: Basic ${encoded(`me:${p}`)}`, encoded(`me:${p}`)],
    ["a header in JSON", `{"headers":{"authorization":"Bearer ${p}${mixed(20)}"}}`, p],
    ["a cookie", `Cookie: sessionid=${p}${mixed(18)}; theme=dark`, p],
    ["a cookie that is set", `Set-Cookie: auth_token=${p}${mixed(20)}; Path=/`, p],
    ["a query", `https://example.com/?access_token=${p}${mixed(20)}&x=1`, p],
    [
      "a signed address",
      `https://a.blob.core.windows.net/x?sv=2024&sig=${encodeURIComponent(encoded(mixed(32)))}${p}`,
      p,
    ],
    ["YAML", `database:\n  password: "${p}"\n`, p],
    ["YAML with a block", `password: |\n  ${p}\n`, p],
    ["TOML", `client_secret = "${p}"`, p],
    ["XML", `<add key="Password" value="${p}" />`, p],
    ["an element of XML", `<password>${p}</password>`, p],
    ["properties of Java", `spring.datasource.password=${p}`, p],
    ["an assignment in code", `const apiKey = "${p}${mixed(10)}";`, p],
    ["an assignment in Ruby", `:secret_key_base => "${p}${mixed(20)}"`, p],
    ["an argument", `deploy --token ${p}${mixed(10)} --force`, p],
    [
      "a PuTTY key",
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n${encoded(mixed(30))}${p}\nPrivate-MAC: ${hex(64)}`,
      p,
    ],
    ["a key without its end", `-----BEGIN OPENSSH PRIVATE KEY-----\n${mixed(70)}\n${p}${mixed(40)}\n`, p],
    [
      "a key on one line",
      `{"private_key":"-----BEGIN PRIVATE KEY-----\\n${mixed(60)}${p}\\n-----END PRIVATE KEY-----\\n"}`,
      p,
    ],
    [
      "a PGP key",
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${mixed(64)}\n${p}${mixed(50)}\n-----END PGP PRIVATE KEY BLOCK-----`,
      p,
    ],
  ];
  return [
    ...prefixed.map(([name, secret]): [string, string, string] => [
      `a key of ${name}`,
      `It is ${secret}, I think.`,
      secret,
    ]),
    ...within,
  ];
}

/** Stored as what a tool read: nothing that is stored may hold the secret. */
function secretAttack([name, text, secret]: [string, string, string]): Attack {
  return {
    name: `secret: ${name}`,
    async run() {
      const inner = memoryStore();
      const store = redactingStore(inner);
      const result = JSON.stringify([{ tool: "read", status: "success", content: text }]);
      await store.append(key, [
        {
          type: "result",
          content: result,
          payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
          timestamp: 1,
        },
        said(text),
        {
          type: "record",
          kind: "finished",
          data: { id: "a", result: { tool: "read", status: "success", content: text } },
          timestamp: 1,
        },
      ]);
      const kept = JSON.stringify(await inner.load(key));
      if (kept.includes(secret)) return "it was stored";
      return redactSecrets(text).includes(secret) ? "it was left in the text" : undefined;
    },
  };
}

const controls: Attack[] = [
  {
    name: "control: a store that nobody touches keeps what it acknowledged",
    isControl: true,
    async run(place) {
      const path = join(place.outer, "s.db");
      await filled(path, "before");
      const problem = await usedUnnoticed(path);
      if (problem) return problem;
      return (await textsOf(path)).length === 0 ? undefined : "it was not deleted";
    },
  },
  ...[
    "The password policy demands 14 characters.",
    "const token = lexer.next();",
    "git log --oneline",
    "a".repeat(200),
  ].map(
    (text): Attack => ({
      name: `control: no secret: ${text.slice(0, 30)}`,
      isControl: true,
      run: async () => (redactSecrets(text) === text ? undefined : `it became ${redactSecrets(text)}`),
    }),
  ),
];
