import "../../../src/ui/tokens.css";
import { activateEnglish, loadTexts } from "../../../src/language/activate.ts";
import { boardWalk } from "../../views/board.walk.tsx";
import { composerWalk } from "../../views/composer.walk.tsx";
import { conversationWalk } from "../../views/conversation.walk.tsx";
import { notificationsWalk } from "../../views/notifications.walk.tsx";
import { selectionWalk } from "../../views/selection.walk.tsx";
import { type BrowserWalk, type Walked, walkScreen } from "./walk.ts";

/** The screens that need layout, a pointer or focus. */
const walks = {
  board: boardWalk,
  composer: composerWalk,
  conversation: conversationWalk,
  notifications: notificationsWalk,
  selection: selectionWalk,
} satisfies Record<string, BrowserWalk>;

export type WalkName = keyof typeof walks;

declare global {
  interface Window {
    walk(name: WalkName): Promise<Walked>;
  }
}

activateEnglish();
await Promise.all([loadTexts("app"), loadTexts("inside")]);
window.walk = (name) => walkScreen(walks[name]);
