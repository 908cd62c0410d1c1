import assert from "node:assert/strict";
import type { Followup } from "../../../domain/followup.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { newLead, type Seller, type TestEngine } from "../../../tests/support/engine.ts";
import type { FakeTelegram } from "../../../tests/support/fake-telegram.ts";
import { formWith } from "../../../tests/support/form.ts";
import { addRow } from "../../../tests/support/rows.ts";

const HOUR = 3_600;

/** A step at a position in the stage. When it moves to the end, it gets a new position. */
type Stand = { id: string; isLive: boolean };
/** A lead, the positions behind its cursor, and the steps it got in this stage entry. */
type Person = { id: string; to: string; behind: Set<Stand>; got: string[]; all: string[] };

/** The contract as sets: deleting, restoring or moving a step does not move any lead. */
class Model {
  readonly row: Stand[] = [];
  readonly people: Person[] = [];
  readonly gone = new Map<string, { stand: Stand; at: number }>();

  live = () => this.row.filter(({ isLive }) => isLive);
  numberOf = (person: Person) => this.live().filter((stand) => person.behind.has(stand)).length;
  /** Returns the first live position not behind the person's cursor whose step was not sent or skipped in this entry. */
  nextOf = (person: Person): Stand | undefined =>
    this.live().find((stand) => !person.behind.has(stand) && !person.got.includes(stand.id));
  send(person: Person, stand: Stand) {
    person.got.push(stand.id);
    person.all.push(stand.id);
    this.pass(person, stand);
  }
  pass(person: Person, stand: Stand) {
    for (const before of this.row.slice(0, this.row.indexOf(stand) + 1)) person.behind.add(before);
  }
}

/** A seller with steps, people and a sender, and the model of what the people should get. */
export class StepWorld {
  readonly model = new Model();
  readonly telegram: FakeTelegram;
  readonly seller: Seller;
  readonly #steps = new Map<string, string>();
  readonly #engine: TestEngine;
  readonly #otherStage: string;
  /** How many steps were skipped since time last passed. */
  #skips = 0;

  private constructor(engine: TestEngine, seller: Seller, telegram: FakeTelegram, otherStage: string) {
    this.#engine = engine;
    this.seller = seller;
    this.telegram = telegram;
    this.#otherStage = otherStage;
  }

  static async open(engine: TestEngine): Promise<StepWorld> {
    const seller = await engine.newSeller({ automated: true });
    const { id } = await addRow(engine.deps.db, "stages", { owner_id: seller.id, name: "Elsewhere", order: 2 });
    const telegram = await engine.telegramOf(seller);
    return new StepWorld(engine, seller, telegram, id);
  }

  call<T = Followup>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) {
    return this.#engine.call<T>(this.seller, method, path, body);
  }

  async add() {
    const message = `Step ${this.#steps.size}`;
    const step = formWith({ stage_id: this.seller.stageId, message, delay_hours: "1" });
    const { id, followup_order: order } = (await this.call("POST", "/followups", step)).body;
    assert.equal(order, this.model.live().length);
    this.#steps.set(message, id);
    this.model.row.push({ id, isLive: true });
  }

  async join() {
    const { id, telegramUserId } = await newLead(this.#engine, this.seller);
    this.model.people.push({ id, to: telegramUserId, behind: new Set(), got: [], all: [] });
  }

  async remove(stand: Stand) {
    assert.equal((await this.call("DELETE", `/followups/${stand.id}`)).status, 200);
    stand.isLive = false;
    this.model.gone.set(stand.id, { stand, at: this.#engine.clock.now() });
  }

  async restore(id: string) {
    const known = this.model.gone.get(id);
    const answer = await this.call("POST", `/followups/${id}/restore`);
    const isBack = known !== undefined && this.#engine.clock.now() - known.at <= 60_000;
    assert.equal(answer.status, isBack ? 200 : 404);
    this.model.gone.delete(id);
    if (isBack) known.stand.isLive = true;
    if (isBack) assert.equal(answer.body.followup_order, this.model.live().indexOf(known.stand));
  }

  async moveToEnd(stand: Stand) {
    const live = this.model.live();
    const answer = await this.call("PATCH", `/followups/${stand.id}`, { followup_order: live.length });
    assert.equal(answer.body.followup_order, live.length - 1);
    if (stand === live.at(-1)) return;
    stand.isLive = false;
    this.model.row.push({ id: stand.id, isLive: true });
  }

  async skip(person: Person) {
    const next = this.model.nextOf(person);
    if (next === undefined) return;
    const answer = await this.call("POST", `/leads/${person.id}/automation`, { action: "skip" });
    assert.equal(answer.status, 200);
    this.#skips += 1;
    person.got.push(next.id);
    this.model.pass(person, next);
  }

  /** Leaves the stage and returns: in the new stage entry every step may be sent again. */
  async reenter(person: Person) {
    for (const stage_id of [this.#otherStage, this.seller.stageId]) {
      const reset = { followup_order_sent: 0, last_followup_sent_at: null, last_user_message_at: null };
      assert.equal((await this.call("PATCH", `/leads/${person.id}`, { stage_id, ...reset })).status, 200);
    }
    person.behind.clear();
    person.got.length = 0;
  }

  /** Lets time pass until everybody's next step is due, and sends what is due. A skipped step still takes its hour. */
  async pass() {
    const due = this.model.people.map((person) => ({ person, next: this.model.nextOf(person) }));
    await this.#engine.advance((2 + this.#skips) * HOUR);
    this.#skips = 0;
    await planFollowups(this.#engine.deps);
    await this.#engine.allSent(this.seller);
    for (const { person, next } of due) if (next !== undefined) this.model.send(person, next);
    assert.deepEqual(this.#sent(), this.#predicted());
  }

  #sent = () =>
    this.model.people.map(({ to }) =>
      this.telegram.delivered.filter((each) => each.to === to).map(({ text }) => this.#steps.get(text)),
    );
  #predicted = () => this.model.people.map(({ all }) => all);

  /** Compares everything shown with the model: steps, their numbers, the count of each lead, and filters by that count. */
  async compareWithModel() {
    const steps = (await this.call<Followup[]>("GET", "/followups")).body;
    assert.deepEqual(
      steps.map(({ id, followup_order: order }) => [order, id]),
      this.model.live().map(({ id }, order) => [order, id]),
    );
    const shown = new Map(this.model.people.map((person) => [person.id, this.model.numberOf(person)]));
    assert.deepEqual(await this.#numbers(""), shown);
    for (const number of new Set([0, ...shown.values()])) {
      const found = await this.#numbers(`&followup_order_sent=${number}`);
      assert.deepEqual(found, new Map([...shown].filter(([, sent]) => sent === number)));
    }
    const person = this.model.people.at(-1);
    if (person === undefined) return;
    const next = this.model.nextOf(person);
    type Shown = { automation: { step: { id: string; order: number } | null } };
    const { automation } = (await this.call<Shown>("GET", `/leads/${person.id}`)).body;
    if (next !== undefined)
      assert.deepEqual([automation.step?.id, automation.step?.order], [next.id, this.model.live().indexOf(next)]);
  }

  async #numbers(filter: string) {
    type Shown = { leads: { id: string; followup_order_sent: number }[] };
    const { leads } = (await this.call<Shown>("GET", `/leads?limit=100${filter}`)).body;
    return new Map(
      this.model.people.flatMap(({ id }) => {
        const lead = leads.find((each) => each.id === id);
        return lead === undefined ? [] : [[id, lead.followup_order_sent] as const];
      }),
    );
  }
}
