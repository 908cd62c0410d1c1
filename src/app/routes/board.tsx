import { useMemo } from "react";
import { AriaLanguage } from "../../language/AriaLanguage.tsx";
import { BoardChart, createBoard, filtersIn, searchFor, selectColumns } from "../../machines/board/board.machine.ts";
import { createScreenAddress } from "../../services/address.ts";
import { createBoardGateway } from "../../services/board.ts";
import { createStagesList } from "../../services/stages.ts";
import { BoardView } from "../../views/board/BoardView.tsx";
import { leadsOf } from "../leads-of.ts";
import { useScrollPlace } from "../scroll-place.ts";
import type { Services } from "../services.ts";

export default function BoardRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => boardOf(services), [services]);
  return (
    <BoardChart.Provider logic={logic} options={{ input }}>
      <AriaLanguage>
        <Board />
      </AriaLanguage>
    </BoardChart.Provider>
  );
}

function Board() {
  useScrollPlace(BoardChart.useSelector(selectColumns).length > 0);
  const search = BoardChart.useSelector((board) => searchFor(board.context.filters));
  return <BoardView listHref={search === "" ? "/leads" : `/leads?${search}`} />;
}

function boardOf(services: Services) {
  const leads = leadsOf(services);
  const address = createScreenAddress("/board");
  const board = createBoardGateway(services.http, { listStages: createStagesList(services.http), ...leads });
  return { logic: createBoard(services, { board, leads, address }), input: { filters: filtersIn(address.read()) } };
}
