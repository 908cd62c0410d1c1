/** What is typed into one field and was not sent: it is there again after a reload. `saved` is the field with nothing typed. */
export type KeptText = {
  read: (saved: string) => string;
  keep: (text: string, saved: string) => void;
};

/** Where nothing is kept. */
export const UNKEPT: KeptText = { read: (saved) => saved, keep: () => {} };
