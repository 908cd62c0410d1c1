import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type ReactNode, createContext, use, useEffect, useId, useRef, useState } from "react";
import type { Snippet } from "../../../domain/snippet.ts";
import { Note, Stack, Span } from "../../ui/layout.tsx";
import css from "./Composer.module.css";

/** The snippets for one lead's conversation. */
export type SnippetSource = {
  list: (signal: AbortSignal) => Promise<readonly Snippet[]>;
  /** A snippet filled in for this lead; null if that failed, which was reported. */
  prepare: (snippet: Snippet) => Promise<{ text: string; file: File | null } | null>;
};

const Source = createContext<SnippetSource | null>(null);
export const SnippetSourceProvider = Source.Provider;

const MOST = 8;
const isAsked = (text: string) => /^\/[^\n]*$/.test(text);

type Picker = {
  /** The list above the reply box; null without matches or a query. */
  list: ReactNode;
  /** The box's ARIA attributes for its list. */
  attributes: { "aria-controls"?: string; "aria-activedescendant"?: string; "aria-haspopup"?: "listbox" };
  /** Returns true if the list handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
};

/** Typing '/' at the start of a reply finds snippets by title and text; Enter or a click inserts one. */
export function useSnippetPicker(text: string, onPick: (picked: { text: string; file: File | null }) => void): Picker {
  const source = use(Source);
  const listId = useId();
  const [all, setAll] = useState<readonly Snippet[]>([]);
  const [place, setPlace] = useState({ of: "", at: 0 });
  const [dismissed, setDismissed] = useState(false);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  const isOpen = source !== null && isAsked(text);
  if (!isOpen && dismissed) setDismissed(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leaving = new AbortController();
    source.list(leaving.signal).then(
      (snippets) => {
        if (!leaving.signal.aborted) setAll(snippets);
      },
      // Snippets that fail to load are not offered; the slash is sent as typed.
      () => {},
    );
    return () => leaving.abort();
  }, [isOpen, source]);
  const query = text.slice(1).trim().toLowerCase();
  const found =
    isOpen && !dismissed
      ? all.filter((snippet) => `${snippet.title}\n${snippet.text}`.toLowerCase().includes(query)).slice(0, MOST)
      : [];
  const at = place.of === query ? Math.min(place.at, found.length - 1) : 0;
  const pick = (snippet: Snippet | undefined) => {
    if (snippet === undefined || source === null) return;
    setDismissed(true);
    void source.prepare(snippet).then((picked) => {
      // Do not overwrite what the user typed in the meantime.
      if (picked === null) setDismissed(false);
      else if (latest.current === text) onPick(picked);
    });
  };
  if (found.length === 0) return { list: null, attributes: {}, onKey: () => false };
  return {
    attributes: {
      "aria-haspopup": "listbox",
      "aria-controls": listId,
      "aria-activedescendant": `${listId}-${found[at]?.id}`,
    },
    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false;
      if (event.key === "ArrowDown") setPlace({ of: query, at: (at + 1) % found.length });
      else if (event.key === "ArrowUp") setPlace({ of: query, at: (at + found.length - 1) % found.length });
      else if (event.key === "Enter" || event.key === "Tab") pick(found[at]);
      else if (event.key === "Escape") setDismissed(true);
      else return false;
      event.preventDefault();
      return true;
    },
    list: (
      <Stack after={2} id={listId} role="listbox" aria-label={t`Snippets`} className={css["list"]}>
        {found.map((snippet, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the reply box keeps the focus and handles the keys
          <Stack
            pad={[2, 3]}
            key={snippet.id}
            id={`${listId}-${snippet.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={css["option"]}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(snippet)}
          >
            <Span weight="firm" dir="auto">
              {snippet.title}
            </Span>
            <Note as="span" clamp={1} dir="auto">
              {snippet.text || t`A picture or video`}
            </Note>
          </Stack>
        ))}
      </Stack>
    ),
  };
}
