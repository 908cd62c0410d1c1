import { useEffect, useRef } from "react";
import { Button } from "../../ui/Button.tsx";
import css from "./Shortcuts.module.css";

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

export type ShortcutSheetProps = { onClose: () => void };

/** What the keys do, over the page. */
export default function ShortcutSheet({ onClose }: ShortcutSheetProps) {
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
