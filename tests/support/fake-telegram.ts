import { expect } from "vitest";
import type { Work } from "../../server/core/work.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import type { Recipient, SendPort, SentMessage } from "../../server/outbox/port.ts";

export type Delivered = {
  to: string;
  text: string;
  mediaId: string | null;
  randomId: bigint;
  at: number;
  messageId: number;
};
type Fault = { error: Error; times: number; to?: string; afterDelivery?: boolean };

/** Returns an error as the client library throws it. */
export const refusal = (text: string, code = 400): Error => Object.assign(new Error(text), { code, text });
export const lostAnswer = (): Error => new Error("connection lost");

/**
 * A Telegram that behaves as documented: one message per recipient and random id. Faults may happen before or after the delivery.
 * @param slowMs how long it takes to answer
 */
export function createFakeTelegram(clock: VirtualClock, work: Work, slowMs?: number) {
  const delivered: Delivered[] = [];
  const calls: { to: string; text: string; at: number; randomId: bigint }[] = [];
  const faults: Fault[] = [];
  const channels = new Map<string, { ok: true; title: string } | { ok: false; reason: string }>();
  let running = 0;
  let mostAtOnce = 0;
  const nameOf = (to: Recipient) => ("channel" in to ? to.channel : to.telegramUserId);

  const send = async (to: string, text: string, mediaId: string | null, randomId: bigint): Promise<SentMessage> => {
    const startedAt = clock.now();
    calls.push({ to, text, at: startedAt, randomId });
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    try {
      if (slowMs !== undefined) await work.pauseFor(clock.sleep(slowMs));
      const fault = faults.find((each) => each.times > 0 && (each.to === undefined || each.to === to));
      if (fault !== undefined) {
        fault.times -= 1;
        if (!fault.afterDelivery) throw fault.error;
      }
      let message = delivered.find((each) => each.to === to && each.randomId === randomId);
      if (message === undefined) {
        message = { to, text, mediaId, randomId, at: startedAt, messageId: delivered.length + 1 };
        delivered.push(message);
      }
      if (fault !== undefined) throw fault.error;
      const date = new Date(message.at - (message.at % 1000)).toISOString();
      return { messageId: message.messageId, date, photo: null };
    } finally {
      running -= 1;
    }
  };
  const port: SendPort = {
    sendText: ({ to, text, randomId }) => send(nameOf(to), text, null, randomId),
    sendMedia: ({ to, caption, media, randomId }) => send(nameOf(to), caption, media.id, randomId),
    readFile: () => Promise.reject(lostAnswer()),
    markRead: async () => {},
    requirementsOf: async (ids) => ids.map(() => null),
    checkChannel: async (channel) => channels.get(channel) ?? { ok: false, reason: "There is no such channel." },
  };
  return {
    port,
    delivered,
    texts: () => delivered.map(({ text }) => text),
    /** Lets time pass until this many messages have arrived. */
    async got(count: number) {
      await clock.passUntil(() => delivered.length >= count || null);
      expect(delivered).toHaveLength(count);
    },
    calls,
    channels,
    get mostAtOnce() {
      return mostAtOnce;
    },
    fail: (error: Error, fault: { times?: number; to?: string; afterDelivery?: boolean } = {}) => {
      faults.push({ error, times: 1, ...fault });
    },
  };
}
export type FakeTelegram = ReturnType<typeof createFakeTelegram>;
