import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { Webhooks } from "../../src/machines/webhooks/webhooks.machine.ts";
import { WebhooksCard } from "../../src/views/integrations/WebhooksCard.tsx";
import { SECRET, dead, hook, webhooksModel } from "../machines/webhooks.model.ts";
import { english } from "../support/english.ts";
import { button, fill, over, press, seen, submit } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const address = () => screen.queryByRole<HTMLInputElement>("textbox", { name: "Address" });

walkEveryView({
  model: webhooksModel,
  show: over(Webhooks, <WebhooksCard />),
  gestures: {
    "webhook.add": press("New webhook"),
    "webhook.edit": press(() => button(`Edit ${hook.url}`)),
    "webhook.switch": press(({ id }) => button(id === hook.id ? `Disable: ${hook.url}` : `Enable again: ${dead.url}`)),
    "webhook.delete": press(() => button(`Delete ${hook.url}`)),
    "form.change": {
      control: ({ change }) => {
        if (change.url !== undefined) return address();
        return screen.queryByRole("checkbox", { name: "message.received" });
      },
      act: (control, event) =>
        event["change"].url === undefined
          ? press(() => control).act(control, event)
          : fill(address, ({ change }) => change.url).act(control, event),
    },
    "form.cancel": press("Cancel"),
    "form.submit": submit(() => button("Add webhook") ?? button("Save webhook")),
    "secret.copy": press("Copy secret"),
    "secret.dismiss": press("Done"),
  },
  see(state) {
    const { context } = state;
    const isEditing = state.matches({ work: "editing" }) || state.matches({ work: "saving" });
    const isShown = state.matches({ list: "shown" });
    expect(seen("The webhooks could not be read.")).toEqual(state.matches({ list: "loadFailed" }));
    expect(screen.queryAllByRole("listitem")).toHaveLength(isShown ? context.webhooks.length : 0);
    expect(seen(/It did not answer for three days\./)).toEqual(
      isShown && context.webhooks.some(({ id }: { id: string }) => id === dead.id),
    );
    expect(address()?.value ?? null).toEqual(isEditing ? context.form.url : null);
    expect(seen(context.problem)).toEqual(context.problem !== null);
    for (const problem of [
      "Must be a public address.",
      "Choose at least one.",
      "Enter the address.",
      "Choose at least one event.",
    ])
      expect(seen(problem)).toEqual(
        Object.values(context.refused as Record<string, UiTextOrString>)
          .map(english)
          .includes(problem),
      );
    // The secret appears only while the chart reveals it.
    expect(document.body.innerHTML.includes(SECRET)).toEqual(context.secret !== null);
    expect(seen("Copied.")).toEqual(context.copied.secret === "copied");
  },
});
