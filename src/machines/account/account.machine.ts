import { msg } from "@lingui/core/runtime-macro";
import { assertEvent, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createAccountGateway } from "../../services/account.ts";
import { saveFile } from "../../services/browser.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { type FailureText, failed, problemOf, readFailure, writing } from "../kit/writing.ts";

type AccountService = ReturnType<typeof createAccountGateway>;
type DeletionOutcome = Awaited<ReturnType<AccountService["deleteAccount"]>>;

type AccountParts = {
  endSession: () => void;
  /** Checks whether the session is still valid; otherwise it ends on this page too. */
  checkSession: () => void;
  account?: AccountService;
  /** Saves a file on the user's device. */
  save?: typeof saveFile;
};

const DELETION_FAILED: FailureText = {
  refused: msg`Your account could not be deleted. Try again.`,
  unknown: msg`Your account may have been deleted. If it was, this page logs you out in a moment.`,
};

const NOT_EXPORTED = readFailure(msg`Your data could not be exported. Try again.`);
const NOT_CONFIRMED = msg`Type the email of this account exactly to confirm.`;

type Deletion = { type: "deletion.confirm"; email: string; password: string };

/**
 * Exports the account's data as a file, and deletes the account after the user types its e-mail address and password. The password passes
 * from event to actor and is never stored in context.
 */
export const createAccount = (
  page: Page,
  { endSession, checkSession, account = createAccountGateway(page.http), save = saveFile }: AccountParts,
) =>
  setup({
    types: {
      input: {} as { email: string },
      context: {} as { email: string; problem: UiTextOrString | null },
      events: {} as { type: "export.request" } | { type: "deletion.open" } | { type: "deletion.cancel" } | Deletion,
    },
    actors: {
      exportData: fetching(account.exportData),
      deleteAccount: writing(page, account.deleteAccount, {
        done: (outcome) => {
          if (outcome.kind === "refused") return { failed: outcome.message };
          endSession();
          return msg`Your account was deleted.`;
        },
        failed: DELETION_FAILED,
      }),
    },
    actions: {
      storeProblem: assign(problemOf),
      storeUnconfirmed: assign({ problem: NOT_CONFIRMED }),
      storeRefusal: assign((_, outcome: DeletionOutcome) =>
        outcome.kind === "refused" ? { problem: outcome.message } : {},
      ),
      forgetProblem: assign({ problem: null }),
      saveFile: (_args, file: Blob) => save(file, "leadloom-export.json"),
      endSession,
      checkSession,
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isOtherEmail: ({ context }, params: Deletion) =>
        params.email.trim().toLowerCase() !== context.email.toLowerCase(),
      isRefused: (_, outcome: DeletionOutcome) => outcome.kind === "refused",
    },
  }).createMachine({
    id: "account",
    context: ({ input }) => ({ email: input.email, problem: null }),
    initial: "resting",
    states: {
      resting: {
        on: {
          "export.request": { target: "exporting", actions: "forgetProblem" },
          "deletion.open": { target: "awaitingConfirmation", actions: "forgetProblem" },
        },
      },
      exporting: {
        invoke: {
          id: "exportData",
          src: "exportData",
          onDone: { target: "resting", actions: withOutput("saveFile") },
          onError: {
            target: "resting",
            actions: failed(NOT_EXPORTED, "the export failed"),
          },
        },
      },
      awaitingConfirmation: {
        on: {
          "deletion.cancel": { target: "resting", actions: "forgetProblem" },
          "deletion.confirm": [
            { guard: withEvent("isOtherEmail"), actions: "storeUnconfirmed" },
            { target: "deleting", actions: "forgetProblem" },
          ],
        },
      },
      deleting: {
        invoke: {
          id: "deleteAccount",
          src: "deleteAccount",
          input: ({ event }) => {
            assertEvent(event, "deletion.confirm");
            return { password: event.password };
          },
          onDone: [
            { guard: withOutput("isRefused"), target: "awaitingConfirmation", actions: withOutput("storeRefusal") },
            { target: "deleted" },
          ],
          onError: {
            target: "awaitingConfirmation",
            actions: [...failed(DELETION_FAILED, "the deletion failed"), "checkSession"],
          },
        },
      },
      deleted: { entry: "endSession", type: "final" },
    },
  });

export const Account = createChart<typeof createAccount>("account");
