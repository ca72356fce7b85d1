import { expect, it } from "vitest";
import { MOST_MEBIBYTES, readFile, streamOf } from "./read_files";

it("a file is read as text", async () => {
  expect(await readFile(new File(["kind: Pod"], "pod.yaml"))).toEqual({ name: "pod.yaml", text: "kind: Pod" });
});

it("a file that is too large for the server is not read", async () => {
  const large = new File(["x".repeat(MOST_MEBIBYTES * 1024 ** 2 + 1)], "large.yaml");
  expect(await readFile(large)).toEqual({ name: "large.yaml", problem: "too_large" });
});

it("a file that cannot be read says so", async () => {
  const folder = new File([], "folder");
  folder.text = () => Promise.reject(new DOMException("not a file", "NotFoundError"));
  expect(await readFile(folder)).toEqual({ name: "folder", problem: "unread" });
});

it("several files are one stream, in the order of their names", () => {
  const files = [
    { name: "2.yaml", text: "b: 1" },
    { name: "1.yaml", text: "a: 1\n\n" },
  ];
  expect(streamOf(files)).toBe("a: 1\n---\nb: 1\n");
});
