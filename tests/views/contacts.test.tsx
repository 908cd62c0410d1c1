import { screen } from "@testing-library/react";
import { expect } from "vitest";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { Contacts } from "../../src/machines/contacts/contacts.machine.ts";
import { ContactsCard } from "../../src/views/settings/ContactsCard.tsx";
import { contactsModel } from "../machines/contacts.model.ts";
import { over, press, seen } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const contacts = () => screen.queryByRole<HTMLInputElement>("switch", { name: "Leave my Telegram contacts out" });

walkEveryView({
  model: contactsModel,
  show: over(Contacts, <ContactsCard />),
  gestures: { "contacts.switch": press(contacts) },
  see(state) {
    const { areLeftOut, problem } = state.context as { areLeftOut: boolean; problem: UiTextOrString | null };
    const isKnown = !state.matches("loading") && !state.matches("loadFailed");
    expect(contacts()?.checked ?? null).toEqual(isKnown ? areLeftOut !== state.matches("saving") : null);
    expect(seen("Whether contacts become leads could not be read.")).toEqual(state.matches("loadFailed"));
    expect(seen(/could not be read again/)).toEqual(state.matches({ known: "outdated" }));
    expect(seen(problem)).toEqual(isKnown && problem !== null);
  },
});
