export type TelegramTables = Record<never, never>;
