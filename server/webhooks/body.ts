import { WEBHOOK_BODY_MAX_BYTES } from "../../domain/webhook.ts";

/** An event as it is stored. `at` is ISO. */
export type DeliveredEvent = { type: string; at: string; data: Record<string, unknown> };

/**
 * Returns an event's body, the same for each attempt: `{type, timestamp, data}` as JSON, smaller than 64 KB. In a longer one the message
 * text is cut between characters and `data.truncated` is true.
 */
export function bodyOf({ type, at, data }: DeliveredEvent): string {
  const whole = JSON.stringify({ type, timestamp: at, data });
  if (Buffer.byteLength(whole) < WEBHOOK_BODY_MAX_BYTES) return whole;
  const { text } = data;
  const characters = typeof text === "string" ? Array.from(text) : [];
  const truncate = (count: number) =>
    JSON.stringify({
      type,
      timestamp: at,
      data: { ...data, text: characters.slice(0, count).join(""), truncated: true },
    });
  let [least, most] = [0, characters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (Buffer.byteLength(truncate(middle)) < WEBHOOK_BODY_MAX_BYTES) least = middle;
    else most = middle - 1;
  }
  return truncate(least);
}
