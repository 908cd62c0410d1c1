// A straightforward implementation as the baseline: node:http, pg, count(*), Dates in JSON, no token check.
import http from "node:http";
import pg from "pg";

const [databaseUrl = "", ownerId = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const columns =
  "id, telegram_user_id, name, username, stage_id, notes, created_at, followup_order_sent, last_followup_sent_at, last_user_message_at, last_message_at";

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const stage = query.get("stage_id");
  const where = stage === null ? "owner_id = $1" : "owner_id = $1 and stage_id = $2";
  const values = stage === null ? [ownerId] : [ownerId, stage];
  const [page, total] = await Promise.all([
    pool.query(
      `select ${columns} from leads where ${where} order by created_at desc, id desc limit 50 offset ${Number(query.get("offset") ?? 0)}`,
      values,
    ),
    pool.query(`select count(*)::int as total from leads where ${where}`, values),
  ]);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ leads: page.rows, total: total.rows[0].total }));
}

const server = http.createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : "");
});
