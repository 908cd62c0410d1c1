import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { ChatImportChart } from "../../src/machines/chat-import/chat-import.machine.ts";
import { ChatImportParts } from "../../src/views/chat-import/ChatImportCard.tsx";
import { chatImportModel } from "../machines/chat-import.model.ts";
import { english } from "../support/english.ts";
import { button, fill, over, press, seen, submit } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const days = () => screen.queryByRole<HTMLInputElement>("spinbutton", { name: "Days to look back" });
const contacts = () => screen.queryByRole<HTMLInputElement>("switch", { name: "Include people in my contacts" });

walkEveryView({
  model: chatImportModel,
  show: over(ChatImportChart, <ChatImportParts />),
  gestures: {
    "reading.retry": press(/Try again/),
    "days.change": fill(days, (event) => String(event["days"])),
    "contacts.change": press(contacts),
    "import.start": submit(/Import chats|Starting/),
    "job.cancel": press(/Cancel/),
  },
  see(state) {
    const { context } = state;
    const isRunning = state.matches("running") || state.matches("cancelling");
    const isForm = state.matches("resting") || state.matches("starting");
    expect(seen("The import of chats could not be read.")).toEqual(state.matches("loadFailed"));
    expect(days()?.value ?? null).toEqual(isForm ? context.days : null);
    expect(contacts()?.checked ?? null).toEqual(isForm ? context.includesContacts : null);
    expect(seen(/^Looked at 1?\d* ?chats so far/)).toEqual(isRunning);
    expect(seen(/^The last import/)).toEqual(isForm && context.job !== null);
    expect(context.problem !== null && screen.queryByText(english(context.problem)) === null).toEqual(
      context.problem !== null && !isForm && !isRunning,
    );
    expect(button(/Cancel/)?.textContent ?? null).toEqual(
      isRunning ? (state.matches("cancelling") ? "Cancelling..." : "Cancel import") : null,
    );
  },
});
