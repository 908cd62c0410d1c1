import { useState } from "react";

/** What is typed over something known, told by `key`; another one takes its place, and the controls stay, with the focus. */
export function useDraftOver<Value>(known: Value, key: string): [Value, (value: Value) => void] {
  const [draft, setDraft] = useState({ key, value: known });
  return [draft.key === key ? draft.value : known, (value) => setDraft({ key, value })];
}
