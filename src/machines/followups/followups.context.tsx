import type { Version } from "../kit/conflict.ts";
import { createMachineContext } from "../kit/context.tsx";
import { followupsMachine } from "./followups.machine.ts";
import type { FollowupEdit, FollowupForm, TypedFollowup } from "./followups.rows.ts";

const Followups = createMachineContext(followupsMachine, (screen) => ({
  retryReading: () => screen.send({ type: "reading.retry" }),
  restoreEdits: (edits: TypedFollowup[]) => screen.send({ type: "edits.restore", edits }),
  changeFollowup: (id: string, change: FollowupEdit) => screen.send({ type: "followup.change", id, change }),
  deleteFollowup: (id: string) => screen.send({ type: "followup.delete", id }),
  chooseVersion: (id: string, version: Version) => screen.send({ type: "followup.choose", id, version }),
  saveGroup: (stageId: string | null) => screen.send({ type: "group.save", stageId }),
  changeForm: (change: Partial<Omit<FollowupForm, "media">>) => screen.send({ type: "form.change", change }),
  chooseMedia: (media: File | null) => screen.send({ type: "media.choose", media }),
  addFollowup: () => screen.send({ type: "form.submit" }),
}));

export const FollowupsProvider = Followups.Provider;
export const useFollowups = Followups.use;
/** What a person can do to follow-ups. */
export const useFollowupsEvents = Followups.useVerbs;
export const useCanFollowups = Followups.useCan;
