/** Copies a text to the clipboard. Rejects if the browser forbids it, as it does over plain HTTP. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** Saves a file on the user's device. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Asks for confirmation before the page is closed or reloaded while the work is running. */
export function warnBeforeUnload(work: Promise<unknown>): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  const stopAsking = () => window.removeEventListener("beforeunload", ask);
  work.then(stopAsking, stopAsking);
}

export const isOffline = (): boolean => !navigator.onLine;

/** Calls back when that changes. Returns a function that unsubscribes. */
export function watchNetwork(listener: () => void): () => void {
  const stopping = new AbortController();
  for (const type of ["online", "offline"]) window.addEventListener(type, listener, { signal: stopping.signal });
  return () => stopping.abort();
}
