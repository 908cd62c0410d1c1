/** Limits shared by page and server. */
export const MEDIA_MAX_BYTES = 10_485_760;
export const LEADS_PAGE_SIZE = 50;
export const LEADS_MAX_LIMIT = 100_000;
export const MESSAGE_MAX_CHARS = 4096;
export const CAPTION_MAX_CHARS = 1024;
/** Maximum characters of a message: fewer with a file. */
export const textLimit = (hasMedia: boolean): number => (hasMedia ? CAPTION_MAX_CHARS : MESSAGE_MAX_CHARS);
export const NAME_MAX_CHARS = 200;
export const NOTES_MAX_CHARS = 10_000;
/** Quotas per owner: pages and planners read all of these items. */
export const STAGES_MAX = 1_000;
export const FOLLOWUPS_MAX = 1_000;
export const REMINDERS_MAX = 1_000;
export const SNIPPETS_MAX = 1_000;
export const TAGS_MAX = 100;
export const TEMPLATE_MAX_CHARS = 4096;
/** Length of `step.preview` in a lead's automation. */
export const STEP_PREVIEW_CHARS = 200;
export const THROTTLE_MIN_SECONDS = 0.1;
export const THROTTLE_MAX_SECONDS = 10;
export const THROTTLE_DEFAULT_SECONDS = 0.3;
export const DELAY_MIN_HOURS = 1;
export const DELAY_MAX_HOURS = 168;
export const DELAY_DEFAULT_HOURS = 24;
export const REMINDER_DEFAULT_DELAY_DAYS = 2;
export const REMINDER_MAX_DELAY_DAYS = 365;
export const WINDOW_DEFAULT_START_HOUR = 9;
export const WINDOW_DEFAULT_END_HOUR = 22;
export const STAGE_DEFAULT_COLOR = "#999999";
export const DAILY_CAP_DEFAULT = 200;
export const DAILY_CAP_MAX = 10_000;
export const QR_TIMEOUT_SECONDS = 120;
/** How long a Telegram login can take. */
export const LOGIN_ATTEMPT_MS = 5 * 60_000;
export const BULK_POLL_MS = 3_000;
export const BULK_RESULT_MS = 10_000;
export const TOAST_MS = 3_000;
/** How long a deleted follow-up or reminder can be restored. */
export const UNDO_MS = 60_000;
/** How long an exclusion or an action on many leads can be undone. */
export const UNDO_ACTS_MS = 30_000;
