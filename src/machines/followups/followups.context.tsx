import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { followupsMachine } from "./followups.machine.ts";
import type { FollowupEdit, FollowupForm } from "./followups.rows.ts";

const Followups = createActorContext(followupsMachine);

export const FollowupsProvider = Followups.Provider;
export const useFollowups = Followups.useSelector;

/** What a person can do to follow-ups. */
export function useFollowupsEvents() {
  const screen = Followups.useActorRef();
  return useMemo(
    () => ({
      reload: () => screen.send({ type: "list.reload" }),
      changeFollowup: (id: string, change: FollowupEdit) => screen.send({ type: "followup.change", id, change }),
      deleteFollowup: (id: string) => screen.send({ type: "followup.delete", id }),
      saveGroup: (stageId: string | null) => screen.send({ type: "group.save", stageId }),
      changeForm: (change: Partial<Omit<FollowupForm, "media">>) => screen.send({ type: "form.change", change }),
      chooseMedia: (media: File | null) => screen.send({ type: "media.choose", media }),
      addFollowup: () => screen.send({ type: "form.submit" }),
    }),
    [screen],
  );
}
