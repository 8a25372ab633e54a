import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { models, place } from "./support/command-line.ts";
import { fakeWayland, png } from "./support/fake-clipboard.ts";
import { modelServer } from "./support/model-servers.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";
import { hasTmux, tmuxTerminal } from "./support/tmux-terminal.ts";

const [ctrlV, esc, up, enter] = ["\u0016", "\u001b", "\u001b[A", "\r"];
const chat = ["--provider", models, "--sandbox", "off", "--yes", "--model"];
/** Two keys that are typed at once are one key with Alt. */
const apart = () => new Promise((resolve) => setTimeout(resolve, 100));

describe.skipIf(!hasPseudoTerminal)("Ctrl-V in a terminal", () => {
  it("puts the mark of a picture into the text, and the model gets the picture", async () => {
    const at = place();
    const server = await modelServer("A cat.");
    writeFileSync(join(at.folder, "picture"), png);
    const bin = fakeWayland(join(at.folder, "../", `${at.folder.split("/").at(-1)}-bin`), {
      picture: join(at.folder, "picture"),
    });
    const env = { PATH: `${bin}:${process.env.PATH}`, WAYLAND_DISPLAY: "w" };
    const terminal = pseudoTerminal(at, server.at("Messages"), { env });
    await terminal.shows(/ready/);
    terminal.type(`what is ${ctrlV}`);
    await terminal.shows(/^> what is \[picture 1, png, 2 KB\]$/m);
    terminal.type(` there?${enter}`);
    const shown = await terminal.shows(/A cat\..*ready/s);
    expect(shown).toMatch(
      /^> what is \[picture 1, png, 2 KB\] there\?\n\(attached: picture-1\.png, image\/png, 2008 bytes\)/m,
    );
    expect(JSON.stringify(server.requests[0])).toContain(png.toString("base64"));
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  });

  it("types a text of the clipboard without sending it", async () => {
    const at = place();
    const bin = fakeWayland(join(at.folder, "bin-of-mine"), { text: "one\\r\\033[201~\\rtwo" });
    const env = { PATH: `/nowhere:${process.env.PATH}`, WAYLAND_DISPLAY: "w" };
    // A program in the folder of the project is not run.
    const inside = pseudoTerminal(at, [...chat, "echo"], { env: { ...env, PATH: `${bin}:${env.PATH}` } });
    await inside.shows(/ready/);
    inside.type(ctrlV);
    await inside.shows(/The clipboard cannot be read without wl-paste on the PATH\./);
    inside.type(`/quit${enter}`);
    expect(await inside.ended).toBe(0);
    const elsewhere = place();
    const outside = pseudoTerminal(elsewhere, [...chat, "echo"], { env: { ...env, PATH: `${bin}:${env.PATH}` } });
    await outside.shows(/ready/);
    outside.type(ctrlV);
    await outside.shows(/^> one\n\n {2}two\nready/m);
    outside.type("\u0003\u0003");
    expect(await outside.ended).toBe(0);
  });

  it("asks the terminal only where that is allowed, and types no answer that it did not ask for", async () => {
    const at = place();
    const answer = `\u001b]52;c;${Buffer.from("far away").toString("base64")}\u0007`;
    const terminal = pseudoTerminal(at, [...chat, "echo"]);
    await terminal.shows(/ready/);
    terminal.type(`${answer}here${ctrlV}`);
    const refused = await terminal.shows(/There is no clipboard here.*^> here$/ms);
    expect(refused).not.toContain("far away");
    expect(terminal.bytes).not.toContain("]52;c;?");
    terminal.type("\u0003\u0003");
    await terminal.ended;
    const allowed = pseudoTerminal(at, [...chat, "echo", "--terminal-clipboard"]);
    await allowed.shows(/ready/);
    allowed.type(ctrlV);
    while (!allowed.bytes.includes("]52;c;?")) await apart();
    allowed.type(answer);
    await allowed.shows(/^> far away$/m);
    allowed.type("\u0003\u0003");
    expect(await allowed.ended).toBe(0);
  });
});

describe.skipIf(!hasTmux)("Esc twice", () => {
  it("lists the prompts, gives one back to be changed in a fork, and /tree leads to what followed", async () => {
    const at = place();
    const terminal = tmuxTerminal(at, [...chat, "echo", "--conversation", "talk"], { rows: 40 });
    await terminal.shows(/ready/);
    for (const text of ["one", "two", "three"]) {
      terminal.type(`${text}${enter}`);
      await terminal.shows(new RegExp(`> ${text}\\n[\\s\\S]*You said[\\s\\S]*ready`));
    }
    terminal.type(esc);
    await terminal.shows(/^Esc again: go back to an earlier prompt$/m);
    terminal.type(esc);
    const list = await terminal.shows(/Which prompt do you want to change\?.*Esc: leave it/s);
    expect(list).toMatch(/ {2}1 {2}one · .*\n {2}2 {2}two · .*\n> 3 {2}three · /);
    terminal.type(up);
    await terminal.shows(/^> 2 {2}two/m);
    terminal.type(enter);
    await terminal.shows(/You are before turn 2\..*\/resume talk\.\n\n> two\nready/s);
    terminal.type(` and a half${enter}`);
    await terminal.shows(/> two and a half\n[\s\S]*You said[\s\S]*ready/);
    terminal.type(`/tree${enter}`);
    await terminal.shows(/ {2}one · just now\n> └ this one: two and a half · just now\n/);
    terminal.type(up);
    await terminal.shows(/^> one · just now$/m);
    terminal.type(enter);
    await terminal.shows(/Which point of it\?\n> Go on with it as it is\n {2}1 {2}one · /);
    terminal.type(enter);
    await terminal.shows(/Going on with talk\. 1 turn before these is kept\.\n[\s\S]*> three\n/);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  });

  it("does nothing where something is typed, and offers to undo what was changed in files", async () => {
    const at = place();
    const terminal = tmuxTerminal(at, [...chat, "writer"], { rows: 40 });
    await terminal.shows(/ready/);
    terminal.type(`write it${enter}`);
    await terminal.shows(/That was it\.[\s\S]*ready/);
    terminal.type("draft");
    for (let time = 0; time < 2; time++) {
      terminal.type(esc);
      await apart();
    }
    terminal.type(`\u0003/diff${enter}`);
    const diff = await terminal.shows(/1 file changed since turn 1, "write it":[\s\S]*\+# Todo\n/);
    expect(diff).not.toContain("Which prompt");
    terminal.type(`/back${enter}`);
    await terminal.shows(/> 1 {2}write it/);
    terminal.type(enter);
    await terminal.shows(/the agent has changed 1 file: todo\.md\.\n> Leave the files as they are\n {2}Undo these/);
    terminal.type("\u001b[B");
    await terminal.shows(/^> Undo these changes, too$/m);
    terminal.type(enter);
    await terminal.shows(/removed +todo\.md[\s\S]*> write it\nready/);
    expect(existsSync(join(at.folder, "todo.md"))).toBe(false);
    terminal.type("\u0003\u0003");
    expect(await terminal.ended).toBe(0);
  });
});

it.skipIf(!hasPseudoTerminal)("a plain chat takes the number of a prompt, and writes a page", async () => {
  const at = place();
  const terminal = pseudoTerminal(at, [...chat, "echo", "--plain"]);
  await terminal.shows(/ready: Type a line\./);
  terminal.type("one\r");
  await terminal.shows(/agent: You said[\s\S]*ready: /);
  terminal.type("/back\r");
  await terminal.shows(/question: Which prompt do you want to change\?\n {2}1 = 1 {2}one · just now\n/);
  terminal.type("1\r");
  await terminal.shows(/note: You are before turn 1\.[\s\S]*warning: Not sent, type it again to send it: one/);
  terminal.type("another\r");
  await terminal.shows(/you: another[\s\S]*agent: You said/);
  terminal.type("/tree\r");
  await terminal.shows(
    /question: Which conversation\?\n {2}1 = one · just now\n {2}2 = └ this one: another · just now/,
  );
  terminal.type("\r");
  await terminal.shows(/note: You stay in this one\./);
  terminal.type("/export --html\r");
  await terminal.shows(/note: wrote the page to /);
  const page = readdirSync(at.folder).find((name) => name.endsWith(".html")) ?? "";
  expect(readFileSync(join(at.folder, page), "utf8")).toContain("another");
  terminal.type("/quit\r");
  expect(await terminal.ended).toBe(0);
});
