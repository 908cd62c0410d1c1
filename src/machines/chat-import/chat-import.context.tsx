import { createMachineContext } from "../kit/context.tsx";
import { chatImportMachine } from "./chat-import.machine.ts";

const Import = createMachineContext(chatImportMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  changeDays: (days: string) => chart.send({ type: "days.change", days }),
  changeContacts: (isIncluded: boolean) => chart.send({ type: "contacts.change", isIncluded }),
  start: () => chart.send({ type: "import.start" }),
  cancel: () => chart.send({ type: "import.cancel" }),
}));

export const ChatImportProvider = Import.Provider;
export const useChatImport = Import.use;
export const useCanChatImport = Import.useCan;
/** What a person can do about the import of existing chats. */
export const useChatImportEvents = Import.useVerbs;
