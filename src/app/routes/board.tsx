import { useMemo } from "react";
import { BoardProvider, createBoard, selectColumns, selectFilters, useBoard } from "../../machines/board/index.ts";
import { type LeadFilters, placeOf, searchOf } from "../../machines/leads/index.ts";
import { createScreenAddress } from "../../services/address.ts";
import { createBoardGateway } from "../../services/board.ts";
import { createStagesList } from "../../services/stages-list.ts";
import { BoardView } from "../../views/board/BoardView.tsx";
import { leadsOf } from "../leads-of.ts";
import { useScrollPlace } from "../scroll-place.ts";
import type { Services } from "../services.ts";

export default function BoardRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => boardOf(services), [services]);
  return (
    <BoardProvider logic={logic} options={{ input }}>
      <Board />
    </BoardProvider>
  );
}

const searchFor = (filters: LeadFilters) => searchOf({ filters, page: 1 });

function Board() {
  useScrollPlace(useBoard(selectColumns).length > 0);
  const search = useBoard((board) => searchFor(selectFilters(board)));
  return <BoardView listHref={search === "" ? "/leads" : `/leads?${search}`} />;
}

function boardOf(services: Services) {
  const { http, events, notifier, logger } = services;
  const { list, reading, changeStage, undoStage } = leadsOf(services);
  const address = createScreenAddress("/board");
  const read = () => placeOf(address.read()).filters;
  const logic = createBoard({
    board: {
      ...createBoardGateway(http, { listStages: createStagesList(http), list, reading }),
      changeStage,
      undoStage,
    },
    events,
    address: { read, write: (filters) => address.write(searchFor(filters)), subscribe: address.subscribe },
    notifier,
    logger,
  });
  return { logic, input: { filters: read() } };
}
