import { screen } from "@testing-library/react";
import { describe, expect } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { Contacts } from "../../src/machines/contacts/contacts.machine.ts";
import { ContactsCard } from "../../src/views/settings/ContactsCard.tsx";
import { contactsMachine, contactsModel } from "../machines/contacts.model.ts";
import { english } from "../support/english.ts";
import { press, outside } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const contacts = () => screen.queryByRole<HTMLInputElement>("switch", { name: "Leave my Telegram contacts out" });
const [listening, tell] = outside();

const see = (state: AnyMachineSnapshot) => {
  const { areLeftOut, problem } = state.context as { areLeftOut: boolean; problem: UiTextOrString | null };
  const isKnown = !state.matches("loading") && !state.matches("unread");
  expect(contacts()?.checked ?? null).toEqual(isKnown ? areLeftOut !== state.matches("saving") : null);
  expect(screen.queryByText("Whether contacts become leads could not be read.") !== null).toEqual(
    state.matches("unread"),
  );
  expect(screen.queryByText(/could not be read again/) !== null).toEqual(state.matches({ known: "outdated" }));
  expect(screen.queryByText(english(problem ?? "nothing")) !== null).toEqual(isKnown && problem !== null);
};

describe("contacts as a whole", () => {
  walkEveryView({
    machine: contactsMachine,
    model: contactsModel,
    show: (services, options) => (
      <Contacts.Provider
        logic={
          contactsModel
            .provide(services)
            .provide({ actors: { watchReturns: listening } } as never) as typeof contactsMachine
        }
        options={options}
      >
        <ContactsCard />
      </Contacts.Provider>
    ),
    gestures: {
      "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
      "reading.refresh": () => tell({ type: "reading.refresh" }),
      "contacts.switch": press(contacts),
    },
    see,
  });
});
