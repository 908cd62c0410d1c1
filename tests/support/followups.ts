import type { Followup } from "../../domain/followup.ts";

/** A follow-up at a zero-based place of a stage. */
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

/** A picture of so many bytes. */
export const picture = (bytes: number) => new File([new Uint8Array(bytes)], "photo.png", { type: "image/png" });
