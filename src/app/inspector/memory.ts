export const MEMORY_KEY = "leadloom.inspect";

/** Whether this tab has requested the inspector, now or earlier. Its code loads only then. */
export function isInspectorAsked(): boolean {
  if (new URLSearchParams(window.location.search).has("inspect")) return true;
  try {
    return sessionStorage.getItem(MEMORY_KEY) !== null;
  } catch {
    return false;
  }
}
