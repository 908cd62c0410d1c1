export type OutboxTables = Record<never, never>;
