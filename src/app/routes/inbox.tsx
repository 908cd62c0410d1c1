import { msg } from "@lingui/core/runtime-macro";
import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { navigate } from "wouter/use-browser-location";
import type { Actions } from "../../commands/keyed.ts";
import { Composer } from "../../machines/composer/composer.machine.ts";
import { Conversation, createConversation } from "../../machines/conversation/conversation.machine.ts";
import { placeOf, searchOf } from "../../machines/inbox/inbox.address.ts";
import { Inbox, createInbox } from "../../machines/inbox/inbox.machine.ts";
import { watchMoves } from "../../services/address.ts";
import { leadIdOf } from "../../services/addresses.ts";
import { createConversationGateway } from "../../services/conversation.ts";
import { createInboxOrder } from "../../services/waiting.ts";
import { createSingleKeys } from "../../services/single-keys.ts";
import { INSIDE, isInside } from "../../ui/inside.ts";
import { ConversationView, type ConversationViewProps } from "../../views/conversation/ConversationView.tsx";
import { type SnippetSource, SnippetSourceProvider } from "../../views/conversation/SnippetPicker.tsx";
import { InboxList } from "../../views/inbox/InboxList.tsx";
import { InboxView } from "../../views/inbox/InboxView.tsx";
import { useShortcuts } from "../../views/inbox/use-shortcuts.ts";
import { createComposers } from "../composers.ts";
import { createDoneMarks } from "../done-marks.ts";
import { excludedOf } from "../excluded.ts";
import { memoizeByServices } from "../lifetime.ts";
import { createPart } from "../loading/loadable.tsx";
import type { Services } from "../services.ts";

/** One per page: a reply may still be sending when the user opens the screen again. */
const conversationsOf = memoizeByServices((services) => {
  const gateway = createConversationGateway(services.http);
  return {
    gateway,
    composers: createComposers(services, gateway),
    marks: createDoneMarks(services, gateway),
    order: createInboxOrder(services.storage, services.userId()),
  };
});

/** The panel over the conversation has its own history entry, so that Back closes it. */
const PANEL = "#lead";

const isHere = () => window.location.pathname === "/inbox" || leadIdOf(window.location.pathname) !== null;

export default function InboxRoute({ services }: { services: Services }) {
  const inbox = useMemo(() => {
    const { gateway, marks, order } = conversationsOf(services);
    return createInbox(services, {
      inbox: gateway,
      events: marks.events,
      rememberOrder: order.write,
      address: {
        read: () => placeOf(window.location.search),
        write(place) {
          if (isHere()) goTo(window.location.pathname, searchOf(place), { isReplacing: true });
        },
        subscribe: (listener) => watchMoves(() => isHere() && listener()),
      },
      openLead: (leadId) => goTo(pathOf(leadId), window.location.search, { isReplacing: isConversationOpen() }),
    });
  }, [services]);
  const order = useMemo(() => conversationsOf(services).order.read(), [services]);
  return (
    <Inbox.Provider logic={inbox} options={{ input: { ...placeOf(window.location.search), order } }}>
      <InboxScreen services={services} />
    </Inbox.Provider>
  );
}

const pathOf = (leadId: string) => `/leads/${encodeURIComponent(leadId)}`;
const isConversationOpen = () => leadIdOf(window.location.pathname) !== null;

/** Moving between conversations replaces the history entry, so that Back returns to the page before the first one. */
function goTo(path: string, search: string, { isReplacing }: { isReplacing: boolean }) {
  const query = search.replace(/^\?/, "");
  navigate(query === "" ? path : `${path}?${query}`, {
    replace: isReplacing,
    state: isReplacing ? (window.history.state as unknown) : INSIDE,
  });
}

function InboxScreen({ services }: { services: Services }) {
  const [path, go] = useLocation();
  const leadId = leadIdOf(path);
  const isPanelOpen = useSyncExternalStore(watchMoves, () => window.location.hash === PANEL);
  const [{ context }, send] = Inbox.use();
  const { place, items } = context;
  const [isHelpShown, setIsHelpShown] = useState(false);
  const search = searchOf(place);
  const hrefOf = (id: string) => `${pathOf(id)}${search === "" ? "" : `?${search}`}`;
  const onBack = () => {
    if (isInside()) window.history.back();
    else if (isPanelOpen) goTo(path, search, { isReplacing: true });
    else go(search === "" ? "/inbox" : `/inbox?${search}`, { replace: true });
  };
  const openPanel = () => {
    if (!isPanelOpen) navigate(`${path}${window.location.search}${PANEL}`, { state: INSIDE });
  };
  const focus = (what: "reply" | "stage") => {
    const place = `[data-shortcut="${what}"]`;
    document
      .querySelector<HTMLElement>(`textarea${place}, ${place} select, ${place} button`)
      ?.focus({ preventScroll: true });
  };
  const [singleKeys] = useState(() => createSingleKeys(services.storage, services.userId()));
  const areSingleKeysOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
  const step = (by: 1 | -1) => {
    const at = items.findIndex(({ lead }) => lead.id === leadId);
    const next = items[at === -1 ? 0 : at + by];
    if (next !== undefined) goTo(pathOf(next.lead.id), search, { isReplacing: leadId !== null });
  };
  const actions: Actions = {
    "inbox.next": () => step(1),
    "inbox.previous": () => step(-1),
    "inbox.reply": () => focus("reply"),
    "inbox.stage": () => {
      if (leadId === null) return;
      openPanel();
      requestAnimationFrame(() => focus("stage"));
    },
    "inbox.done": () => document.querySelector<HTMLElement>('[data-shortcut="done"]')?.click(),
    "inbox.waiting": () => send({ type: "waiting.find", from: leadId }),
    "sheet.open": () => setIsHelpShown(true),
  };
  useShortcuts(actions, areSingleKeysOn);
  const { marks } = conversationsOf(services);
  const markDone = useCallback((id: string, upTo?: string) => void marks.mark(id, upTo), [marks]);
  const excluded = excludedOf(services);
  const gone = useSyncExternalStore(excluded.listen, () => excluded.get(leadId));
  const conversation: ReactNode = leadId && (
    <ConversationContainer
      key={gone === null ? leadId : `${leadId} gone`}
      services={services}
      leadId={leadId}
      onBack={onBack}
      onPanel={openPanel}
      isPanelOpen={isPanelOpen}
      gone={gone && <ExcludedNotice name={gone.name} onUndo={gone.undo} />}
    />
  );
  return (
    <>
      <InboxView
        list={
          <InboxList
            openId={leadId}
            onDone={markDone}
            hrefOf={hrefOf}
            onHelp={() => setIsHelpShown(true)}
            whenEmpty={<ImportCard page={services} />}
          />
        }
        conversation={conversation}
        panel={leadId && gone === null && <PanelContainer key={leadId} services={services} leadId={leadId} />}
        isPanelOpen={isPanelOpen && gone === null}
        areSingleKeysOn={areSingleKeysOn}
        onBack={onBack}
      />
      {isHelpShown && (
        <Sheet onClose={() => setIsHelpShown(false)} areSingleKeysOn={areSingleKeysOn} onSingleKeys={singleKeys.set} />
      )}
    </>
  );
}

const Sheet = createPart(msg`the sheet of keys`, () => import("../../views/inbox/ShortcutSheet.tsx"));

const ExcludedNotice = createPart(
  msg`what became of this lead`,
  () => import("../../views/conversation/ExcludedNotice.tsx"),
);

/** The panel's code loads after the conversation's. */
const PanelContainer = createPart(msg`the lead's panel`, () => import("../lead-panel.tsx"));

const ImportCard = createPart(msg`the import of chats`, () => import("../../views/chat-import/ChatImportCard.tsx"));

/** Loads the code of snippets on first use. */
function laterSnippets(services: Services, leadId: string): SnippetSource {
  const source = async () => (await import("../snippet-source.ts")).snippetSourceOf(services, leadId);
  return {
    list: async (signal) => (await source()).list(signal),
    prepare: async (snippet) => (await source()).prepare(snippet),
  };
}

type ConversationContainerProps = Omit<ConversationViewProps, "onDone"> & { services: Services; leadId: string };

function ConversationContainer({ services, leadId, ...view }: ConversationContainerProps) {
  const { gateway, composers, marks } = conversationsOf(services);
  const logic = useMemo(
    () =>
      createConversation(
        { ...services, events: marks.events },
        { conversation: gateway, onAccepted: composers.onAccepted },
      ),
    [services, gateway, composers, marks],
  );
  const snippets = useMemo(() => laterSnippets(services, leadId), [services, leadId]);
  const [box] = useState(() => composers.of(leadId));
  useEffect(() => composers.hold(leadId), [composers, leadId]);
  return (
    <SnippetSourceProvider value={snippets}>
      <Composer.ActorProvider value={box}>
        <Conversation.Provider logic={logic} options={{ input: { leadId } }}>
          <ConversationView {...view} onDone={(upTo) => void marks.mark(leadId, upTo)} />
        </Conversation.Provider>
      </Composer.ActorProvider>
    </SnippetSourceProvider>
  );
}
