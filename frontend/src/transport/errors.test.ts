import { expect, test } from "vitest";
import { asApiError, errorOfBody, unreachable } from "./errors";

test("an error of /api/ keeps its code, message and details", () => {
  const error = errorOfBody(400, {
    error: { code: "invalid", message: "1 error", details: [{ path: "spec.x", message: "bad", document: 2 }] },
  });
  expect(error).toMatchObject({ status: 400, code: "invalid", message: "1 error" });
  expect(error.details).toEqual([{ path: "spec.x", message: "bad", document: 2 }]);
});

test("a Kubernetes Status becomes the same kind of error", () => {
  const error = errorOfBody(409, {
    kind: "Status",
    reason: "Conflict",
    message: "the object has been modified",
    details: { causes: [{ field: "spec.nodeName", message: "immutable" }] },
  });
  expect(error.isConflict).toBe(true);
  expect(error.details).toEqual([{ path: "spec.nodeName", message: "immutable" }]);
});

test.each([[undefined], ["<html>"], [{}], [null], [[1]]])(
  "a body that says nothing (%j) still makes an error",
  (body) => {
    expect(errorOfBody(500, body).message).toContain("500");
  },
);

test("no answer at all is told apart from a refusal", () => {
  expect(unreachable(new TypeError("Failed to fetch")).isUnreachable).toBe(true);
  expect(errorOfBody(404, {}).isUnreachable).toBe(false);
});

test("anything thrown can be shown", () => {
  expect(asApiError(new Error("boom")).message).toBe("boom");
  expect(asApiError("text").message).toBe("text");
});
