/** History state of entries that were opened from within the page: Back stays on the page. */
export const INSIDE = { isInside: true };

/** Whether the current entry was opened from within the page. */
export const isInside = (): boolean => (window.history.state as { isInside?: boolean } | null)?.isInside === true;
