import { readFileSync } from "node:fs";
import path from "node:path";
import type * as ReactModule from "react";
import type { Root } from "react-dom/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { slimFront, slimRenderer } from "../../scripts/web/slim-react.ts";

const packages = path.join(import.meta.dirname, "../../node_modules");
const read = (file: string) => readFileSync(path.join(packages, file), "utf8");

type Front = Record<string, (...args: unknown[]) => unknown> & {
  flushSync: (act: () => void) => void;
  createPortal: (children: unknown, container: Element) => ReactModule.ReactNode;
};
type Renderer = { createRoot: (container: Element, options?: object) => Root };

/** React for production as the page gets it; `change` is what the build does to its files. */
function loadReact(change: { front: (code: string) => string; renderer: (code: string) => string }) {
  const made: Record<string, Record<string, unknown>> = {};
  const load = (name: string, code: string) => {
    const exported: Record<string, unknown> = {};
    // oxlint-disable-next-line typescript/no-implied-eval -- the package's own file, run as it is built
    new Function("exports", "require", code)(exported, (asked: string) => made[asked]);
    made[name] = exported;
  };
  load("scheduler", read("scheduler/cjs/scheduler.production.js"));
  load("react", read("react/cjs/react.production.js"));
  load("react-dom", change.front(read("react-dom/cjs/react-dom.production.js")));
  load("client", change.renderer(read("react-dom/cjs/react-dom-client.production.js")));
  return {
    React: made["react"] as unknown as typeof ReactModule,
    front: made["react-dom"] as unknown as Front,
    createRoot: (made["client"] as unknown as Renderer).createRoot,
  };
}

const asIs = (code: string) => code;
const whole = () => loadReact({ front: asIs, renderer: asIs });
const slim = () => loadReact({ front: slimFront, renderer: slimRenderer });
type Loaded = ReturnType<typeof whole>;

let roots: Root[] = [];
afterEach(() => {
  for (const root of roots) root.unmount();
  roots = [];
  document.body.replaceChildren();
});

function mount({ createRoot, front }: Loaded, options?: object) {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container, options);
  roots.push(root);
  return { container, render: (node: ReactModule.ReactNode) => front.flushSync(() => root.render(node)) };
}

/** What a screen does with React, written down as it goes: state, effects, refs, contexts, portals, late code, failures. */
async function liveThrough(loaded: Loaded): Promise<string[]> {
  const { React, front } = loaded;
  const h = React.createElement;
  const log: string[] = [];
  const { container, render } = mount(loaded, { onCaughtError: () => {} });
  const note = (what: string) => log.push(`${what}: ${document.body.innerHTML}`);
  const Words = React.createContext("none");
  const portal = document.body.appendChild(document.createElement("aside"));

  class Boundary extends React.Component<{ children: ReactModule.ReactNode }> {
    override state = { failed: false };
    static getDerivedStateFromError = () => ({ failed: true });
    override componentDidCatch(error: unknown) {
      log.push(`caught ${String(error)}`);
    }
    override render() {
      return this.state.failed ? h("p", null, "failed") : this.props.children;
    }
  }
  const Failing = ({ fails }: { fails: boolean }) => {
    if (fails) throw new Error("no view");
    return h("svg", { viewBox: "0 0 1 1" }, h("path", { d: "M0 0" }));
  };
  let bring: (module: { default: () => ReactModule.ReactNode }) => void = () => {};
  const Late = React.lazy(() => new Promise<{ default: () => ReactModule.ReactNode }>((resolve) => (bring = resolve)));
  let listeners: (() => void)[] = [];
  let stored = 1;
  const subscribe = (listener: () => void) => {
    listeners.push(listener);
    return () => (listeners = listeners.filter((known) => known !== listener));
  };
  const Row = React.memo(function Row({ id }: { id: number }) {
    React.useEffect(() => {
      log.push(`row ${id} came`);
      return () => void log.push(`row ${id} went`);
    }, [id]);
    return h("li", { className: `row-${id}` }, `${id} ${React.use(Words)}`);
  });
  const Screen = ({ ids, fails }: { ids: number[]; fails: boolean }) => {
    const [text, setText] = React.useState("a");
    const [, startTransition] = React.useTransition();
    const field = React.useRef<HTMLInputElement>(null);
    const count = React.useSyncExternalStore(subscribe, () => stored);
    const deferred = React.useDeferredValue(text);
    const told = React.useEffectEvent((what: string) => log.push(`${what} ${text}`));
    const id = React.useId();
    React.useLayoutEffect(() => {
      log.push(`laid out ${field.current?.value} ${id !== ""}`);
    }, [text, id]);
    React.useEffect(() => void told("settled"), [count]);
    return h(
      Words.Provider,
      { value: text },
      h("input", { ref: field, value: text, onChange: (event) => setText(event.target.value), "aria-label": "Text" }),
      h("select", { defaultValue: "2" }, h("option", { value: "1" }, "1"), h("option", { value: "2" }, "2")),
      h("textarea", { defaultValue: "words", onFocus: () => log.push("focus") }),
      h("button", { type: "button", onClick: () => startTransition(() => setText(`${text}!`)) }, `${count}`),
      h("form", { onSubmit: (event) => (event.preventDefault(), log.push("sent")) }, h("button", null, "Send")),
      h("ul", { style: { color: "red" }, hidden: fails }, ...ids.map((each) => h(Row, { key: each, id: each }))),
      front.createPortal(h("b", { dangerouslySetInnerHTML: { __html: "<i>over</i>" } }), portal),
      h(Boundary, null, h(Failing, { fails })),
      h(React.Suspense, { fallback: "late" }, h("em", null, h(Late))),
      h(React.Fragment, { key: "end" }, deferred === text ? "calm" : "busy"),
    );
  };
  const field = () => container.querySelector("input");
  const until = async (isSo: () => boolean) => {
    await vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 60_000, interval: 5 });
  };
  render(h(React.StrictMode, null, h(Screen, { ids: [1, 2, 3], fails: false })));
  note("first");
  await until(() => log.includes("row 3 came") && log.includes("settled a"));
  bring({ default: () => h("strong", null, "here") });
  await until(() => container.querySelector("strong") !== null);
  note("late code");
  container.querySelector("button")?.click();
  await until(() => field()?.value === "a!" && container.textContent.endsWith("calm"));
  note("clicked");
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field(), "typed");
  field()?.dispatchEvent(new Event("input", { bubbles: true }));
  container.querySelector("textarea")?.focus();
  stored = 2;
  for (const listener of listeners) listener();
  await until(() => log.includes("settled typed") && container.textContent.endsWith("calm"));
  note("typed");
  container.querySelectorAll("form button").forEach((button) => (button as HTMLButtonElement).click());
  render(h(React.StrictMode, null, h(Screen, { ids: [3, 4, 1], fails: true })));
  await until(() => log.includes("row 4 came") && log.includes("row 2 went"));
  note("moved and failed");
  render(null);
  await until(() => log.includes("row 4 went") && portal.innerHTML === "");
  note("gone");
  return log;
}

describe("React without what no screen needs", () => {
  it("does what the whole of it does", async () => {
    const expected = await liveThrough(whole());
    document.body.replaceChildren();
    const left = await liveThrough(slim());
    expect(left).toEqual(expected);
    expect(left.length).toBeGreaterThan(20);
  });

  it("says of each part that is left out that it is", () => {
    const loaded = slim();
    const { React, front } = loaded;
    const h = React.createElement;
    const Asking = ({ ask }: { ask: () => unknown }) => (ask(), null);
    const Counting = () => React.useActionState(() => 1, 0)[0];
    const asked: Record<string, ReactModule.ReactNode> = {
      activity: h(React.Activity, { mode: "visible", children: "words" }),
      "animated transition": h(React.ViewTransition, null, "words"),
      "sheet that React loads": h("link", { rel: "stylesheet", href: "/a.css", precedence: "high" }),
      "title that React hoists": h("title", null, "words"),
      "body as an element": h("body", null, "words"),
      "handle on a fragment": h(React.Fragment, { ref: () => {} }, h("p", null, "words")),
      "element of one's own": h("own-element", { title: "words" }),
      "action's state": h(Counting),
      "form's state": h(Asking, { ask: () => front["useFormStatus"]?.() }),
      "file asked ahead": h(Asking, { ask: () => front["preload"]?.("/a.js", { as: "script" }) }),
    };
    for (const [what, node] of Object.entries(asked)) {
      const errors: unknown[] = [];
      const { render } = mount(loaded, { onUncaughtError: (error: unknown) => errors.push(error) });
      try {
        render(node);
      } catch (error) {
        errors.push(error);
      }
      expect({ what, said: String(errors[0]) }).toEqual({
        what,
        said: expect.stringContaining("the build leaves out"),
      });
    }
  });

  it("is not made of another release whose form is not known", () => {
    const code = read("react-dom/cjs/react-dom-client.production.js");
    expect(() => slimRenderer(code.replaceAll("popTreeContext", "popTree"))).toThrow("another form than expected");
    expect(() => slimRenderer(code.replaceAll("19.3.1", "19.3.2"))).toThrow("it is not 19.3.1");
    expect(() => slimFront("")).toThrow("it is not 19.3.1");
  });
});
