/** Where this browser remembers since when a user's Telegram session has been lost. */
export const lostSessionKey = (userId: string): string => `leadloom.telegram_lost_since.${userId}`;
