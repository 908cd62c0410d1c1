/** Callbacks of a drag by touch. The stage id is the `data-stage` of the column under the finger. */
export type TouchHandlers = {
  onLift: () => void;
  onDrop: (stageId: string) => void;
  onRelease: () => void;
};

/** A long press lifts the card; a finger that moves earlier scrolls the page. */
const HOLD_MS = 350;
const SLIP_PX = 10;
const EDGE_PX = 56;
const EDGE_SPEED = 10;

/**
 * Drags a card by touch: lifts it after a long press, moves a copy with the finger and drops it on the column below.
 * Native touch dragging exists only on some systems, and differs between them.
 */
export function holdByTouch(
  card: HTMLElement,
  at: { x: number; y: number; pointerId: number },
  handlers: TouchHandlers,
): void {
  let ghost: HTMLElement | null = null;
  let over: HTMLElement | null = null;
  let point = { x: at.x, y: at.y };
  let frame = 0;
  const board = card.closest<HTMLElement>("[data-board]");
  const ended = new AbortController();
  const { signal } = ended;

  const goOver = (column: HTMLElement | null) => {
    if (column === over) return;
    over?.removeAttribute("data-over");
    over = column;
    over?.setAttribute("data-over", "");
  };
  const follow = () => {
    if (ghost === null) return;
    ghost.style.translate = `${point.x - at.x}px ${point.y - at.y}px`;
    goOver(document.elementFromPoint(point.x, point.y)?.closest<HTMLElement>("[data-stage]") ?? null);
  };
  /** Scrolls while the touch is at the edge. */
  const drift = () => {
    const by =
      point.x < EDGE_PX ? -EDGE_SPEED : point.x > document.documentElement.clientWidth - EDGE_PX ? EDGE_SPEED : 0;
    if (by !== 0) {
      board?.scrollBy({ left: by, behavior: "instant" });
      follow();
    }
    frame = requestAnimationFrame(drift);
  };
  const lift = () => {
    const { left, top, width, height } = card.getBoundingClientRect();
    ghost = card.cloneNode(true) as HTMLElement;
    ghost.inert = true;
    ghost.setAttribute("data-ghost", "");
    Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(ghost);
    board?.setAttribute("data-held", "");
    handlers.onLift();
    follow();
    frame = requestAnimationFrame(drift);
  };
  const timer = setTimeout(lift, HOLD_MS);
  const end = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    ended.abort();
    ghost?.remove();
    board?.removeAttribute("data-held");
    goOver(null);
  };
  const listen = (type: "pointermove" | "pointerup" | "pointercancel", hear: (event: PointerEvent) => void) =>
    window.addEventListener(type, (event) => event.pointerId === at.pointerId && hear(event), { signal });

  listen("pointermove", (event) => {
    point = { x: event.clientX, y: event.clientY };
    if (ghost !== null) follow();
    else if (Math.hypot(point.x - at.x, point.y - at.y) > SLIP_PX) end();
  });
  listen("pointerup", () => {
    const stageId = over?.dataset["stage"];
    const isHeld = ghost !== null;
    end();
    if (!isHeld) return;
    // The click that follows belongs to the drag, not to the element below.
    const eaten = new AbortController();
    window.addEventListener("click", (click) => click.preventDefault(), { capture: true, signal: eaten.signal });
    // The click follows at once or, after a drag, not at all; the next touch is a new one.
    window.addEventListener("pointerdown", () => eaten.abort(), { capture: true, once: true });
    setTimeout(() => eaten.abort(), 300);
    if (stageId === undefined) handlers.onRelease();
    else handlers.onDrop(stageId);
  });
  listen("pointercancel", () => {
    const isHeld = ghost !== null;
    end();
    if (isHeld) handlers.onRelease();
  });
  window.addEventListener(
    "touchmove",
    (event) => {
      if (ghost !== null && event.cancelable) event.preventDefault();
    },
    { signal, passive: false },
  );
  for (const type of ["contextmenu", "dragstart"])
    window.addEventListener(type, (event) => event.preventDefault(), { signal, capture: true });
}
