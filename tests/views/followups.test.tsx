import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { AnyActorRef, InspectionEvent } from "xstate";
import type { Followup } from "../../domain/followup.ts";
import { AutomationSettings } from "../../src/machines/automation-settings/automation-settings.machine.ts";
import { Followups, createFollowups } from "../../src/machines/followups/followups.machine.ts";
import { type FollowupRow, wrongIn } from "../../src/machines/followups/followups.rows.ts";
import { FollowupMedia } from "../../src/views/followups/FollowupMedia.tsx";
import { FollowupsView } from "../../src/views/followups/FollowupsView.tsx";
import { automationSettingsModel } from "../machines/automation-settings.model.ts";
import { followupsModel } from "../machines/followups.model.ts";
import { english } from "../support/english.ts";
import { followupAt, loadingSchedule } from "../support/followups.ts";
import { twoStages } from "../support/leads.ts";
import { fakePage } from "../support/page.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { button, fill, press, seen, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const settings = automationSettingsModel.machine.provide({ actors: { fetchSettings: pendingServices().service() } });
const form = () => within(screen.getByRole("region", { name: "Add New Follow-up" }));
const group = (name = "Initial Contact") => within(screen.getByRole("region", { name }));
const items = () => group().getAllByRole("listitem");

let chart: AnyActorRef | undefined;
/** Returns queries within a follow-up's list item, by its id; null when it is not shown. */
const itemOf = (id: string) => {
  const rows = chart?.getSnapshot().context.rows as FollowupRow[];
  const place = rows.toSorted((a, b) => a.order - b.order).findIndex((row) => row.id === id);
  const item = place < 0 ? undefined : screen.queryByRole("region", { name: "Initial Contact" }) && items()[place];
  return item ? within(item) : null;
};

const FIELDS = {
  stageId: "Stage",
  order: "Order",
  delay: "Delay (hours)",
  message: "Message",
  media: "Image or video",
};

walkEveryView({
  model: followupsModel,
  show: (logic, options) => {
    chart = undefined;
    const inspect = (event: InspectionEvent) => {
      if (event.type === "@xstate.actor") chart ??= event.actorRef as AnyActorRef;
      options.inspect(event);
    };
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:preview");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    return (
      <AutomationSettings.Provider logic={settings}>
        <Followups.Provider logic={logic} options={{ ...options, inspect }}>
          <FollowupsView schedule={loadingSchedule} />
        </Followups.Provider>
      </AutomationSettings.Provider>
    );
  },
  gestures: {
    "followup.restored": toChart,
    "edits.restore": toChart,
    "followup.change": fill(
      ({ id }) => itemOf(String(id))?.queryByRole("textbox", { name: "Message" }) ?? null,
      ({ change }) => change.message,
    ),
    "followup.choose": press(({ version }) =>
      screen.queryByRole("button", { name: version === "mine" ? "Keep mine" : "Use saved version" }),
    ),
    "followup.delete": press(({ id }) => itemOf(String(id))?.queryByRole("button", { name: "Delete" }) ?? null),
    "group.save": press("Save Changes"),
    // The chart changes several fields at once; the user changes one after another.
    "form.change": {
      control: () => form().queryByLabelText("Message"),
      act: (control, { change }) => {
        fireEvent.change(form().getByLabelText("Stage"), { target: { value: change.stageId } });
        if (change.order) fireEvent.change(form().getByLabelText("Order"), { target: { value: change.order } });
        fireEvent.change(control, { target: { value: change.message } });
      },
    },
    "media.choose": {
      control: () => form().queryByLabelText("Image or video"),
      act: (control, { media }) => fireEvent.change(control, { target: { files: [media] } }),
    },
    "form.submit": press(() => form().queryByRole("button", { name: "Add Follow-up" })),
  },
  see(state) {
    const rows = state.context.rows as FollowupRow[];
    const { refusal, formRefusal } = state.context;
    const isConflict = rows.some((row) => row.isConflict);
    expect(button("Keep mine") !== null).toEqual(isConflict);
    expect(seen(english(refusal?.group === "stage-1" ? refusal.message : "no refusal"))).toEqual(
      refusal?.group === "stage-1",
    );
    const isOfRow = refusal !== null && rows.some(({ id }) => id === refusal.id);
    expect(itemOf(refusal?.id ?? "")?.queryByText(english(refusal.message)) != null).toEqual(
      isOfRow && state.matches({ list: "ready" }),
    );
    expect(seen(formRefusal)).toEqual(formRefusal !== null);
    expect(seen("Loading follow-ups...")).toEqual(state.matches({ list: "loading" }));
    expect(seen("Failed to load follow-ups.")).toEqual(state.matches({ list: "loadFailed" }));
    expect(form().getByLabelText<HTMLTextAreaElement>("Message").value).toEqual(state.context.form.message);
    const hasFile = state.context.form.media !== null;
    expect(screen.queryByAltText(/^Preview of/) !== null).toEqual(hasFile);
    expect(button("Remove file") !== null).toEqual(hasFile);
    for (const [field, label] of Object.entries(FIELDS)) {
      const isMarked = field in { ...wrongIn(state.context.form), ...state.context.marks };
      expect([label, form().getByLabelText(label).getAttribute("aria-invalid")]).toEqual([
        label,
        isMarked ? "true" : null,
      ]);
    }
    const add = form().getByRole("button", { name: "Add Follow-up" });
    expect(add.getAttribute("aria-busy")).toEqual(state.matches({ form: "adding" }) ? "true" : null);
    if (rows.length === 0 || !state.matches({ list: "ready" })) return;
    const listed = items().map((item) => [
      within(item).getByText(/^\d+$/, { selector: "span" }).textContent,
      within(item).getByRole<HTMLTextAreaElement>("textbox", { name: "Message" }).value,
      within(item).getByRole("group").getAttribute("aria-label"),
    ]);
    const inOrder = rows.toSorted((a, b) => a.order - b.order);
    expect(listed).toEqual(
      inOrder.map((row, index) => [String(index + 1), row.message, `Initial Contact, follow-up ${index + 1}`]),
    );
    expect(group().queryByText("Changes saved.") !== null).toEqual(state.context.group?.isSaved === true);
    const save = group().getByRole<HTMLButtonElement>("button", { name: "Save Changes" });
    expect(save.ariaDisabled === "true").toEqual(!state.can({ type: "group.save", stageId: "stage-1" }));
  },
});

describe("the follow-up screen", () => {
  const show = async (...followups: Followup[]) => {
    const none = () => Promise.reject(new Error("not called here"));
    const logic = createFollowups(fakePage(), {
      followups: { list: async () => followups, add: none, change: none, setOrder: none, remove: none },
      stages: { list: async () => twoStages },
      undoing: { offer: () => {}, onRestored: () => () => {} },
    });
    render(
      <AutomationSettings.Provider logic={settings}>
        <Followups.Provider logic={logic}>
          <FollowupsView schedule={loadingSchedule} />
        </Followups.Provider>
      </AutomationSettings.Provider>,
    );
    await act(async () => {});
  };

  it("groups by stage with 'Unassigned' last, and names stages without follow-ups", async () => {
    await show(followupAt(0, null), followupAt(0, "stage-2"));
    expect(screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent)).toEqual([
      "Automation",
      "Add New Follow-up",
      "Interested",
      "Unassigned",
    ]);
    expect(screen.getByText("Initial Contact", { selector: "bdi" }).parentElement?.textContent).toEqual(
      "Nothing follows up yet in: Initial Contact.",
    );
  });

  it("counts a text near the limit, and shows an error when it is too long", async () => {
    await show(followupAt(0));
    const texts = () =>
      [form(), within(items()[0] as HTMLElement)].map((part) => part.getByLabelText<HTMLTextAreaElement>("Message"));
    for (const text of texts()) fireEvent.change(text, { target: { value: "x".repeat(4_000) } });
    expect(screen.getAllByText(/^4,000 of 4,096 characters/)).toHaveLength(2);
    for (const text of texts()) fireEvent.change(text, { target: { value: "x".repeat(4_100) } });
    expect(screen.getAllByText("Too long: Telegram takes 4,096 characters at most. Take 4 away.")).toHaveLength(2);
    expect(texts().map(({ value }) => value.length)).toEqual([4_100, 4_100]);
  });

  it("limits its number fields", async () => {
    await show(followupAt(0));
    const inForm = (label: string) => form().getByLabelText<HTMLInputElement>(label);
    const [order, delay, media] = ["Order", "Delay (hours)", "Image or video"].map(inForm);
    const { min, max } = group().getByLabelText<HTMLInputElement>("Delay (hours)");
    expect([min, max, delay?.min]).toEqual(["1", "168", "1"]);
    expect([order?.min, order?.placeholder, media?.accept]).toEqual(["1", "1", "image/*,video/*"]);
    fireEvent.change(inForm("Stage"), { target: { value: "stage-1" } });
    fireEvent.change(inForm("Order"), { target: { value: "-3" } });
    expect(form().getByText("There is no such place: it becomes number 2, the last.")).toBeTruthy();
    const hintFor = (hours: string) => {
      fireEvent.change(inForm("Delay (hours)"), { target: { value: hours } });
      return delay?.parentElement?.textContent?.replace("Delay (hours)", "");
    };
    expect(["23", "24", "72", "30", "169", ""].map(hintFor)).toEqual([
      "",
      "24 = 1 day",
      "72 = 3 days",
      "30 = 1 day 6 hours",
      "Whole hours from 1 to 168.",
      "",
    ]);
  });

  it.each([
    ["image/png", "img"],
    ["png", "img"],
    ["mp4", "video"],
    ["mov", "video"],
    ["video/webm", "video"],
  ])("shows attached media of type %s as %s", (type, tag) => {
    const { container } = render(<FollowupMedia media={{ type, url: "/media/1", base64: null }} />);
    const media = container.firstElementChild;
    expect([media?.tagName.toLowerCase(), media?.getAttribute("src")]).toEqual([tag, "/media/1"]);
  });

  it("shows media sent as bytes, and nothing for invalid bytes", () => {
    const blobs = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:media");
    const media = [
      { type: "jpg", url: null, base64: "AAAA" },
      { type: "mov", url: null, base64: "data:video/quicktime;base64,AAAA" },
      { type: "png", url: null, base64: "%%%" },
      { type: null, url: null, base64: null },
    ];
    const shown = media.map((one) => render(<FollowupMedia media={one} />).container.firstElementChild);
    expect(shown.map((one) => one?.getAttribute("src"))).toEqual(["blob:media", "blob:media", null, undefined]);
    expect(blobs.mock.calls.map(([blob]) => (blob as Blob).type)).toEqual(["image/jpeg", "video/quicktime"]);
  });
});
