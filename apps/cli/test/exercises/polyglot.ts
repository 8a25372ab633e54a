import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Exercise, solve } from "./solve.ts";

// `node test/exercises/polyglot.ts <folder>`: solves the JavaScript and Python exercises of the polyglot benchmark, whose clone is in
// that folder, with a model that writes their proofs. Needs bubblewrap, python3 with pytest, and npm's registry for jest.

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("Give the folder with a clone of the polyglot benchmark.");
const root = mkdtempSync(join(tmpdir(), "cogency-polyglot-"));
try {
  const exercises = [...javascript(source), ...python(source)];
  let solved = 0;
  for (const [index, exercise] of exercises.entries()) {
    const dialect = index % 2 === 0 ? "json" : "xml";
    const { failedBefore, passes, isExact, output, answer } = await solve(root, exercise, dialect);
    // Some exercises are to be rewritten, so that their tests pass at first, too.
    if (!failedBefore) console.log(`${exercise.name}: its tests pass before anything is written`);
    if (passes && isExact) solved++;
    else
      console.log(
        `${exercise.name} (${dialect}): ${JSON.stringify({ passes, isExact, answer })}\n${output.slice(0, 600)}`,
      );
  }
  console.log(`${solved} of ${exercises.length} exercises solved`);
  process.exitCode = solved === exercises.length ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

function javascript(benchmark: string): Exercise[] {
  const found = copied(benchmark, "javascript");
  const packages = [
    "jest@29",
    "babel-jest@29",
    "@babel/core@7",
    "@exercism/babel-preset-javascript@0.2",
    "core-js@3.37",
  ];
  writeFileSync(join(root, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
    cwd: root,
    stdio: "ignore",
  });
  return found.map(({ name, folder, files }) => {
    // The benchmark has every test run, which Exercism's own files leave to the person.
    for (const file of files.test) unskip(join(root, folder, file));
    return {
      name,
      folder,
      instructions: ".docs/instructions.md",
      solution: pairs(folder, files),
      test: `node ${join(root, "node_modules/jest/bin/jest.js")} --rootDir . --ci --testTimeout 60000 ${files.test.map((file) => `./${file}`).join(" ")}`,
    };
  });
}

function python(benchmark: string): Exercise[] {
  return copied(benchmark, "python").map(({ name, folder, files }) => ({
    name,
    folder,
    instructions: ".docs/instructions.md",
    solution: pairs(folder, files),
    test: `python3 -m pytest -q -p no:cacheprovider ${files.test.join(" ")}`,
  }));
}

interface Files {
  solution: string[];
  test: string[];
  example: string[];
}

function copied(benchmark: string, language: string): { name: string; folder: string; files: Files }[] {
  const practice = join(language, "exercises/practice");
  cpSync(join(benchmark, practice), join(root, practice), { recursive: true });
  return readdirSync(join(root, practice)).map((name) => {
    const folder = join(practice, name);
    const { files } = JSON.parse(readFileSync(join(root, folder, ".meta/config.json"), "utf8")) as { files: Files };
    return { name: `${language} ${name}`, folder, files };
  });
}

/** The proofs, under the names of the files that they solve. */
function pairs(folder: string, { solution, example }: Files): Record<string, string> {
  return Object.fromEntries(
    solution.flatMap((file, index) => {
      const proof = join(root, folder, example[index] ?? "");
      return example[index] !== undefined && existsSync(proof) ? [[file, readFileSync(proof, "utf8")]] : [];
    }),
  );
}

function unskip(file: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(/\bx(test|it|describe)\b/g, "$1"));
}
