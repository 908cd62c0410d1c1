import { createMachine } from "xstate";

// Generated from src/machines/palette/palette.machine.ts by `npm run statecharts`: import it into Stately's editor or visualizer.
export const palette = createMachine({
  "id": "palette",
  "initial": "searching",
  "on": {
    "query.change": [
      {
        "guard": {
          "type": "isOtherQuery"
        },
        "target": ".searching",
        "actions": {
          "type": "storeQuery"
        }
      },
      {
        "actions": {
          "type": "storeQuery"
        }
      }
    ]
  },
  "states": {
    "searching": {
      "tags": "busy",
      "invoke": {
        "id": "findPeople",
        "src": "findPeople",
        "onDone": {
          "target": "found",
          "actions": {
            "type": "storeFound"
          }
        },
        "onError": {
          "target": "unread",
          "actions": {
            "type": "reportFailure"
          }
        }
      }
    },
    "found": {},
    "unread": {
      "on": {
        "reading.retry": "searching"
      }
    }
  }
});
