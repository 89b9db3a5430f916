/** Deep Visibility, of consoles without long-running queries: a query is begun, watched, and paged by cursor. */
import { bad, type Fields, fieldsOf, isFields, type SourceClient } from './client.ts';
import { asText, type ConsoleEvent, type Interface, type Stream, timeOf, typesOf } from './edr-c-event.ts';
import type { Access } from './source.ts';

const mostRows = 20_000;
const pageRows = 1000;
const mostStarts = 3;
const needs = 'base_url and the token';
const gone = new Set(['QUERY_EXPIRED', 'QUERY_NOT_FOUND', 'QUERY_CANCEL', 'TIMED_OUT']);
const failed = new Set(['FAILED', 'FAILED_CLIENT']);

const queryOf = (stream: Stream): string =>
  typesOf(stream)
    .map((type) => `EventType = "${type}"`)
    .join(' OR ');

export function deepVisibility(access: Access, client: SourceClient): Interface {
  const base = `${access.fields['base_url'] ?? ''}/web/api/v2.1/dv`;
  const headers = { authorization: `ApiToken ${access.secrets['api_token'] ?? ''}` };
  const get = (path: string, accepts: number[] = []) =>
    client.ask(`${base}${path}`, { headers, accepts, needs });

  /** The rows of one query; undefined where it was gone before they were read. */
  async function once(stream: Stream, from: Date, to: Date): Promise<Fields[] | undefined> {
    const begun = await client.ask(`${base}/init-query`, {
      method: 'POST',
      headers,
      body: {
        query: queryOf(stream),
        fromDate: from.toISOString(),
        toDate: to.toISOString(),
        queryType: ['events'],
        limit: mostRows,
      },
      needs,
    });
    const id = asText(fieldsOf(begun.json['data'])['queryId']);
    if (id === undefined) throw bad('The query has no id; the form of the source may have changed.');
    const query = `queryId=${encodeURIComponent(id)}`;
    const end = await endOf(query);
    return end === 'finished' ? readPages(query) : end === 'empty' ? [] : undefined;
  }

  async function endOf(query: string): Promise<'finished' | 'empty' | 'gone'> {
    for (;;) {
      const { json, status } = await get(`/query-status?${query}`, [404]);
      const data = fieldsOf(json['data']);
      const state = asText(data['responseState']) ?? '';
      if (status === 404 || gone.has(state)) return 'gone';
      if (failed.has(state))
        throw bad(`The query failed: ${(asText(data['responseError']) ?? state).slice(0, 200)}.`);
      if (state === 'EMPTY_RESULTS') return 'empty';
      if (state === 'FINISHED') return 'finished';
      // The status may be asked for once a second.
      await client.pause(1000);
    }
  }

  async function readPages(query: string): Promise<Fields[] | undefined> {
    const rows: Fields[] = [];
    for (let cursor = ''; ;) {
      const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json, status } = await get(`/events?${query}&limit=${pageRows}${next}`, [404]);
      if (status === 404) return undefined;
      if (!Array.isArray(json['data']))
        throw bad('The query has no data; the form of the source may have changed.');
      rows.push(...json['data'].filter(isFields));
      cursor = asText(fieldsOf(json['pagination'])['nextCursor']) ?? '';
      if (cursor === '') return rows;
    }
  }

  return async (stream, from, to) => {
    let rows: Fields[] | undefined;
    for (let starts = 0; rows === undefined && starts < mostStarts; starts += 1)
      rows = await once(stream, from, to);
    if (rows === undefined) throw bad(`A query was gone ${mostStarts} times before its answer was read.`);
    // Both bounds are inclusive here, and windows must not overlap where rows are counted.
    const within = rows.map(eventOf).filter(({ atMs }) => atMs >= from.getTime() && atMs < to.getTime());
    return {
      rows: within,
      newestMs: undefined,
      complete: rows.length < mostRows,
      because: `${mostRows} rows or more`,
    };
  };
}

const eventOf = (row: Fields): ConsoleEvent => {
  const text = (...names: string[]) =>
    names.map((name) => asText(row[name])).find((each) => each !== undefined);
  return {
    id: text('id', 'eventId'),
    atMs: timeOf(row, row['eventTime'] === undefined ? 'createdAt' : 'eventTime'),
    device: text('agentUuid'),
    deviceName: text('agentName', 'endpointName'),
    os: text('agentOs', 'endpointOs'),
    user: text('srcProcUser', 'user'),
    processUid: text('srcProcUid', 'processUniqueKey'),
    parentUid: text('srcProcParentUid', 'parentProcessUniqueKey'),
    image: text('srcProcImagePath', 'processImagePath'),
    commandLine: text('srcProcCmdLine', 'processCmd'),
    parentCommandLine: text('srcProcParentCmdLine'),
    targetUid: text('tgtProcUid'),
    targetImage: text('tgtProcImagePath'),
    targetCommandLine: text('tgtProcCmdLine'),
    targetUser: text('tgtProcUser'),
    filePath: text('tgtFilePath', 'fileFullName'),
    kind: text('eventType'),
    ip: text('dstIp'),
    port: text('dstPort'),
    direction: text('netConnDirection', 'direction'),
    request: text('dnsRequest'),
    response: text('dnsResponse'),
  };
};
