/** SQL that another program could add to a store file, for one of its tables. */
export type ForeignSchema = [name: string, sql: (table: string, columns: readonly string[]) => string[]];

export const foreignSchemas: readonly ForeignSchema[] = [
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
