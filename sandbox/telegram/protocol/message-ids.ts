/** Error codes of bad_msg_notification (https://core.telegram.org/mtproto/service_messages_about_messages). */
export const BAD_MESSAGE = {
  idTooLow: 16,
  idTooHigh: 17,
  idNotDivisibleBy4: 18,
  containerIdReused: 19,
  tooOld: 20,
  seqNoTooLow: 32,
  seqNoTooHigh: 33,
  seqNoMustBeEven: 34,
  seqNoMustBeOdd: 35,
  badSalt: 48,
  invalidContainer: 64,
} as const;

const OLDEST_SECONDS = 300;
const FARTHEST_SECONDS = 30;
const IDS_MAX = 2000;

/** Unix seconds in a message id. */
const secondsOf = (messageId: bigint): number => Number(messageId >> 32n);

/** Returns the error for a wrong time in a client's message id, or null. Ids follow real time, not the network's clock. */
export function wrongTime(messageId: bigint, nowMs: number): number | null {
  if ((messageId & 3n) !== 0n) return BAD_MESSAGE.idNotDivisibleBy4;
  const age = nowMs / 1000 - secondsOf(messageId);
  if (age > OLDEST_SECONDS) return BAD_MESSAGE.idTooLow;
  return age < -FARTHEST_SECONDS ? BAD_MESSAGE.idTooHigh : null;
}

export type ReceivedState = { answered: boolean; failed: boolean; answerId: bigint | null; done: Promise<void> | null };

/** The client message ids and sequence numbers that a session has received. */
export class ReceivedMessages {
  readonly #seen = new Map<bigint, ReceivedState>();
  #floor = 0n;
  #highest = 0n;
  #highestContent = { id: 0n, seqNo: -1 };

  get(messageId: bigint): ReceivedState | undefined {
    return this.#seen.get(messageId);
  }

  /** Forgets a message as if it had never arrived; a repeat is executed again. */
  forget(messageId: bigint): void {
    this.#seen.delete(messageId);
  }

  isForgotten(messageId: bigint): boolean {
    return messageId <= this.#floor;
  }

  isAboveAll(messageId: bigint): boolean {
    return messageId > this.#highest;
  }

  add(messageId: bigint): ReceivedState {
    const state: ReceivedState = { answered: false, failed: false, answerId: null, done: null };
    this.#seen.set(messageId, state);
    if (messageId > this.#highest) this.#highest = messageId;
    if (this.#seen.size > IDS_MAX) {
      const lowest = [...this.#seen.keys()].toSorted((a, b) => (a < b ? -1 : 1)).slice(0, IDS_MAX / 2);
      for (const id of lowest) this.#seen.delete(id);
      this.#floor = lowest.at(-1) ?? this.#floor;
    }
    return state;
  }

  /** Returns the error for a content-related message's sequence number, which must grow with the message ids, or null. */
  wrongSeqNo(messageId: bigint, seqNo: number): number | null {
    if (seqNo % 2 === 0) return BAD_MESSAGE.seqNoMustBeOdd;
    const { id, seqNo: highest } = this.#highestContent;
    if (messageId > id && seqNo < highest) return BAD_MESSAGE.seqNoTooLow;
    if (messageId < id && seqNo > highest) return BAD_MESSAGE.seqNoTooHigh;
    if (messageId > id) this.#highestContent = { id: messageId, seqNo };
    return null;
  }
}
