import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, test } from "vitest";
import { createActor, createMachine, setup, spawnChild } from "xstate";
import { LOG_SIZE, createActorLog } from "../../src/app/inspector/actor-log.ts";
import { InspectorPanel } from "../../src/app/inspector/InspectorPanel.tsx";
import { redact } from "../../src/app/inspector/redact.ts";
import { startInspectorIfAsked } from "../../src/app/inspector/index.tsx";
import { watchEveryActor } from "../../src/app/inspector/watch-actors.ts";
import { telegramModel } from "../machines/telegram.model.ts";
import { pendingServices } from "../support/walk-machine.ts";

let stopWatching = () => {};
afterEach(() => stopWatching());

function watchedTelegram() {
  const log = createActorLog();
  stopWatching = watchEveryActor(log.inspect);
  const services = pendingServices();
  const machine = telegramModel.provide(services);
  const actor = createActor(machine, { input: { phone: null, login: null } }).start();
  return { log, services, actor };
}

describe("the inspector", () => {
  test("shows every actor with its active states, and logs events without secrets", async () => {
    const { log, services, actor } = watchedTelegram();
    const settle = (id: string, output: unknown) => act(async () => services.settle(id).resolve(output));
    render(<InspectorPanel log={log} onClose={() => {}} />);
    const lit = () => {
      const picture = screen.getByRole("img", { name: /^Statechart of telegram/ });
      const states = picture.shadowRoot?.querySelectorAll("[data-live]") ?? [];
      return [...states].map((state) => state.getAttribute("data-state")).at(-1);
    };
    await waitFor(() => expect(lit(), "pictures of npm run statecharts").toEqual("telegram.checkingStatus"));
    await settle("checkStatus", { connected: false, phone: null });
    expect(lit()).toEqual("telegram.disconnected.code.awaitingPhone");
    expect(log.read().actors.map(({ name, state }) => [name, state])).toEqual([
      ["telegram", "disconnected.code.awaitingPhone"],
      ["watchConnection", "active"],
    ]);
    await act(async () => actor.send({ type: "phone.submit", phone: "+1555" }));
    await settle("requestCode", { kind: "codeSent" });
    await act(async () => actor.send({ type: "code.submit", code: "98765" }));
    const entries = within(screen.getByRole("region", { name: "Event log" })).getAllByRole("listitem");
    expect(entries.map(({ textContent }) => textContent)).toContain('telegram code.submit {"code":"•••"}');
    expect(document.body.textContent).not.toContain("98765");
    await act(async () => void actor.stop());
    expect(log.read().actors.filter(({ machineId }) => machineId !== null)).toEqual([]);
  });

  test("keeps the newest events only", async () => {
    const { log, actor } = watchedTelegram();
    await act(async () => {
      for (let turn = 0; turn < LOG_SIZE + 50; turn++) actor.send({ type: "login.restart" });
    });
    const { events } = log.read();
    expect(events).toHaveLength(LOG_SIZE);
    expect(events.at(-1)?.number).toBeGreaterThan(LOG_SIZE);
  });

  test("masks secrets at any depth, and replaces large values with their size", () => {
    expect(
      redact({
        password: "open sesame",
        session: { accessToken: "abc", user: { id: "1" } },
        qrUrl: "tg://login",
        code: "",
        text: '{"Authorization": "Bearer llk_abc-DEF_1"} whsec_a+/b=',
        problem: new TypeError("offline"),
        film: new File([], "film.mp4"),
        leads: Array.from({ length: 21 }, (_, index) => index),
        a: { b: { c: { d: {} } } },
      }),
    ).toEqual({
      password: "•••",
      session: { accessToken: "•••", user: { id: "1" } },
      qrUrl: "•••",
      code: "",
      text: '{"Authorization": "Bearer llk_•••"} whsec_•••',
      problem: "TypeError: offline",
      film: "[File]",
      leads: "[21 entries]",
      a: { b: { c: { d: "…" } } },
    });
  });

  test("distinguishes actors of one kind by subject, and shows their parents", async () => {
    const log = createActorLog();
    stopWatching = watchEveryActor(log.inspect);
    const row = createMachine({ id: "leadRow", context: ({ input }) => ({ lead: input }) });
    const list = setup({ actors: { row } }).createMachine({
      id: "leads",
      entry: [
        spawnChild("row", { id: "1", input: { id: "1", name: "Ada Lovelace" } }),
        spawnChild("row", { id: "2", input: { id: "2", name: null, username: "alan" } }),
      ],
    });
    createActor(list).start();
    await act(async () => {});
    render(<InspectorPanel log={log} onClose={() => {}} />);
    const tree = screen.getByRole("group", { name: "Live actors" });
    const [leads, ...others] = within(tree).getAllByRole("listitem");
    expect(others.map((item) => item.textContent)).toEqual(["leadRowAda Lovelace", "leadRowalan"]);
    expect(others.every((item) => leads?.contains(item))).toBe(true);
    // A chart that knows only its lead's id gets the lead's name; others are named after their context.
    const about = ["composer", "composer", "catalog", "reading"] as const;
    const contexts = [{ leadId: "1", lead: null }, { leadId: "3" }, { kind: "tag" }, { what: "the stages" }];
    await act(async () =>
      about.forEach((id, place) => createActor(createMachine({ id, context: contexts[place] as object })).start()),
    );
    const named = log.read().actors.map((actor) => `${actor.name}: ${actor.about}`);
    expect(named.slice(-4)).toEqual(["composer: Ada Lovelace", "composer: 3", "catalog: tag", "reading: the stages"]);
  });

  test("appears on request, stays for the tab's life, and disappears when closed", async () => {
    await startInspectorIfAsked();
    expect(screen.queryByRole("complementary", { name: "Inspector" })).toBeNull();
    window.history.replaceState(null, "", "/?inspect");
    await act(() => startInspectorIfAsked());
    expect(screen.getByRole("complementary", { name: "Inspector" })).toBeTruthy();
    expect(sessionStorage.getItem("leadloom.inspect")).toBe("panel");
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("complementary", { name: "Inspector" })).toBeNull();
    expect(sessionStorage.getItem("leadloom.inspect")).toBeNull();
  });
});
