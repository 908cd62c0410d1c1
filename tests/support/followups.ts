import type { Followup } from "../../domain/followup.ts";
import type { Schedule } from "../../src/views/followups/AutomationForm.tsx";

/** Returns a follow-up at a zero-based position of a stage. */
export const followupAt = (
  order: number,
  stage_id: string | null = "stage-1",
  known: Partial<Followup> = {},
): Followup => ({
  id: `${stage_id ?? "none"}-followup-${order}`,
  stage_id,
  message: `Message ${order + 1}`,
  followup_order: order,
  delay_hours: 24,
  media_type: null,
  media_url: null,
  media_base64: null,
  ...known,
});

/** The time zone and weekdays while they load. */
export const loadingSchedule: Schedule = {
  settings: { status: "loading", value: undefined, retry: () => {}, refresh: () => {} },
  ownZone: null,
  now: 0,
};

/** Returns a picture of this many bytes. */
export const picture = (bytes: number) => new File([new Uint8Array(bytes)], "photo.png", { type: "image/png" });
