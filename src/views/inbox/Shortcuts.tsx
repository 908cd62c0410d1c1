import { useEffect, useRef } from "react";
import { Button } from "../../ui/Button.tsx";
import css from "./Shortcuts.module.css";

export type ShortcutVerbs = {
  /** The conversation before (-1) or after (1) the one that is open. */
  onStep: (by: 1 | -1) => void;
  onReply: () => void;
  onStage: () => void;
  onNextWaiting: () => void;
  onHelp: () => void;
};

const KEYS: readonly [keys: string, what: string][] = [
  ["j", "Next conversation in the list"],
  ["k", "Conversation before it"],
  ["e", "Next person waiting"],
  ["r", "Reply"],
  ["Ctrl + Enter", "Send the reply"],
  ["s", "Stage"],
  ["Esc", "Leave the reply box"],
  ["?", "This sheet"],
];

const TYPED_INTO = "input, textarea, select, [contenteditable], dialog[open] *";

/** One key each, wherever nothing is being typed. */
export function useShortcuts(verbs: ShortcutVerbs): void {
  const latest = useRef(verbs);
  useEffect(() => {
    latest.current = verbs;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO) !== null) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { onStep, onReply, onStage, onNextWaiting, onHelp } = latest.current;
      const act: Record<string, (() => void) | undefined> = {
        j: () => onStep(1),
        k: () => onStep(-1),
        r: onReply,
        s: onStage,
        e: onNextWaiting,
        "?": onHelp,
      };
      const done = act[event.key];
      if (done === undefined) return;
      event.preventDefault();
      done();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** What the keys do, over the page. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css["sheet"]}
      aria-labelledby="shortcuts"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <dl className={css["keys"]}>
        {KEYS.map(([keys, what]) => (
          <div key={keys} className={css["key"]}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    </dialog>
  );
}
