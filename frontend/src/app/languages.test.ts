import { expect, test } from "vitest";
import { countingIn } from "./counting";
import { completed, languageFor } from "./languages";
import { t as english } from "./messages.en";

test.each([
  [["ko-KR", "en"], "ko"],
  [["de", "ja"], "ja"],
  [["en-GB", "ko"], "en"],
  [["fr"], "en"],
  [[], "en"],
])("who wants %j reads %s", (wanted, language) => {
  expect(languageFor(wanted, ["en", "ko", "ja"])).toBe(language);
});

test("what a translation lacks is shown in English", () => {
  const { counted } = countingIn("ko");
  const korean = completed(english, {
    close: "닫기",
    pods: (count) => `파드 ${counted(count, { other: "개" })}`,
    topBar: { paused: "일시 정지됨" },
  });
  expect(korean.close).toBe("닫기");
  expect(korean.pods(1200)).toBe("파드 1,200 개");
  expect(korean.topBar.paused).toBe("일시 정지됨");
  expect(korean.topBar.resume).toBe(english.topBar.resume);
  expect(korean.nodes(1)).toBe("1 node");
});

test("things are counted by the language's own rules", () => {
  const forms = { one: "под", few: "пода", many: "подов", other: "пода" };
  const russian = [1, 2, 5, 21, 1200].map((count) => countingIn("ru").counted(count, forms));
  expect(russian.map((text) => text.split(" ").at(-1))).toEqual(["под", "пода", "подов", "под", "подов"]);
});
