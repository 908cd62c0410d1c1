import { expect, it } from "vitest";
import { withText } from "../../domain/refusal-text.ts";
import { isUiText } from "../../domain/ui-text.ts";

const refused = (code: string, params: object) => ({ message: "What the server says.", code, params });

it.each([
  ["code", refused("of_a_newer_server", {})],
  ["code that every object has", refused("toString", {})],
  ["reason", refused("bad_request", { reason: "newer" })],
  ["problem of a row", refused("row_unreadable", { row: 2, problem: { code: "newer", params: {} } })],
  [
    "problem of a cell",
    refused("row_unreadable", {
      row: 2,
      problem: { code: "cell", params: { column: "notes", code: "newer", params: {} } },
    }),
  ],
  ["field of an archive", refused("archive_broken", { reason: "field", path: "a.csv", field: "b", code: null })],
])("shows the server's English when it does not know the %s", (_what, body) => {
  expect(withText(body)).toEqual(body);
});

it("shows the problem of a row", () => {
  const body = refused("row_unreadable", { row: 2, problem: { code: "quote_not_closed", params: {} } });
  expect(withText(body)).toMatchObject({ code: "row_unreadable", message: { english: "What the server says." } });
  expect(isUiText((withText(body) as { message: unknown }).message)).toBe(true);
});
