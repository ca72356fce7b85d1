import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { WithCode, withoutBackticks } from "./with_code";

test("what stands between backticks is code", () => {
  const { container } = render(<WithCode text="Scale `trainer` to 3" />);
  expect(container.innerHTML).toBe("Scale <code>trainer</code> to 3");
  expect(withoutBackticks("Scale `trainer` to 3")).toBe("Scale trainer to 3");
});
