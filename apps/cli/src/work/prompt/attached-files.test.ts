import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { attachedFile, mentionedFiles } from "./attached-files.ts";

/** A cloned project whose files are links, and a secret beside it. */
function cloned() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-attached-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [project, outside, alias] = ["project", "outside", "alias"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [project, outside]) mkdirSync(made);
  const secret = join(outside, "cred");
  writeFileSync(secret, "the secret");
  writeFileSync(join(project, "real.md"), "what the project says");
  symlinkSync(secret, join(project, "NOTES.md"));
  symlinkSync(outside, join(project, "docs"));
  symlinkSync("real.md", join(project, "README.md"));
  symlinkSync(project, alias);
  return { project, alias, secret };
}

it("a link that leads out of the project is refused, with the path to type instead", async () => {
  const { project, alias, secret } = cloned();
  const says = `it leads out of this folder, to ${secret}. If you mean that file, type that path.`;
  for (const path of [join(project, "NOTES.md"), join(project, "docs/cred"), join(alias, "NOTES.md")]) {
    await expect(mentionedFiles(`sum up @${path}`, alias)).rejects.toThrow(says);
    await expect(attachedFile(path, alias)).rejects.toThrow(says);
  }
  expect(await mentionedFiles(`sum up @${secret}`, project)).toMatchObject([{ real: secret, text: "the secret" }]);
});

it("a link that stays in the project is followed, also where the project is named through one", async () => {
  const { project, alias } = cloned();
  for (const folder of [project, alias])
    expect(await attachedFile(join(folder, "README.md"), alias)).toMatchObject({ text: "what the project says" });
});

it.each([
  ["as a terminal writes a dragged file", "see @My\\ File\\(1\\).txt, please", "My File(1).txt"],
  ["whose space is of another kind", '@"Shot 9.41 AM.txt"', "Shot 9.41\u202fAM.txt"],
  ["whose quote is of another kind", '@"Ada\'s.txt"', "Ada\u2019s.txt"],
  ["whose letters are composed in another way", "@caf\u00e9.txt", "cafe\u0301.txt"],
])("a path %s is that of the file", async (_what, prompt, name) => {
  const { project } = cloned();
  writeFileSync(join(project, name), "found");
  const here = prompt.replace("@", `@${project.replaceAll(" ", "\\ ")}/`).replace(`@${project}/"`, `@"${project}/`);
  expect(await mentionedFiles(here, project)).toMatchObject([{ text: "found" }]);
});

it("of two files that look the same, none is taken for a third", async () => {
  const { project } = cloned();
  for (const name of ["a\u202fb.txt", "a\u00a0b.txt"]) writeFileSync(join(project, name), name);
  await expect(attachedFile(join(project, "a b.txt"), project)).rejects.toThrow("there is no such file");
});
