/** Makes scripts from a grammar, and from those others by small changes of their text. The same seed makes the same scripts. */
export function generateScripts(seed: number, count: number): string[] {
  const random = generator(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (part: number) => random() < part;
  const some = (least: number, most: number, make: () => string) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, make);

  const word = (): string => (chance(0.15) ? pick(words) + pick(words) : pick(chance(0.96) ? words : openWords));
  const redirection = () => pick(chance(0.95) ? redirections : openRedirections);
  const simple = (isFed = false): string => {
    const parts = [pick(isFed && chance(0.95) ? readers : programs), ...some(0, 4, word)];
    if (chance(0.3)) parts.splice(Math.floor(random() * (parts.length + 1)), 0, redirection());
    if (chance(0.04)) parts.unshift(pick(["CI=1", "A=b", "PATH=.", "IFS=x", "NO_COLOR="]));
    return parts.join(pick([" ", " ", " ", "  ", "\t", " \\\n"]));
  };
  const hereDocument = () =>
    `${simple(true)} ${pick(["<<'EOF'", "<<EOF", '<<"EOF"', "<<\\EOF", "<<-EOF"])}${chance(0.3) ? ` ${redirection()}` : ""}\n${some(0, 3, () => `${pick(lines)}\n`).join("")}EOF`;
  const pipeline = (): string =>
    `${chance(0.05) ? "! " : ""}${[simple(), ...some(0, 2, () => simple(true))].join(pick([" | ", "|", " |\n", " |& "]))}`;
  const compound = (): string => pick(compounds).replaceAll("@", simple());
  const list = () => {
    let text = "";
    for (const part of some(1, 3, () => (chance(0.1) ? hereDocument() : chance(0.04) ? compound() : pipeline()))) {
      text += `${text === "" ? "" : text.endsWith("EOF") ? "\n" : pick([" && ", " || ", "; ", ";", "\n", "&&", "||", " &&\n", "\n\n", " # a comment\n"])}${part}`;
    }
    return text;
  };
  const changed = (text: string) => {
    const characters = Array.from(text);
    for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
      const at = Math.floor(random() * (characters.length + 1));
      characters.splice(at, chance(0.5) ? 1 : 0, ...(chance(0.7) ? [pick(alphabet)] : []));
    }
    return characters.join("");
  };
  const soup = () => `${pick(programs)} ${some(1, 7, () => pick(tokens)).join("")}`;
  return Array.from({ length: count }, (_, index) => {
    if (index % 4 === 3) return soup();
    return index % 2 === 0 ? list() : changed(list());
  });
}

const programs = [
  "git",
  "npm",
  "cat",
  "grep",
  "ls",
  "'ls'",
  "l\\s",
  "echo",
  "printf",
  "test",
  "sort",
  "head",
  "tail",
  "true",
  "wc",
  "p1",
];
const readers = ["cat", "grep", "sort", "head", "tail", "wc", "tee", 'c"a"t', "cut"];
const words = [
  ..."a b status -n --oneline -la src ./x a=b a:b {} @{0} HEAD~1 HEAD^ x~ a#b ]b %d + - -- 1 2 10 a.ts src/one.ts é 😀".split(
    " ",
  ),
  ...[
    "'a b'",
    '"a b"',
    "''",
    '""',
    '"it\'s"',
    "'$x'",
    "'`x`'",
    "'*'",
    '"*"',
    "\\*",
    "a\\ b",
    "\\$x",
    '"\\$x"',
    '"\\a"',
    '"a$"',
    "\\;",
    "\\\\",
  ],
  ...[
    "'a'\"b\"c",
    "a'\n'b",
    '"a\\\nb"',
    "a\\\nb",
    "src/*.ts",
    "a*",
    "./*.ts",
    "src/?ne.ts",
    "src/[ot]*.ts",
    "none*",
    "src/[!o]*",
    'a"*"*',
  ],
];
const openWords = [
  ...[
    "$x",
    '"$x"',
    "$(ls)",
    "`ls`",
    "$((1))",
    "*.ts",
    "*",
    ".*",
    "-*",
    "/*",
    "../*",
    "~",
    "a=~",
    "{a,b}",
    "{1..3}",
    "$'a\\tb'",
    '$"a"',
  ],
  ...["<(ls)", `\${x:-$(ls)}`, "a[$(ls)]", "?(a)", "!(a)", "=", "[", "a{b", "b}"],
];
const redirections = [
  "2>&1",
  ">out",
  ">> out",
  "2>err",
  ">/dev/null",
  "2>/dev/null",
  "< a.ts",
  "&>out",
  "1>&2",
  ">|out",
  "<<<x",
  "> 'a b'",
  "2>&-",
];
const openRedirections = ["> /tmp/x", ">../x", ">$x", "3>out", "{fd}>out", "<>out", ">&out", "> *.ts", "<&0", ">&1-"];
const lines = ["text", "$x", "'", '"', "`", "\\", "$(ls)", " EOF", "EOF ", "a # b", "", "EO\\", "é"];
const compounds = [
  ...[
    "(@)",
    "{ @; }",
    "if @; then @; fi",
    "for i in a b; do @; done",
    "while @; do @; done",
    "case a in a) @;; esac",
    "f() { @; }",
  ],
  ...["time @", "[[ a ]] && @", "((1)) || @", "until @; do break; done", "function f { @; }", "coproc @"],
];
const tokens = [
  ...[
    "\\\n",
    "\n",
    " ",
    " ",
    " ",
    "a",
    "b",
    "1",
    "2",
    "0",
    ">",
    "<",
    "&",
    "|",
    ";",
    "#",
    "!",
    "=",
    "[",
    "]",
    "~",
    "{}",
    "{",
    "}",
    ",",
    "..",
    ":",
  ],
  ...[
    "'a'",
    '"b"',
    "''",
    '"',
    "'",
    "\\",
    "$",
    "`",
    "\\'",
    '\\"',
    "2>",
    ">&1",
    "&>",
    ">/dev/null",
    " cat ",
    "|cat ",
    " <<E\n",
    "\nE\n",
    "<<<",
    "*",
    "?",
    "/",
    "./",
    "-",
  ],
];
const alphabet = Array.from(" \t\n'\"\\$`|&;<>(){}[]*?!#~=-+:,./%@^ab01é\u00a0");

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
