import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../harness/place.ts";
import type { Call } from "./terminal-question.ts";

/** A call, and the texts that must have been shown before a yes counts. White space is ignored. */
export interface ShownCall {
  name: string;
  call: (place: Place) => Call;
  /** Texts, or expressions if there are several ways to show them. */
  readable: (place: Place) => readonly (string | RegExp)[];
  prepare?: (place: Place) => void;
  columns?: number;
  isControl?: true;
}

const lines = (count: number, at: number, text: string) =>
  Array.from({ length: count }, (_, index) => (index === at ? text : `line ${index}`)).join("\n");

export const shownCalls: ShownCall[] = [
  {
    name: "control: a short write",
    call: () => ({ name: "write", args: { file: "a.md", content: "short" } }),
    readable: () => ["a.md", "short"],
    isControl: true,
  },
  {
    name: "control: a command",
    call: () => ({ name: "shell", args: { command: "touch done.txt" } }),
    readable: () => ["touch done.txt"],
    isControl: true,
  },
  ...[10, 30, 90].map((depth) => ({
    name: `a path of ${depth} folders that leads back to package.json`,
    call: () => ({
      name: "write",
      args: {
        file: `docs/${"deeper/".repeat(depth)}notes.md/${"../".repeat(depth + 2)}package.json`,
        content: "{}",
        overwrite: true,
      },
    }),
    readable: ({ root }: Place) => [new RegExp(`(${root}/|(?<![/\\w.]))package\\.json`)],
  })),
  {
    name: "a path through a link",
    prepare: (place) => {
      place.put("root/package.json", "{}");
      symlinkSync("package.json", join(place.root, "notes.md"));
    },
    call: () => ({ name: "write", args: { file: "notes.md", content: "{}", overwrite: true } }),
    readable: ({ root }) => [new RegExp(`(${root}/|(?<![/\\w.]))package\\.json`)],
  },
  {
    name: "an edit through a link to a folder",
    prepare: (place) => {
      place.put("root/config/app.json", "hello");
      symlinkSync("config", join(place.root, "docs"));
    },
    call: () => ({ name: "edit", args: { file: "docs/app.json", edits: [{ old: "hello", new: "bye" }] } }),
    readable: ({ root }) => [new RegExp(`(${root}/|(?<![/\\w.]))config/app\\.json`)],
  },
  {
    name: "a replace in a folder that is a link",
    prepare: (place) => {
      place.put("root/real/x.txt", "hello");
      symlinkSync("real", join(place.root, "fake"));
    },
    call: () => ({ name: "replace", args: { find: "hello", with: "bye", path: "fake" } }),
    readable: () => [/real/],
  },
  {
    name: "a path longer than the terminal, the end of which counts",
    call: () => ({ name: "write", args: { file: `${"a".repeat(200)}/b${"c".repeat(40)}.evil.sh`, content: "x" } }),
    readable: () => [`b${"c".repeat(40)}.evil.sh`],
  },
  {
    name: "a path at a narrow terminal",
    columns: 30,
    call: () => ({ name: "write", args: { file: "one/two/three/four/five/six/seven.evil.sh", content: "x" } }),
    readable: () => ["one/two/three/four/five/six/seven.evil.sh"],
  },
  {
    name: "a command behind 3000 spaces",
    call: () => ({ name: "shell", args: { command: `echo '${" ".repeat(3000)}' 'the evil part'` } }),
    readable: () => ["the evil part"],
  },
  {
    name: "a command behind 200 line feeds",
    call: () => ({ name: "shell", args: { command: `sh -c 'true${"\n".repeat(200)}touch evil.txt'` } }),
    readable: () => ["touch evil.txt"],
  },
  {
    name: "a command of 6000 characters",
    call: () => ({
      name: "shell",
      args: { command: `echo ${"harmless ".repeat(300)} evil-in-the-middle ${"harmless ".repeat(300)}` },
    }),
    readable: () => ["evil-in-the-middle"],
  },
  {
    name: "a command with its end at the edge",
    columns: 60,
    call: () => ({ name: "shell", args: { command: `echo ${"x".repeat(48)} evil-at-the-edge` } }),
    readable: () => ["evil-at-the-edge"],
  },
  {
    name: "a command with a folder to begin in",
    prepare: (place) => place.put("root/production/x.txt"),
    call: () => ({ name: "shell", args: { command: "touch done.txt", cwd: "production" } }),
    readable: () => ["production"],
  },
  ...[40, 250, 900].map((count) => ({
    name: `a content of ${count} lines, one of them evil`,
    call: () => ({
      name: "write",
      args: { file: "a.sh", content: lines(count, Math.floor(count / 2), "evil-in-the-middle") },
    }),
    readable: () => ["evil-in-the-middle"],
  })),
  {
    name: "a content of one line of 9000 characters",
    call: () => ({
      name: "write",
      args: { file: "a.sh", content: `${"x".repeat(6000)}evil-far-right${"x".repeat(3000)}` },
    }),
    readable: () => ["evil-far-right"],
  },
  {
    name: "a content behind many empty lines",
    call: () => ({ name: "write", args: { file: "a.sh", content: `ok${"\n".repeat(120)}evil-below` } }),
    readable: () => ["evil-below"],
  },
  {
    name: "a content behind tabs",
    call: () => ({ name: "write", args: { file: "a.sh", content: `ok${"\t".repeat(90)}evil-right-of-tabs` } }),
    readable: () => ["evil-right-of-tabs"],
  },
  {
    name: "50 edits, one of them evil",
    prepare: (place) => place.put("root/a.txt", Array.from({ length: 50 }, (_, index) => `word${index}.`).join("\n")),
    call: () => ({
      name: "edit",
      args: {
        file: "a.txt",
        edits: Array.from({ length: 50 }, (_, index) => ({
          old: `word${index}.`,
          new: index === 30 ? "evil-edit" : `w${index}.`,
        })),
      },
    }),
    readable: () => ["evil-edit", "a.txt"],
  },
  {
    name: "an edit of 90 lines, one of them evil",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "edit", args: { file: "a.txt", edits: [{ old: "hello", new: lines(90, 70, "evil-line") }] } }),
    readable: () => ["evil-line"],
  },
  {
    name: "an edit that says all",
    prepare: (place) => place.put("root/a.txt", "hello hello"),
    call: () => ({ name: "edit", args: { file: "a.txt", edits: [{ old: "hello", new: "bye", all: true }] } }),
    readable: () => [/every|all/i],
  },
  {
    name: "an edit that takes out what is long",
    prepare: (place) => place.put("root/a.txt", `start ${lines(80, 60, "precious")} end`),
    call: () => ({ name: "edit", args: { file: "a.txt", edits: [{ old: lines(80, 60, "precious"), new: "" }] } }),
    readable: () => ["precious"],
  },
  {
    name: "a replacement of 60 lines",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "replace", args: { find: "hello", with: lines(60, 44, "evil-line") } }),
    readable: () => ["evil-line"],
  },
  {
    name: "a replacement by a long expression",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "replace", args: { find: `${"(?:x|y)?".repeat(60)}hello`, with: "evil", regex: true } }),
    readable: () => [`${"(?:x|y)?".repeat(60)}hello`],
  },
  {
    name: "a replacement in ignored files",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "replace", args: { find: "hello", with: "bye", ignored: true, ignoreCase: true } }),
    readable: () => ["ignored", "ignoreCase"],
  },
  {
    name: "an address of 1400 characters with the query at its end",
    call: () => ({ name: "scrape", args: { url: `https://example.invalid/${"a/".repeat(700)}?secret=evil-query` } }),
    readable: () => ["evil-query"],
  },
  {
    name: "an address with a host of other letters",
    call: () => ({ name: "scrape", args: { url: "https://\u0430\u0440\u0440le.invalid/" } }),
    readable: () => ["xn--"],
  },
  {
    name: "an address with one other letter among its own",
    call: () => ({ name: "scrape", args: { url: "https://g\u043eogle.invalid/" } }),
    readable: () => ["xn--"],
  },
  {
    name: "an address with wide letters",
    call: () => ({ name: "scrape", args: { url: "https://\uff47\uff4f\uff4f\uff47\uff4c\uff45.invalid/" } }),
    readable: () => [/google\.invalid/],
  },
  {
    name: "an address with a fullwidth dot",
    call: () => ({ name: "scrape", args: { url: "https://example.invalid\u3002evil.invalid/" } }),
    readable: () => ["example.invalid.evil.invalid"],
  },
  {
    name: "an address with a host of digits",
    call: () => ({ name: "scrape", args: { url: "http://134744072/" } }),
    readable: () => ["8.8.8.8"],
  },
  {
    name: "an address with slashes turned",
    call: () => ({ name: "scrape", args: { url: "https:\\\\example.invalid\\@evil.invalid/" } }),
    readable: () => [/host example\.invalid$/m],
  },
  {
    name: "an address in escapes",
    call: () => ({ name: "scrape", args: { url: "https://%65%76il.invalid/" } }),
    readable: () => [/evil\.invalid/],
  },
];
