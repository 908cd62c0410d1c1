// Oxlint plugin: server and sandbox may use time only through server/core/clock.ts.
const MEMBERS = { Date: ["now"], performance: ["now"], process: ["hrtime"], AbortSignal: ["timeout"] };
const TIMERS = ["setTimeout", "setInterval"];
// Without `new`, Date returns the current time and ignores its arguments.
const CALLS = [...TIMERS, "Date"];
const MODULES = ["timers", "timers/promises", "perf_hooks"];
const message =
  "Take a Clock (server/core/clock.ts): tests and the sandbox move it. docs/decisions/time.md says which of its times to use.";

const isNamed = (node, names) => node.type === "Identifier" && names.includes(node.name);

const ownedByClock = {
  create(context) {
    const report = (node) => context.report({ node, message });
    return {
      CallExpression({ callee }) {
        if (isNamed(callee, CALLS)) report(callee);
      },
      NewExpression({ callee, arguments: given }) {
        if (isNamed(callee, ["Date"]) && given.length === 0) report(callee);
      },
      MemberExpression(node) {
        const { object, property } = node;
        if (isNamed(object, Object.keys(MEMBERS)) && isNamed(property, MEMBERS[object.name])) report(node);
        if (isNamed(object, ["globalThis"]) && isNamed(property, TIMERS)) report(node);
      },
      ImportDeclaration({ source, specifiers }) {
        if (!MODULES.includes(source.value.replace(/^node:/, ""))) return;
        for (const { imported, local } of specifiers)
          if (!["setImmediate", "monitorEventLoopDelay"].includes((imported ?? local).name)) report(local);
      },
    };
  },
};

export default { meta: { name: "time" }, rules: { "owned-by-clock": ownedByClock } };
