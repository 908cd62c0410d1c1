import * as v from "valibot";
import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { type ApiKey, type NewApiKey, SCOPES } from "../../../domain/api-key.ts";
import { copyText } from "../../services/browser.ts";
import { createKeysGateway } from "../../services/keys.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type Copies, NO_COPIES, type RevealingEvent, isCopied, revealing, withCopy } from "../kit/revealing.ts";
import { type FailureText, failed, refusedAbout, writing } from "../kit/writing.ts";
import { mcpConfig } from "./api-key.texts.ts";

type KeysService = ReturnType<typeof createKeysGateway>;

type ApiKeyParts = {
  keys?: KeysService;
  copy?: typeof copyText;
};

export type KeyForm = Parameters<KeysService["create"]>[0];

export const keyDraft = (drafts: Page["drafts"]) =>
  drafts.of("a key", { name: v.string(), scopes: v.array(v.picklist(SCOPES)) });

/** After a lost response the key may exist, but its secret was never shown. Trying again returns the same key with a new secret. */
const CREATION_FAILED: FailureText = {
  refused: msg`The key was not created. Try again.`,
  unknown: msg`The key may have been created. Try again: you get the same key, with a secret to copy.`,
};
const REVOCATION_FAILED: FailureText = {
  refused: msg`The key was not revoked: it still works. Try again.`,
  unknown: msg`The key may have been revoked. If it is still in the list, it works: try again.`,
};

type ApiKeyContext = Copies & {
  /** The product's origin, which a program needs besides the key. */
  origin: string;
  keys: readonly ApiKey[];
  form: KeyForm;
  /** The key being revoked. */
  active: ApiKey | null;
  /** The new key, while its secret is shown. */
  made: NewApiKey | null;
  problem: UiTextOrString | null;
  about: string | null;
  /** The API's problems of single fields. */
  refused: Readonly<Record<string, UiTextOrString>>;
};

export const BLANK_KEY: KeyForm = { name: "", scopes: ["read"] };

/** Returns the missing fields of a key. */
const missingIn = ({ name, scopes }: KeyForm): Readonly<Record<string, UiTextOrString>> => ({
  ...(name.trim() === "" && { name: msg`Give the key a name.` }),
  ...(scopes.length === 0 && { scopes: msg`Choose at least one of read, write, send.` }),
});

const DISMISSAL = msg`You have not copied the key. It is shown only now and cannot be brought back.\n\nClose it?`;

const questionOf = ({ active }: ApiKeyContext): UiTextOrString =>
  msg`Revoke the key ''${{ name: active?.name ?? "" }}''?\n\nPrograms that use it are refused at once. This cannot be undone.`;

/**
 * API keys for other programs. The secret of a new key is shown once, until the user copies it or confirms closing it, and is then
 * removed from context. While it is shown, nothing else can be done.
 */
export const createApiKey = (page: Page, { keys = createKeysGateway(page.http), copy = copyText }: ApiKeyParts = {}) =>
  setup({
    types: {
      input: {} as { origin: string },
      context: {} as ApiKeyContext,
      events: {} as
        | ReadingEvent
        | RevealingEvent
        | { type: "key.add"; form: KeyForm }
        | { type: "key.revoke"; id: string }
        | { type: "form.change"; change: Partial<KeyForm> }
        | { type: "form.cancel" }
        | { type: "form.submit" },
      tags: {} as ReadingTag,
    },
    actors: {
      listKeys: fetching(keys.list),
      createKey: writing(
        page,
        async (form: KeyForm) => {
          const made = await keys.create(form);
          keyDraft(page.drafts).forget();
          return made;
        },
        {
          // The user has left, so the secret cannot be shown.
          done: ({ name }) => ({
            failed: msg`The key ''${{ name }}'' was created after you had left, and its secret was not shown. Revoke it and create another.`,
          }),
          failed: CREATION_FAILED,
        },
      ),
      copyText: fetching(({ text }: { text: string }) => copy(text)),
      askConfirmation: confirming(page.notifier),
      revokeKey: writing(page, keys.revoke, { done: msg`The key was revoked.`, failed: REVOCATION_FAILED }),
      watchReturns: watchingReturns(),
    },
    actions: {
      storeKeys: assign((_, listed: readonly ApiKey[]) => ({ keys: listed })),
      startForm: assign((_, { form }: { form: KeyForm }) => ({ form, problem: null, refused: {} })),
      storeForm: assign(({ context }, { change }: { change: Partial<KeyForm> }) => ({
        form: { ...context.form, ...change },
        problem: null,
        refused: {},
      })),
      markMissing: assign(({ context: { form } }) => ({ problem: null, refused: missingIn(form) })),
      storeMade: assign((_, made: NewApiKey) => ({ made, form: BLANK_KEY, problem: null, refused: {} })),
      storeCopying: assign((_, { what }: { what: string }) => ({ copying: what })),
      storeCopied: assign(({ context }, { outcome }: { outcome: "copied" | "refused" }) => withCopy(context, outcome)),
      choose: assign(({ context }, { id }: { id: string }) => ({
        active: context.keys.find((key) => key.id === id) ?? null,
        problem: null,
      })),
      clearActive: assign({ ...NO_COPIES, active: null, made: null, form: BLANK_KEY, refused: {} }),
      dropActive: assign(({ context }) => ({ keys: context.keys.filter(({ id }) => id !== context.active?.id) })),
      storeProblem: assign(refusedAbout(({ active }: ApiKeyContext) => active?.id ?? null)),
      forgetProblem: assign({ problem: null }),
      announceRevoked: (_args, { name }: { name: string }) =>
        page.notifier.toast(msg`The key ''${{ name }}'' was revoked.`),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isListed: ({ context }, { id }: { id: string }) => context.keys.some((key) => key.id === id),
      canCreate: ({ context: { form } }) => Object.keys(missingIn(form)).length === 0,
      hasCopied: ({ context }) => isCopied(context),
      isConfirmed,
    },
  }).createMachine({
    id: "apiKey",
    context: ({ input }) => ({
      ...NO_COPIES,
      origin: input.origin,
      keys: [],
      form: BLANK_KEY,
      active: null,
      made: null,
      problem: null,
      about: null,
      refused: {},
    }),
    invoke: { id: "watchReturns", src: "watchReturns" },
    type: "parallel",
    states: {
      list: loadRegion({ src: "listKeys", store: "storeKeys", what: msg`the keys` }),
      work: {
        initial: "resting",
        states: {
          resting: {
            entry: "clearActive",
            on: {
              "key.add": { target: "editing", actions: withEvent("startForm") },
              "key.revoke": {
                guard: withEvent("isListed"),
                target: "awaitingConfirmation",
                actions: withEvent("choose"),
              },
            },
          },
          editing: {
            on: {
              "form.change": { actions: withEvent("storeForm") },
              "form.cancel": { target: "resting", actions: "forgetProblem" },
              "form.submit": [{ guard: "canCreate", target: "creating" }, { actions: "markMissing" }],
            },
          },
          creating: {
            invoke: {
              id: "createKey",
              src: "createKey",
              input: ({ context }) => context.form,
              onDone: { target: "revealed", actions: [withOutput("storeMade"), "refresh"] },
              onError: {
                target: "editing",
                actions: [...failed(CREATION_FAILED, "a key was not created"), "refresh"],
              },
            },
          },
          ...revealing({
            text: ({ context: { copying, made, origin } }: { context: ApiKeyContext }) => ({
              text: copying === "config" ? mcpConfig(origin, made?.secret ?? "") : (made?.secret ?? ""),
            }),
            question: DISMISSAL,
            closed: "resting",
          }),
          awaitingConfirmation: confirmState(
            ({ context }: { context: ApiKeyContext }) => ({ message: questionOf(context) }),
            {
              yes: "revoking",
              no: "resting",
            },
          ),
          revoking: {
            invoke: {
              id: "revokeKey",
              src: "revokeKey",
              input: ({ context }) => ({ id: context.active?.id ?? "" }),
              onDone: {
                target: "resting",
                actions: [
                  { type: "announceRevoked", params: ({ context }) => ({ name: context.active?.name ?? "" }) },
                  "dropActive",
                  "refresh",
                ],
              },
              onError: {
                target: "resting",
                actions: [...failed(REVOCATION_FAILED, "a key was not revoked"), "refresh"],
              },
            },
          },
        },
      },
    },
  });

export const ApiKeys = createChart<typeof createApiKey>("apiKey");

export const selectIsEditing = (chart: SnapshotFrom<typeof createApiKey>): boolean =>
  chart.matches({ work: "editing" }) || chart.matches({ work: "creating" });
/** Whether leaving loses nothing: no secret is shown, or it was copied. */
export const selectIsSecretSaved = ({ context }: SnapshotFrom<typeof createApiKey>): boolean =>
  context.made === null || isCopied(context);
