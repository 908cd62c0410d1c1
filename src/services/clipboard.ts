/** Puts a text into the clipboard. Rejects where the browser does not let the page, as over plain http. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
