import { createMachine } from "xstate";

// Generated from src/machines/lead-automation/lead-automation.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const leadAutomation = createMachine({
  "id": "leadAutomation",
  "initial": "deciding",
  "on": {
    "facts.changed": {
      "target": ".deciding",
      "actions": {
        "type": "storeFacts"
      }
    }
  },
  "states": {
    "deciding": {
      "always": [
        {
          "guard": "hasNoSteps",
          "target": "no_steps"
        },
        {
          "guard": "hasNoStepLeft",
          "target": "finished"
        },
        {
          "guard": "isUnderWay",
          "target": "scheduled"
        },
        {
          "guard": "isUsed",
          "target": "finished"
        },
        {
          "guard": "isOptedOut",
          "target": "opted_out"
        },
        {
          "guard": "isUnreachable",
          "target": "unreachable"
        },
        {
          "guard": "isHeld",
          "target": "held"
        },
        {
          "guard": "hasAnswered",
          "target": "answered"
        },
        {
          "guard": "hasNoAccess",
          "target": "no_subscription"
        },
        {
          "guard": "isDisconnected",
          "target": "not_connected"
        },
        {
          "guard": "isSwitchedOff",
          "target": "automation_off"
        },
        {
          "guard": "isStopped",
          "target": "account_stopped"
        },
        {
          "guard": "isOverdue",
          "target": "overdue_unconfirmed"
        },
        {
          "guard": "isPaused",
          "target": "account_paused"
        },
        {
          "guard": "isOutsideHours",
          "target": "waiting_for_hours"
        },
        {
          "guard": "isAfterBulk",
          "target": "waiting_after_bulk"
        },
        {
          "guard": "isOverLimit",
          "target": "waiting_for_limit"
        },
        {
          "target": "scheduled"
        }
      ]
    },
    "no_steps": {},
    "finished": {},
    "opted_out": {},
    "unreachable": {},
    "held": {},
    "answered": {},
    "no_subscription": {},
    "not_connected": {},
    "automation_off": {},
    "account_stopped": {},
    "overdue_unconfirmed": {},
    "account_paused": {},
    "waiting_for_hours": {},
    "waiting_after_bulk": {},
    "waiting_for_limit": {},
    "scheduled": {}
  }
});
