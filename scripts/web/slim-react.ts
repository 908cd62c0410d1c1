import type { Plugin } from "vite";

/**
 * What `react-dom` brings for pages that a server drew, for animated transitions between views, for sheets, scripts and
 * images that React loads, for handles on fragments, for actions of forms and for elements of one's own: a third of it after
 * gzip, and nothing here asks for it. What is left out says so when it is asked for.
 */

const named = (names: string) => names.trim().split(/\s+/);

/** Functions that only what is left out calls. */
const UNREACHED = named(`
  prepareToHydrateHostInstance throwOnHydrationMismatch queueHydrationError popToNextHostParent
  updateDehydratedSuspenseComponent mountHostRootWithoutHydrating retryDehydratedSuspenseBoundary
  createFiberFromDehydratedFragment pushMaterializedTreeId pushTreeFork pushTreeId retryIfBlockedOn
  canHydrateInstance canHydrateTextInstance canHydrateHydrationBoundary registerSuspenseInstanceRetry
  getNextHydratable clearHydrationBoundary hideOrUnhideDehydratedBoundary checkForUnmatchedText
  isSuspenseInstanceFallback isSuspenseInstancePending clearContainerSparingly updateActivityComponent
  updateSuspenseListComponent pushSuspenseListContext cutOffTailIfNeeded startViewTransition
  commitAfterMutationEffectsOnFiber getViewTransitionName getViewTransitionClassName
  applyViewTransitionToHostInstances createViewTransitionInstance addFragmentHandleToFiber getResource
  acquireResource mountHoistable createHoistableInstance getHydratableHoistableCache preloadResource
  preloadResourceAndSuspendIfNeeded suspendResource suspendInstance prefetchDNS preconnect preload preloadModule
  preinitStyle preinitScript preinitModuleScript resolveSingletonInstance releaseSingletonInstance
  commitHostSingletonAcquisition mountActionState updateActionState rerenderActionState updateOptimisticImpl
  useHostTransitionStatus requestFormReset recursivelyResetForms TransitionAwareHostComponent setPropOnCustomElement
  defaultOnDefaultTransitionIndicator
`);

/** Functions that are called, with what is left of them where nothing that is left out was asked for. */
const LEFT: Record<string, string> = {
  popHydrationState: "return !1;",
  resetHydrationState: "",
  upgradeHydrationErrorsToRecoverable: "return null;",
  popTreeContext: "",
  getParentHydrationBoundary: "return null;",
  commitActivityHydrationCallbacks: "",
  commitSuspenseHydrationCallbacks: "",
  clearIfContinuousEvent: "",
  dispatchEvent: `if (_enabled) {
    findInstanceBlockingEvent(nativeEvent);
    dispatchEventForPluginEventSystem(domEventName, eventSystemFlags, nativeEvent, return_targetInst, targetContainer);
  }`,
  findInstanceBlockingTarget: `targetNode = getClosestInstanceFromNode(targetNode);
  return_targetInst =
    null !== targetNode && 3 !== targetNode.tag && getNearestMountedFiber(targetNode) === targetNode ? targetNode : null;
  return null;`,
  trackEnterViewTransitions: "",
  commitExitViewTransitions: "",
  commitNestedViewTransitions: "",
  restoreEnterOrExitViewTransitions: "",
  restoreNestedViewTransitions: "",
  restoreViewTransitionOnHostInstances: "",
  commitNewChildToFragmentInstances: "",
  commitFragmentInstanceInsertionEffects: "",
  commitFragmentInstanceDeletionEffects: "",
  isFragmentInstanceParent: "return !1;",
  isSingletonScope: "return !1;",
  preloadInstanceAndSuspendIfNeeded: "workInProgress.flags &= -16777217;",
  accumulateSuspenseyCommitOnFiber: "",
  waitForCommitToBeReady: "return null;",
  getHoistableRoot: "return null;",
  extractEvents$1: "",
  // Where in the tree an error was thrown is logged by nobody here.
  getStackByFiberInDevAndProd: 'return "";',
};

/** The kinds of fibers that are never made: of what a server drew, lists of suspense, resources, singletons, transitions, activities. */
const KINDS = [18, 19, 26, 27, 30, 31];

/** Functions that tell kinds of fibers apart. Those that clear up after an error are left whole: it must come to its end. */
const BY_KIND = named(`
  attemptEarlyBailoutIfNoScheduledUpdate beginWork completeWork safelyAttachRef commitBeforeMutationEffects_complete
  commitLayoutEffectOnFiber hideOrUnhideAllChildrenOnFiber commitDeletionEffectsOnFiber commitMutationEffectsOnFiber
  commitReconciliationEffects recursivelyTraverseDisappearLayoutEffects recursivelyTraverseReappearLayoutEffects
  commitPassiveMountOnFiber renderRootConcurrent
`);

/** What stands for the handle on a fragment. */
const FRAGMENT = `function FragmentInstance() {
  throw leftOut();
}`;

/** Whole stretches and single conditions. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  // Only a page that a server drew is ever taken over.
  [/\n  isHydrating\n\) \{/g, "\n  _isHydrating\n) {"],
  [/\(isHydrating = !0\)/g, "(leftOut())"],
  [/\bisHydrating = !0;/g, "throw leftOut();"],
  [/\bisHydrating\b(?! = |\$)/g, "!1"],
  [/popHydrationState\(workInProgress\)/g, "!1"],
  [/if \(prevState\.isDehydrated\)/g, "if (!1)"],
  [/(?<![\w.])(?:root\.)?current\.memoizedState\.isDehydrated/g, "!1"],
  [/\bprevState\.dehydrated\b/g, "null"],
  [/shouldStartViewTransition\s+\? \(pendingViewTransition = startViewTransition\([^)]*\)\)\s+: /g, ""],
  [/function ViewTransitionPseudoElement\([\s\S]*?(?=\nfunction clearContainerSparingly\()/g, FRAGMENT],
  [/\nReactDOMHydrationRoot\.prototype\.unstable_scheduleHydration = [\s\S]*?\n\};/g, ""],
  [/\nexports\.hydrateRoot = [\s\S]*?\n\};/g, ""],
  [/\nReactDOMSharedInternals\.findDOMNode = [\s\S]*?\n\};/g, ""],
];

/** What `react-dom` itself hands to the renderer that leaves it out. */
const HANDED_ON = /\nexports\.preconnect = [\s\S]*?(?=\nexports\.version = )/g;
const REFUSED = named(`
  preconnect prefetchDNS preinit preinitModule preload preloadModule requestFormReset useFormState useFormStatus
`);

const LEFT_OUT = `
function leftOut() {
  return Error("A part of React is asked for that the build leaves out: scripts/web/slim-react.ts");
}
`;

/** Builds `react-dom` without the parts that no screen needs; refuses another release of it until that has been looked at. */
export const slimReact = (): Plugin => ({
  name: "slim-react",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    if (id.endsWith("/react-dom-client.production.js")) return { code: slimRenderer(code), map: null };
    if (id.endsWith("/react-dom.production.js")) return { code: slimFront(code), map: null };
    return null;
  },
});

/** The release whose code has been looked at: of another one the names above may mean something else. */
const KNOWN = "19.3.1";

function known(code: string): string {
  if (code.includes(`exports.version = "${KNOWN}";`)) return code;
  throw new Error(`react-dom has another form than expected: it is not ${KNOWN}`);
}

/** The code of `react-dom` for production without what hands on to the parts above. */
export const slimFront = (whole: string): string =>
  replaced(
    replaced(known(whole), /\nfunction getCrossOriginStringAs\([\s\S]*?\n\}/g, () => LEFT_OUT),
    HANDED_ON,
    () => `
for (const name of ${JSON.stringify(REFUSED)})
  exports[name] = () => {
    throw leftOut();
  };`,
  );

/** The code of `react-dom/client` for production without the parts above; throws where one of them is not in it. */
export function slimRenderer(whole: string): string {
  let code = known(whole);
  for (const name of UNREACHED) code = withBody(code, name, () => "  throw leftOut();");
  for (const [name, body] of Object.entries(LEFT)) code = withBody(code, name, () => body);
  for (const name of BY_KIND) code = withBody(code, name, withoutKinds(name));
  for (const [pattern, text] of TEXTS) code = replaced(code, pattern, () => text);
  return code + LEFT_OUT;
}

/** Each function of the file ends with the first brace at the beginning of a line. */
const withBody = (code: string, name: string, change: (body: string) => string): string =>
  replaced(
    code,
    new RegExp(`(\\nfunction ${name.replaceAll("$", "\\$")}\\([^)]*\\) \\{\\n)([\\s\\S]*?)(\\n\\}\\n)`, "g"),
    (_whole, head, body, end) => `${head}${change(body)}${end}`,
  );

const withoutKinds = (name: string) => (body: string) => {
  const own = new RegExp(`^( +)case (?:${KINDS.join("|")}):$(?!\\n +case )`, "gm");
  return replaced(
    body,
    own,
    (label, ...match) => {
      const before = body.slice(0, Number(match.at(-2))).trimEnd();
      return /case \d+:$/.test(before) ? label : `${label} throw leftOut();`;
    },
    name,
  );
};

function replaced(
  code: string,
  pattern: RegExp,
  by: (whole: string, ...match: string[]) => string,
  where = "react-dom",
): string {
  if (code.search(pattern) === -1) throw new Error(`${where} has another form than expected: no ${pattern}`);
  return code.replace(pattern, by);
}
