/** The key of a signed-out visitor. Row level security, not this key, protects the data. */
export const ANON_KEY: string = import.meta.env["VITE_SUPABASE_ANON_KEY"] ?? "leadloom-anon";
