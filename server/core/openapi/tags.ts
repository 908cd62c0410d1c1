/** The sections of the reference, in order. */
export const TAGS = [
  {
    name: "Leads",
    description: "People who wrote to the connected account: lists, boards, changes, one by one or many at once.",
  },
  { name: "Conversation", description: "Who waits, what was said, and answering." },
  { name: "Stages", description: "The steps of the way to a sale, and the words that bring a lead there." },
  { name: "Follow-ups", description: "Messages that go out by themselves, and what will go out next." },
  { name: "Bulk", description: "One message to many leads." },
  { name: "Ledger", description: "Everything that was planned to be sent, and what became of it." },
  { name: "Reminders", description: "Rules that tell a channel of leads who are stuck." },
  { name: "Tags", description: "Marks that leads carry." },
  { name: "Fields", description: "Fields of your own that leads have." },
  { name: "Views", description: "Saved filters, sorts and columns." },
  { name: "Snippets", description: "Texts kept for answering." },
  { name: "Exclusions", description: "People of whom nothing is stored." },
  { name: "Stats", description: "Numbers of a period." },
  { name: "Settings", description: "The settings for automation and conversations." },
  { name: "Telegram", description: "The connected account: login, health, import of its chats." },
  { name: "Keys", description: "By which programs call." },
  { name: "Webhooks", description: "Addresses that are told of what happens, and what was delivered to them." },
  { name: "Events", description: "Live changes." },
  { name: "Assistants", description: "The Model Context Protocol, for programs that are talked to." },
  { name: "Billing", description: "The subscription." },
  { name: "Account", description: "Everything of an account as a file, and its end." },
] as const;
export type TagName = (typeof TAGS)[number]["name"];
