/** The simulated parts of the product, as the server names them in the page; empty when all are real. */
export const sandboxParts: readonly string[] = (
  document.querySelector<HTMLMetaElement>('meta[name="leadloom-sandbox"]')?.content ?? ""
)
  .split(",")
  .map((part) => part.trim())
  .filter(Boolean);
