import { i18n } from "@lingui/core";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { EVERY_STAGE } from "../../domain/bulk-target.ts";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { type AnyMachineSnapshot, SimulatedClock } from "xstate";
import { BulkJob } from "../../src/machines/bulk-job/bulk-job.machine.ts";
import { type RememberedJob, bulkDraft } from "../../src/machines/bulk-job/bulk-job.memory.ts";
import { createDrafts } from "../../src/services/drafts.ts";
import { createStorage } from "../../src/services/storage.ts";
import { BulkMessageView } from "../../src/views/bulk-message/BulkMessageView.tsx";
import { bulkJobInputs, bulkJobModel, film, held, job, picture, stages } from "../machines/bulk-job.model.ts";
import { type Gesture, button, createExternalActor, over, press, seen, toChart } from "../support/screen.ts";
import { pendingServices } from "../support/walk-machine.ts";
import type { WalkedModel } from "../support/model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const user = userEvent.setup({ applyAccept: false });
const sendButton = () => screen.getByRole("button", { name: "Send Bulk Message" });

const storage = createStorage(() => sessionStorage);
let file: File | null = null;
const draftOf = () => ({
  typed: bulkDraft(createDrafts(storage, () => "ada")),
  media: () => file,
  keepMedia: (chosen: File | null) => void (file = chosen),
});

const [listening] = createExternalActor();

const view = (draft = draftOf()) => (
  <BulkMessageView draft={draft} whom={{ preflight: async () => ({ targets: 11 }), logger: { warn: () => {} } }} />
);

function show(
  remembered: RememberedJob | null = null,
  draft = draftOf(),
  media: File | null = null,
  target = EVERY_STAGE,
) {
  const services = pendingServices();
  const clock = new SimulatedClock();
  const logic = bulkJobModel.provide(services).provide({ actors: { watchJob: listening } });
  render(over(BulkJob, view(draft))(logic, { input: { remembered, media, target }, clock }));
  return { services, clock };
}

function send(message: unknown, throttle: unknown) {
  fireEvent.change(screen.getByLabelText("Message"), { target: { value: message } });
  fireEvent.change(screen.getByLabelText("Throttle (seconds per message)"), { target: { value: throttle } });
  fireEvent.click(sendButton());
}

const gestures: Record<string, Gesture> = {
  // Each of these buttons retries every failed load.
  "reading.retry": press(() => screen.queryAllByRole("button", { name: "Try again" })[0] ?? null),
  "stage.choose": {
    control: () => screen.queryByLabelText("Target stage"),
    act: (control, event) => fireEvent.change(control, { target: { value: event["stageId"] } }),
  },
  "media.choose": {
    control: () => screen.queryByLabelText("Image or video (optional)"),
    act: (control, event) => user.upload(control, event["file"] as File),
  },
  "message.send": {
    control: () => button("Send Bulk Message"),
    act: (_control, event) => send(event["message"], event["throttle"]),
  },
  "job.recheck": press("Check again"),
  "job.continue": press("Continue"),
  "job.cancel": press("Cancel Send"),
};

const see = (state: AnyMachineSnapshot) =>
  expect({
    isPreparing: sendButton().getAttribute("aria-busy") === "true",
    areWordsHeld: screen.getByLabelText<HTMLTextAreaElement>("Message").readOnly,
    isSending: seen(/^Sending bulk message\.\.\./),
    hasResult: seen(/^✅ Bulk message sent to/),
    hasFile: button("Remove file") !== null,
    hasFailed: seen("Whether a bulk message is being sent could not be read."),
    hasNoLeads: seen("No Leads In Stage."),
  }).toEqual({
    isPreparing: state.hasTag("busy"),
    areWordsHeld: state.hasTag("busy"),
    isSending: ["running", "cancelling", "continuing", "announcingFailure", "resuming"].some((name) =>
      isInJob(state, name),
    ),
    hasResult: isInJob(state, "finished"),
    hasFile: state.context.media !== null,
    hasFailed: isInJob(state, "loadFailed"),
    hasNoLeads: state.context.leadCount === 0 && !state.hasTag("busy"),
  });

const isInJob = (state: AnyMachineSnapshot, name: string): boolean => {
  const value = (state.value as { job: string | Record<string, unknown> }).job;
  return typeof value === "string" ? value === name : name in value;
};

const model: WalkedModel = {
  ...bulkJobModel,
  inputs: bulkJobInputs,
  // A stage can be chosen once the stages are loaded.
  allow: (state, event) =>
    (bulkJobModel.allow?.(state, event) ?? true) &&
    (event.type !== "stage.choose" || state.matches({ stages: "loaded" })),
  project: (state) => [bulkJobModel.project?.(state), state.value.stages],
};

describe("the bulk screen", () => {
  walkEveryView({ model, gestures: { ...gestures, "job.changed": toChart }, show: over(BulkJob, view()), see });

  const message = () => screen.getByLabelText<HTMLTextAreaElement>("Message");
  const throttle = () => screen.getByLabelText<HTMLInputElement>("Throttle (seconds per message)");
  const stage = () => screen.getByLabelText<HTMLSelectElement>("Target stage");
  const media = () => screen.getByLabelText<HTMLInputElement>("Image or video (optional)");
  const preview = () => screen.queryByRole("img", { name: "Preview of offer.png" });
  const listed = async (...shown: Parameters<typeof show>) => {
    const { services } = show(...shown);
    const settle = (id: string, output: unknown) => act(async () => services.settle(id).resolve(output));
    await settle("listStages", stages);
    return settle;
  };

  const running = async () => {
    const { services, clock } = show({ jobId: "job-1", progress: null, result: null });
    await act(async () => services.settle("fetchRememberedJob").resolve(job("in_progress", 3)));
    return { services, clock };
  };
  const answered = async (answer: unknown) => {
    const { services, clock } = await running();
    await act(async () => clock.increment(3_000));
    await act(async () => services.settle("fetchJob").resolve(answer));
  };

  test("says how many were sent when a job is cancelled", async () => {
    const { services } = await running();
    await user.click(button("Cancel Send") as HTMLElement);
    await act(async () => services.settle("cancelJob").resolve({ sent: 4, total: 12 }));
    expect(seen("Cancelled. The message was sent to 4 of 12 leads.")).toBe(true);
  });

  test("offers all stages first, then each by name, with the default throttle", async () => {
    await listed();
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["All stages", "New", "Hot"]);
    const { type, min, max, step, value } = throttle();
    expect([type, min, max, step, value]).toEqual(["number", "0.1", "10", "0.1", "0.3"]);
    expect(seen(/^Recommended: 0\.3–1\.0/)).toEqual(true);
    expect([media().type, media().accept]).toEqual(["file", "image/*,video/*"]);
    expect(throttle().getAttribute("aria-invalid")).toEqual(null);
    for (const refused of ["-3", "10.1", ""]) {
      fireEvent.change(throttle(), { target: { value: refused } });
      expect([refused, throttle().getAttribute("aria-invalid")]).toEqual([refused, "true"]);
      expect(seen("Throttle must be between 0.1 and 10 seconds per message.")).toBe(true);
    }
  });

  test("writes the throttle with the decimal comma of the page's language, and moves it by arrow keys", async () => {
    i18n.loadAndActivate({ locale: "ru", messages: {} });
    try {
      const { services } = show();
      await act(async () => services.settle("listStages").resolve(stages));
      expect([throttle().type, throttle().value]).toEqual(["text", "0,3"]);
      const pressed = (key: string) => {
        fireEvent.keyDown(throttle(), { key });
        return throttle().value;
      };
      expect(["ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"].map(pressed)).toEqual([
        "0,4",
        "0,3",
        "0,2",
        "0,1",
        "0,1",
      ]);
      expect(draftOf().typed.read()).toMatchObject({ throttle: "0.1" });
      fireEvent.input(throttle(), { target: { value: "0,05" } });
      expect(throttle().getAttribute("aria-invalid")).toEqual("true");
      fireEvent.input(throttle(), { target: { value: "0,75" } });
      expect(throttle().getAttribute("aria-invalid")).toEqual(null);
      expect(draftOf().typed.read()).toMatchObject({ throttle: "0.75" });
      cleanup();
      show();
      expect(throttle().value).toEqual("0,75");
    } finally {
      i18n.loadAndActivate({ locale: "en", messages: {} });
    }
  });

  test("names the recipients, and counts leads chosen in the list", async () => {
    const subtitle = () => document.querySelector("h1 + p")?.textContent;
    const { services } = show(null, draftOf(), null, { kind: "leads", name: "some" });
    expect(subtitle()).toBe("One message to exactly the leads ticked in the list.");
    await act(async () => services.settle("listStages").resolve(stages));
    expect(subtitle()).toBe("One message to exactly the 11 leads ticked in the list.");
    await user.selectOptions(stage(), "Hot");
    expect(subtitle()).toBe("One message to all leads in “Hot”.");
    await user.selectOptions(stage(), "All stages");
    expect(subtitle()).toBe("One message to every lead, in all stages.");
    cleanup();
    show(null, draftOf(), null, { kind: "query", query: "q=price" });
    await act(async () => {});
    expect(subtitle()).toBe("One message to the 11 leads that the list's filters let through.");
  });

  test("previews a picture, removes it, and clears a file that is too large", async () => {
    const settle = await listed();
    await user.upload(media(), picture);
    fireEvent.error(preview() as HTMLElement);
    expect(screen.getByRole("alert").textContent).toMatch(/^offer\.png holds no picture/);
    // The same file can be chosen again after it was repaired.
    expect(media().files?.length).toBe(1);
    fireEvent.click(media());
    expect(media().files?.length).toBe(0);
    await user.upload(media(), picture);
    await user.click(button("Remove file") as HTMLElement);
    expect([screen.queryByRole("img"), media().files?.length]).toEqual([null, 0]);
    await user.upload(media(), film);
    expect(media().files?.length).toBe(0);
    await settle("showAlert", undefined);
  });

  test("keeps text and file after navigation, and the text and file name on reload", async () => {
    await listed();
    fireEvent.input(message(), { target: { value: "Half a sentence" } });
    fireEvent.input(throttle(), { target: { value: "0.7" } });
    await user.selectOptions(stage(), "Hot");
    await user.upload(media(), picture);
    cleanup();

    const typed = () => [message().value, throttle().value];
    expect(draftOf().media()).toBe(picture);
    show(null, draftOf(), draftOf().media());
    expect(typed()).toEqual(["Half a sentence", "0.7"]);
    expect([preview() === null, seen(/was not kept/)]).toEqual([false, false]);
    cleanup();

    file = null;
    expect(draftOf().typed.read()).toEqual({
      message: "Half a sentence",
      throttle: "0.7",
      target: { kind: "stage", stageId: "s2" },
      mediaName: "offer.png",
    });
    show();
    expect(typed()).toEqual(["Half a sentence", "0.7"]);
    expect(seen("The file offer.png was not kept over the reload. Choose it again.")).toBe(true);
    await user.upload(media(), picture);
    expect(seen(/was not kept/)).toEqual(false);
  });

  test("announces every tenth of the progress, without the buttons", async () => {
    await answered(job("in_progress", 3));
    const announcement = screen.getByRole("status");
    expect(announcement.textContent).toBe("Bulk message: 20 % done.");
    expect(announcement.querySelector("button, progress")).toBeNull();
    expect(screen.getByText("Sending bulk message... 3 of 12 leads").closest("[role=status]")).toBeNull();
  });

  test.each([
    [
      "✅ Bulk message sent to 1 lead and skipped 2 (for example blocked or deleted accounts).",
      job("completed", 1, { failed_count: 2 }),
      [],
    ],
    ["Bulk message failed: Spam limit", job("failed", 0, { error: "Spam limit" }), []],
    ["Bulk message failed: Unknown error", job("failed", 0, { error: null }), []],
    [
      "Paused: Telegram asks to wait",
      job("in_progress", 3, { paused_reason: "Telegram asks to wait" }),
      ["Cancel Send"],
    ],
    [`Paused: ${held.paused_reason}`, held, ["Continue", "Cancel Send"]],
  ])("says '%s' and offers the possible actions", async (words, latest, actions) => {
    await answered(latest);
    expect(seen(words)).toBe(true);
    const names = screen.getAllByRole("button").map(({ textContent }) => textContent ?? "");
    expect(names.filter((name) => /Continue|Cancel/.test(name))).toEqual(actions);
    const bar = screen.queryByRole("progressbar", { name: "Bulk message progress" });
    expect(bar?.getAttribute("aria-valuenow") ?? null).toBe(actions.length > 0 ? String(latest.sent_count) : null);
  });
});
