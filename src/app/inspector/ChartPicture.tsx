import { useEffect, useRef, useState } from "react";

const pictures = import.meta.glob<string>("../../../dist/statecharts/*.svg", { query: "?raw", import: "default" });

const fileOf = (machineId: string) =>
  `../../../dist/statecharts/${machineId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.svg`;

/**
 * The generated chart of one machine with its active states highlighted. Another machine needs another key. A shadow root keeps its styles
 * out of the page.
 */
export function ChartPicture({ machineId, activeIds }: { machineId: string; activeIds: readonly string[] }) {
  const host = useRef<HTMLDivElement>(null);
  const [svg, setSvg] = useState("No picture yet: run npm run statecharts.");

  useEffect(() => {
    pictures[fileOf(machineId)]?.().then(setSvg, () => {});
  }, [machineId]);

  useEffect(() => {
    if (host.current) light(rootOf(host.current, svg), activeIds);
  }, [svg, activeIds]);

  return <div ref={host} role="img" aria-label={`Statechart of ${machineId}, live: ${activeIds.join(", ")}`} />;
}

const drawn = new WeakMap<ShadowRoot, string>();

/** The pictures are files of this build, so they pass the page's Trusted Types policy. */
const trusted = (svg: string): string => {
  const policy = (window as TrustedWindow).trustedTypes?.createPolicy("statecharts", { createHTML: (text) => text });
  return (policy?.createHTML(svg) as string | undefined) ?? svg;
};
type TrustedWindow = Window & {
  trustedTypes?: {
    createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): unknown };
  };
};

/** Renders the picture once. Adopts its style sheet, because the page's policy forbids inline styles. */
function rootOf(host: HTMLElement, svg: string): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  if (drawn.get(root) !== svg) {
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(svg) ?? [];
    root.innerHTML = trusted(svg.replace(/<style>[^<]*<\/style>/, ""));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    drawn.set(root, svg);
  }
  return root;
}

function light(root: ShadowRoot, activeIds: readonly string[]): void {
  const states = [...root.querySelectorAll("[data-state]")];
  for (const state of states)
    state.toggleAttribute("data-live", activeIds.includes(state.getAttribute("data-state") ?? ""));
  const leaf = states.findLast((state) => state.hasAttribute("data-live"));
  leaf?.scrollIntoView?.({ block: "center", inline: "center" });
}
