import { expect, it } from "vitest";
import { Pictures } from "./pictures.ts";

const png = (bytes: number) => ({
  ...{ kind: "image" as const, mediaType: "image/png" },
  data: Buffer.alloc(bytes, 1).toString("base64"),
});

it("gives each picture a mark that says what it is, and attaches those whose marks a text holds", () => {
  const pictures = new Pictures();
  const first = pictures.add(png(23_411));
  const second = pictures.add({ ...png(10), mediaType: "image/jpeg" });
  expect([first, second]).toEqual(["[picture 1, png, 23 KB]", "[picture 2, jpeg, 1 KB]"]);
  expect(pictures.in(`Compare ${second} with ${first}.`).map(({ attachment }) => attachment?.name)).toEqual([
    "picture-1.png",
    "picture-2.jpeg",
  ]);
  expect(pictures.in(`Only ${second}`)).toHaveLength(1);
  expect(pictures.in("[picture 1, png, 24 KB] and [picture 1")).toEqual([]);
});

it("keeps the latest twenty", () => {
  const pictures = new Pictures();
  const marks = Array.from({ length: 21 }, () => pictures.add(png(10)));
  expect(marks.map((mark) => pictures.in(mark).length)).toEqual([0, ...Array(20).fill(1)]);
});

it("has the pictures of a prompt again whose marks it holds, and goes on with their numbers", () => {
  const pictures = new Pictures();
  const before = new Pictures();
  const [one, two] = [before.add(png(1)), before.add(png(2))];
  const attachments = before.in(`${one} ${two}`).flatMap(({ attachment }) => attachment ?? []);
  pictures.again(`Again ${two}`, attachments);
  expect(pictures.in(`${one} ${two}`).map(({ attachment }) => attachment)).toEqual([attachments[1]]);
  expect(pictures.add(png(1))).toContain("picture 3");
  pictures.again("[picture 9, png, 1 KB]", [{ ...png(1), name: "elsewhere.png" }]);
  expect(pictures.in("[picture 9, png, 1 KB]")).toEqual([]);
});
