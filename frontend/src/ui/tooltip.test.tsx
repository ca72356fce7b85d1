import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TooltipLayer, tipLines } from "./tooltip";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

test("a tip of twenty lines is shown whole", () => {
  expect(tipLines(numbered(20).join("\n"))).toEqual(numbered(20));
});

test("of a longer one the first are shown, and how many more there are", () => {
  expect(tipLines(numbered(1000).join("\n"))).toEqual([...numbered(19), "and 981 more lines"]);
});

test("a line without end is cut", () => {
  expect(tipLines("x".repeat(20_000))[0]?.length).toBeLessThan(500);
});

test("while something has the focus its tip describes it, beside what did before", async () => {
  const { matches } = Element.prototype;
  Object.assign(HTMLElement.prototype, {
    matches(this: HTMLElement, selector: string) {
      // jsdom knows no keyboard; the focus is as visible as one's.
      return matches.call(this, selector === ":focus-visible" ? "*" : selector);
    },
  });
  render(
    <>
      <p id="more">more</p>
      <button type="button" data-tip="Filter: leaves out nodes" aria-describedby="more">
        Filter
      </button>
      <TooltipLayer />
    </>,
  );
  const button = screen.getByRole("button");
  act(() => button.focus());
  expect(button.getAttribute("aria-describedby")).toBe("more tooltip");
  expect((await screen.findByText("Filter: leaves out nodes")).closest("#tooltip")).not.toBeNull();
  act(() => button.blur());
  expect(button.getAttribute("aria-describedby")).toBe("more");
});
