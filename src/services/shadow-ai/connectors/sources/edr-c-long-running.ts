/** Long-running queries: launched, asked for until their last step, gone 30 seconds after nobody asked. */
import { bad, type Fields, fieldsOf, type SourceClient } from './client.ts';
import { asText, type ConsoleEvent, type Interface, type Stream, timeOf, typesOf } from './edr-c-event.ts';
import type { Access } from './source.ts';

const mostRows = 5000;
const mostStarts = 3;
const needs = 'base_url, and that the token is of a user who may query';

const columns = [
  'event.time',
  'event.id',
  'event.type',
  'agent.uuid',
  'endpoint.name',
  'endpoint.os',
  'src.process.uid',
  'src.process.parent.uid',
  'src.process.image.path',
  'src.process.cmdline',
  'src.process.parent.cmdline',
  'src.process.user',
  'tgt.process.uid',
  'tgt.process.image.path',
  'tgt.process.cmdline',
  'tgt.process.user',
  'tgt.file.path',
  'dst.ip.address',
  'dst.port.number',
  'event.network.direction',
  'event.dns.request',
  'event.dns.response',
] as const;

const queryOf = (stream: Stream): string => {
  const types = typesOf(stream);
  return (
    `dataSource.name='SentinelOne' event.type in (${types.map((type) => `'${type}'`).join(', ')})` +
    ` | columns ${columns.join(', ')} | sort +event.time | limit ${mostRows}`
  );
};

export function longRunning(
  access: Access,
  client: SourceClient,
): { read: Interface; isThere(): Promise<boolean> } {
  const url = `${access.fields['base_url'] ?? ''}/sdl/v2/api/queries`;
  const authorization = `Bearer ${access.secrets['api_token'] ?? ''}`;
  const launch = (query: string, from: Date, to: Date, accepts: number[] = []) =>
    client.ask(url, {
      method: 'POST',
      headers: { authorization },
      body: {
        queryType: 'PQ',
        tenant: true,
        startTime: from.toISOString(),
        endTime: to.toISOString(),
        queryPriority: 'LOW',
        scheme: 'edr',
        pq: { query, resultType: 'TABLE' },
      },
      accepts,
      needs,
    });

  /** The data of one query; undefined where it was gone before it ended. */
  async function once(query: string, from: Date, to: Date): Promise<Fields | undefined> {
    const launched = await launch(query, from, to);
    const id = asText(launched.json['id']);
    if (id === undefined) throw bad('The query has no id; the form of the source may have changed.');
    const tag = launched.headers['x-dataset-query-forward-tag'];
    const headers = { authorization, ...(typeof tag === 'string' && { 'x-dataset-query-forward-tag': tag }) };
    let { json } = launched;
    for (let waitMs = 50; !isDone(json); waitMs = Math.min(2000, waitMs * 2)) {
      await client.pause(waitMs);
      const step = Number(json['stepsCompleted'] ?? 0);
      const answer = await client.ask(`${url}/${encodeURIComponent(id)}?lastStepSeen=${step}`, {
        headers,
        accepts: [404],
        needs,
      });
      if (answer.status === 404) return undefined;
      ({ json } = answer);
    }
    await client.ask(`${url}/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers,
      accepts: [204, 404],
      needs,
    });
    return fieldsOf(json['data']);
  }

  return {
    async isThere() {
      const now = access.clock.now();
      const query = `dataSource.name='SentinelOne' | columns event.time | limit 1`;
      const { status } = await launch(query, new Date(now - 1000), new Date(now), [404, 405]);
      return status !== 404 && status !== 405;
    },
    async read(stream, from, to) {
      let data: Fields | undefined;
      for (let starts = 0; data === undefined && starts < mostStarts; starts += 1)
        data = await once(queryOf(stream), from, to);
      if (data === undefined) throw bad(`A query was gone ${mostStarts} times before its answer was read.`);
      const rows = rowsOf(data);
      const left = Number(data['omittedEvents'] ?? 0) > 0 || data['partialResultsDueToTimeLimit'] === true;
      return {
        rows: rows.map(eventOf),
        newestMs: undefined,
        complete: rows.length < mostRows && !left,
        because: left ? 'the query ran out of time' : `${mostRows} rows or more`,
      };
    },
  };
}

/** Two forms are known: `stepsTotal`, and `totalSteps`. */
function isDone(json: Fields): boolean {
  const error = fieldsOf(json['error']);
  if (asText(json['error']) !== undefined || Object.keys(error).length > 0)
    throw bad(`The query failed: ${(asText(json['error']) ?? JSON.stringify(error)).slice(0, 200)}.`);
  const total = Number(json['stepsTotal'] ?? json['totalSteps'] ?? 0);
  return total > 0 && Number(json['stepsCompleted'] ?? 0) >= total;
}

function rowsOf({ columns: named, values }: Fields): Fields[] {
  if (!Array.isArray(named) || !Array.isArray(values))
    throw bad('The query has no columns and values; the form of the source may have changed.');
  const names = named.map((column) => asText(fieldsOf(column)['name']) ?? '');
  return values.map((row) =>
    Object.fromEntries(
      names.map((name, i) => [name, Array.isArray(row) ? (row as unknown[])[i] : undefined]),
    ),
  );
}

const eventOf = (row: Fields): ConsoleEvent => {
  const text = (name: (typeof columns)[number]) => asText(row[name]);
  return {
    id: text('event.id'),
    atMs: timeOf(row, 'event.time'),
    device: text('agent.uuid'),
    deviceName: text('endpoint.name'),
    os: text('endpoint.os'),
    user: text('src.process.user'),
    processUid: text('src.process.uid'),
    parentUid: text('src.process.parent.uid'),
    image: text('src.process.image.path'),
    commandLine: text('src.process.cmdline'),
    parentCommandLine: text('src.process.parent.cmdline'),
    targetUid: text('tgt.process.uid'),
    targetImage: text('tgt.process.image.path'),
    targetCommandLine: text('tgt.process.cmdline'),
    targetUser: text('tgt.process.user'),
    filePath: text('tgt.file.path'),
    kind: text('event.type'),
    ip: text('dst.ip.address'),
    port: text('dst.port.number'),
    direction: text('event.network.direction'),
    request: text('event.dns.request'),
    response: text('event.dns.response'),
  };
};
