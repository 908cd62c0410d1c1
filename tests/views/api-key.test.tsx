import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { ApiKeys } from "../../src/machines/api-key/api-key.machine.ts";
import { KeysCard } from "../../src/views/integrations/KeysCard.tsx";
import { apiKeyModel, made } from "../machines/api-key.model.ts";
import { button, fill, over, press, seen, submit } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const nameField = () => screen.queryByRole<HTMLInputElement>("textbox", { name: "Name" });
const shown = (label: string) => screen.queryByRole<HTMLInputElement>("textbox", { name: label })?.value ?? null;
const REFUSED = "The browser did not let the page copy it. Select the text and copy it yourself.";

walkEveryView({
  model: apiKeyModel,
  show: over(ApiKeys, <KeysCard />),
  gestures: {
    "key.add": press("New key"),
    "key.revoke": press("Revoke Sheet"),
    "form.change": {
      control: ({ change }) => {
        if (change.name !== undefined) return nameField();
        return screen.queryByRole("checkbox", { name: change.scopes.length === 0 ? "read" : "send" });
      },
      act: (control, event) =>
        event["change"].name === undefined
          ? press(() => control).act(control, event)
          : fill(nameField, ({ change }) => change.name).act(control, event),
    },
    "form.cancel": press("Cancel"),
    "form.submit": submit("Create key"),
    "secret.copy": press(({ what }) => button(what === "secret" ? "Copy key" : "Copy configuration")),
    "secret.dismiss": press("Done"),
  },
  see(state) {
    const { context } = state;
    const isEditing = state.matches({ work: "editing" }) || state.matches({ work: "creating" });
    expect(seen("The keys could not be read.")).toEqual(state.matches({ list: "loadFailed" }));
    expect(seen("Sheet")).toEqual(state.matches({ list: "shown" }) && context.keys.length > 0);
    expect(nameField()?.value ?? null).toEqual(isEditing ? context.form.name : null);
    expect(seen(/can write to people in your name/)).toEqual(isEditing && context.form.scopes.includes("send"));
    expect(seen(context.problem)).toEqual(context.problem !== null);
    for (const problem of ["Give the key another name.", "Must be read, write or send.", "Give the key a name."])
      expect(seen(problem)).toEqual(Object.values(context.refused).includes(problem));
    // The secret appears only while the chart reveals it.
    expect(shown("Key")).toEqual(context.made === null ? null : made.secret);
    expect(screen.queryByRole("textbox", { name: "Key" })?.tagName).toEqual(
      context.made === null ? undefined : "INPUT",
    );
    expect(document.body.innerHTML.includes(made.secret)).toEqual(context.made !== null);
    const outcomes = Object.values(context.copied as Record<string, string>);
    expect(screen.queryAllByText("Copied.")).toHaveLength(outcomes.filter((outcome) => outcome === "copied").length);
    expect(screen.queryAllByText(REFUSED)).toHaveLength(outcomes.filter((outcome) => outcome === "refused").length);
  },
});
