/** Said in the history of a place that was reached from within the page: its own Back may go back. */
export const INSIDE = { isInside: true };

/** Whether the place shown was reached from within the page. */
export const isInside = (): boolean => (window.history.state as { isInside?: boolean } | null)?.isInside === true;
