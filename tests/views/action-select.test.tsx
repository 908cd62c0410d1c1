import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { ActionSelect } from "../../src/ui/ActionSelect.tsx";

const select = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Order" });

function show(): string[] {
  const chosen: string[] = [];
  function Ordered() {
    const [order, setOrder] = useState("newest");
    const choose = (next: string) => {
      chosen.push(next);
      setOrder(next);
    };
    return (
      <ActionSelect label="Order" value={order} onChoose={choose}>
        {["newest", "oldest", "name"].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </ActionSelect>
    );
  }
  render(<Ordered />);
  return chosen;
}

/** Changes the value of a closed select as an arrow key does. */
function passTo(value: string) {
  fireEvent.keyDown(select(), { key: "ArrowDown" });
  fireEvent.change(select(), { target: { value } });
}

it("previews options by keys, acts on Enter and blur, and restores on Escape", async () => {
  const user = userEvent.setup();
  const chosen = show();
  await user.tab();
  passTo("oldest");
  expect([chosen, select().value]).toEqual([[], "oldest"]);
  fireEvent.keyDown(select(), { key: "Escape" });
  expect([chosen, select().value]).toEqual([[], "newest"]);
  passTo("oldest");
  passTo("name");
  fireEvent.keyDown(select(), { key: "Enter" });
  expect([chosen, select().value]).toEqual([["name"], "name"]);
  passTo("oldest");
  await user.tab();
  expect(chosen).toEqual(["name", "oldest"]);
});

it("acts at once on a click", async () => {
  const user = userEvent.setup();
  const chosen = show();
  await user.tab();
  fireEvent.keyDown(select(), { key: "ArrowDown" });
  await user.selectOptions(select(), "name");
  expect(chosen).toEqual(["name"]);
});
