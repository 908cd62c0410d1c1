/** The key of someone who is not signed in; row level security, not this key, guards the data. */
export const ANON_KEY: string = import.meta.env["VITE_SUPABASE_ANON_KEY"] ?? "leadloom-anon";
