/** Returns a form as the page sends it, with an optional file, which comes last. */
export function formWith(
  fields: Record<string, string | undefined>,
  file?: Uint8Array<ArrayBuffer>,
  filename = "picture.png",
): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) if (text !== undefined) form.set(name, text);
  if (file !== undefined) form.set("media", new Blob([file]), filename);
  return form;
}
