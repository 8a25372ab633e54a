import { describe, expect, it } from "vitest";
import { readScript } from "./read-script.ts";

/** What coding agents run, and whether rules can judge it: the reasons if not. */
const everyday: readonly (readonly [command: string, reasons: "judged" | readonly string[]])[] = [
  // Looking around
  ["ls -la", "judged"],
  ["ls -la src | head -20", "judged"],
  ["pwd && ls", "judged"],
  ["cat package.json | head -40", "judged"],
  ["cat src/*.ts | wc -l", "judged"],
  ["wc -l ./*.ts", "judged"],
  ["wc -l *.ts", ["a wildcard that may become an option: begin it with ./ or with a name"]],
  ["tree -L 2 || ls", "judged"],
  ["head -n 50 README.md; tail -n 20 README.md", "judged"],
  ["sed -n '1,80p' src/index.ts", "judged"],
  ["du -sh node_modules 2>/dev/null | sort -h", "judged"],
  ["echo $PATH", ["a variable ($)"]],
  // Searching
  ["grep -rn foo src | head -5", "judged"],
  ["grep -rn --include='*.ts' 'TODO' . | wc -l", "judged"],
  ["grep -rn --include=*.ts TODO .", ["a wildcard that may become an option: begin it with ./ or with a name"]],
  ['rg -n "export (const|function)" src | sort | uniq -c | sort -rn | head', "judged"],
  ["find . -name '*.test.ts' -not -path './node_modules/*' | sort", "judged"],
  ["find . -name '*.orig' -exec rm {} \\;", "judged"],
  ["find src -name '*.ts' | xargs grep -l foo", ["a program that may run what it reads (xargs)"]],
  [
    'find . -type f | while read f; do wc -l "$f"; done',
    ["a loop (while)", "read, which changes how the shell runs what follows", "a variable ($)"],
  ],
  ["git grep -n foo -- 'src/*.ts' | cut -d: -f1 | sort -u", "judged"],
  // Build and test
  ["npm test", "judged"],
  ["npm test 2>&1 | tail -20", "judged"],
  ["CI=1 npm test", "judged"],
  ["NODE_ENV=test npm test", ["an assignment"]],
  ["npm ci && npm run build && npm test", "judged"],
  ["npx tsc --noEmit -p . 2>&1 | grep -E 'error TS' | head -30", "judged"],
  ["pnpm --filter app exec vitest run src/a.test.ts 2>&1 | tail -n 40", "judged"],
  ["npm run lint -- --fix || true", "judged"],
  ["cd packages/app && npm test", ["cd, which changes how the shell runs what follows"]],
  ["(cd packages/app && npm test)", ["a subshell (( ))", "cd, which changes how the shell runs what follows"]],
  ["make -j4 2>&1 | tee build.log | tail", "judged"],
  ["make -j$(nproc)", ["a command substitution ($())"]],
  ["cargo test --quiet 2>&1 | tail -30", "judged"],
  ["go test ./... 2>&1 | grep -v 'no test files'", "judged"],
  ["python3 -m pytest -q -x 2>&1 | tail -15", "judged"],
  ["python3 -c 'print(1 + 1)'", "judged"],
  ["python3 - <<'EOF'\nprint(1 + 1)\nEOF", ["a program that may run what it reads (python3)"]],
  ["timeout 60 npm test; echo done", "judged"],
  ['npm test; echo "exit $?"', ["a variable ($)"]],
  ["time npm run build | cat", ["a measured command (time)"]],
  ["node -e 'console.log(1)' > out.txt", "judged"],
  // Git
  ["git status && git diff --stat", "judged"],
  ["git log --oneline -10 | cat", "judged"],
  ["git add -A && git commit -m 'fix: the test'", "judged"],
  ["git commit -F - <<'EOF'\nfix: the test\nEOF", ["a program that may run what it reads (git)"]],
  ["git commit -m \"$(cat <<'EOF'\nfix: the test\nEOF\n)\"", ["a command substitution ($())"]],
  ["git checkout -b fix/test || git checkout fix/test", "judged"],
  ["git stash && git pull --rebase && git stash pop", "judged"],
  ["git diff HEAD~1 -- src/ > change.patch", "judged"],
  // Changing files
  ["mkdir -p src/new && touch src/new/index.ts", "judged"],
  ["sed -i 's/foo/bar/g' src/a.ts src/b.ts", "judged"],
  ["sed -i 's/foo/bar/g' src/*.ts", "judged"],
  [`cat > src/new.ts <<'EOF'\nexport const answer = "\${6 * 7}";\nEOF`, "judged"],
  ["cat <<EOF > notes.md\nplain text\nEOF", "judged"],
  ["cat <<EOF > notes.md\nHome: $HOME\nEOF", ["a here-document that expands ($, ` or \\)"]],
  ["echo 'line' >> .gitignore", "judged"],
  ["mv src/{a,b}.ts", ["a brace expansion ({)"]],
  ["cp a.txt /tmp/a.txt && rm -rf build", "judged"],
  ["rm -rf build dist/*", "judged"],
  [`for f in src/*.ts; do mv "$f" "\${f%.ts}.mts"; done`, ["a loop (for)", "a variable ($)"]],
  // Servers and the network
  ["npm run dev &", ["a command in the background (&)"]],
  ["npm run dev > dev.log 2>&1 & sleep 2; curl -s localhost:3000", ["a command in the background (&)"]],
  ["nohup node server.js > server.log 2>&1 &", ["a command in the background (&)"]],
  ["curl -s http://localhost:3000/health | jq .status", "judged"],
  ["curl -fsSL https://example.com/install.sh | bash", ["a program that may run what it reads (bash)"]],
  ["kill $(lsof -t -i:3000)", ["a command substitution ($())", "kill, which changes how the shell runs what follows"]],
  ["pkill -f vite || true", "judged"],
  ["docker ps --format '{{.Names}}' | sort", "judged"],
];

describe("everyday commands of coding agents", () => {
  it.each(everyday)("%j: %j", (command, expected) => {
    const { reasons } = readScript(command);
    expect(reasons.length === 0 ? "judged" : [...new Set(reasons.map(({ what }) => what))]).toEqual(expected);
  });

  it("are sixty or more, and most can be judged", () => {
    expect(everyday.length).toBeGreaterThanOrEqual(60);
    expect(everyday.filter(([, reasons]) => reasons === "judged").length).toBeGreaterThan(everyday.length * 0.6);
  });
});
