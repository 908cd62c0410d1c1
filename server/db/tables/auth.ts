export type AuthTables = Record<never, never>;
