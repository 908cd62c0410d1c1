import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ColumnCell } from "../../src/views/lead-tools/extra-columns.tsx";
import { leadNumber } from "../support/leads.ts";

const weight = { id: "f1", name: "Weight", type: "number" as const, options: null, is_value: false, leads: 1 };

it.each([
  [0.0625, "0.0625"],
  [-1_234.56789, "-1,234.56789"],
  [12_000, "12,000"],
])("shows all decimals of the custom number %s", (value, text) => {
  const lead = leadNumber(1, { fields: { f1: value } });
  render(
    <table>
      <tbody>
        <tr>
          <ColumnCell column={{ id: "field.f1", name: weight.name, field: weight }} lead={lead} />
        </tr>
      </tbody>
    </table>,
  );
  expect(screen.getByRole("cell").textContent).toEqual(text);
});
