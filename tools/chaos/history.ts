import {
  receiveMessage,
  sendFromPhone,
  deleteReceived,
  writeInChannel,
} from "../../sandbox/telegram/controls/messages.ts";
import { armFault } from "../../sandbox/telegram/controls/accounts.ts";
import type { runNetwork } from "../../sandbox/telegram/network.ts";
import { clearFaults } from "../../sandbox/telegram/world/faults.ts";
import { forgetEvents, pinDialog } from "../../sandbox/telegram/world/messages.ts";
import type { WrittenAccount } from "../bench/scale/installation.ts";

export type Network = Awaited<ReturnType<typeof runNetwork>>;

/** The events of one account's chats, and the messages that must be stored in the end. */
export class History {
  readonly account: WrittenAccount;
  readonly #network: Network;
  readonly #random: () => number;
  readonly #people: number[] = [];
  /** private messages by id; null for a deleted one */
  readonly written = new Map<number, string | null>();

  constructor(account: WrittenAccount, network: Network, random: () => number) {
    this.account = account;
    this.#network = network;
    this.#random = random;
  }

  chance = (share: number): boolean => this.#random() < share;
  upTo = (most: number): number => Math.floor(this.#random() * (most + 1));

  receive(isNew = this.#people.length === 0 || this.chance(0.3)): void {
    const known = isNew ? undefined : this.#people[this.upTo(this.#people.length - 1)];
    const text = `message ${this.written.size}`;
    const from = { first_name: `Person ${this.#people.length}`, ...(known === undefined ? {} : { user_id: known }) };
    const { user_id: person, message_id: id } = this.#act((world) =>
      receiveMessage(world, this.account.phone, { from, text }),
    );
    if (known === undefined) this.#people.push(person);
    this.written.set(id, text);
  }

  /** Makes one random event happen in the account. */
  live(): void {
    const { phone, telegramUserId } = this.account;
    const kind = this.#random();
    const person = this.#people[this.upTo(this.#people.length - 1)];
    if (kind < 0.7 || person === undefined) return this.receive();
    if (kind < 0.8) {
      const text = `by hand ${this.written.size}`;
      const { message_id: id } = this.#act((world) => sendFromPhone(world, phone, person, text));
      this.written.set(id, text);
    } else if (kind < 0.85) {
      const ids = [...this.written.keys()].filter((id) => this.written.get(id) !== null);
      const id = ids[this.upTo(ids.length - 1)];
      if (id === undefined) return;
      this.#act((world) => deleteReceived(world, phone, id));
      this.written.set(id, null);
    } else if (kind < 0.9) {
      this.#act((world) => pinDialog(world, telegramUserId, { type: "user", id: person }));
    } else if (kind < 0.95) {
      const from = { first_name: "Noise" };
      this.#act((world) => receiveMessage(world, phone, { from, text: "in a group", in_group: "Neighbours" }));
    } else {
      this.#act((world) => writeInChannel(world, phone, "noise", { from: { first_name: "Noise" }, text: "a post" }));
    }
  }

  forget(): void {
    this.#act((world) => forgetEvents(world, this.account.telegramUserId));
  }

  fail(method: string, error: string): void {
    this.#act((world) => armFault(world, this.account.phone, { method, error }));
  }

  /** Clears armed faults that no call has met. */
  calm(): void {
    this.#act((world) => clearFaults(world, this.account.telegramUserId));
  }

  #act<T>(act: (world: Network["world"]) => T): T {
    const { world } = this.#network;
    return world.store.transaction(() => act(world));
  }
}
