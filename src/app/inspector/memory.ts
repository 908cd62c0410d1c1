export const MEMORY_KEY = "leadloom.inspect";

/** Whether this tab was asked to show the inspector, now or before: until then none of its code is fetched. */
export function isInspectorAsked(): boolean {
  if (new URLSearchParams(window.location.search).has("inspect")) return true;
  try {
    return sessionStorage.getItem(MEMORY_KEY) !== null;
  } catch {
    return false;
  }
}
