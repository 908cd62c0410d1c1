import type { Drafts } from "../services/drafts.ts";
import type { KeptText } from "../ui/kept-text.ts";

/** One field among a person's drafts, under a name of its own. */
export const keptText = (drafts: Drafts, name: string): KeptText => ({
  read: (saved) => drafts.read(name, { text: saved })?.text ?? saved,
  keep: (text, saved) => drafts.write(name, { text }, { text: saved }),
});
