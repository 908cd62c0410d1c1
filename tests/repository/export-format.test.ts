import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { PARTS } from "../../server/owned-data/index.ts";

const document = readFileSync(path.join(import.meta.dirname, "../../docs/export-format.md"), "utf8");

it("lists the columns of each file of an archive in docs/export-format.md", () => {
  const rows = [...document.matchAll(/^\| `(\w+)\.csv` +\|[^|]*\| `([^`]*)`/gm)];
  const listed = rows.map(([, name, columns]) => ({ name, columns }));
  expect(listed).toEqual(
    PARTS.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name).join(" ") })),
  );
});
