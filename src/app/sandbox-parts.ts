/** Which parts of the product are simulated, as the server names them in the page; empty where all are real. */
export const sandboxParts: readonly string[] = (
  document.querySelector<HTMLMetaElement>('meta[name="leadloom-sandbox"]')?.content ?? ""
)
  .split(",")
  .map((part) => part.trim())
  .filter(Boolean);
