/**
 * CrowdStrike Falcon NG-SIEM (`edr-b-ngsiem`): LogScale query jobs over raw endpoint events. Windows are of ingest time,
 * so that what arrives late is not missed; an answer that reaches the cap of rows is asked for in halves.
 */
import {
  anyText,
  bad,
  clientCredentials,
  createSourceClient,
  type Fields,
  fieldsOf,
  isFields,
  type SourceClient,
  textOf,
  withToken,
  type Answer,
  type Question,
} from './client.ts';
import { addressesIn, createNamer, type LookUp, lookUpMs, readLookUps } from './named-connections.ts';
import { asOcsf, type Told } from './rows.ts';
import { full, none, partial, type SourceKind } from './source.ts';
import { inHalves, newestOf, type WindowAnswer } from './windows.ts';

const mostRows = 10_000;
const pageRows = 1000;
/** A job that is not asked for within 90 seconds is gone; it is started anew so many times. */
const mostStarts = 3;
const longestPollMs = 5000;
const needs = 'the credentials and the scopes NGSIEM:read and NGSIEM:write';

const named = (...names: readonly string[]) =>
  `in(field="#event_simpleName", values=[${names.map((name) => `"${name}"`).join(', ')}])`;
const lookUpQuery = named('DnsRequest');
const queries: Record<string, string> = {
  process: named('ProcessRollup2', 'SyntheticProcessRollup2'),
  network: named(
    'NetworkConnectIP4',
    'NetworkConnectIP6',
    'NetworkReceiveAcceptIP4',
    'NetworkReceiveAcceptIP6',
  ),
  file: '#event_simpleName=/FileWritten$/',
  dns: lookUpQuery,
};

export const edrBNgsiem: SourceKind = {
  streams: Object.keys(queries),
  coverage: {
    processes: full(),
    connections: partial('Connections are reported by address; hosts come from the look-ups before them.'),
    file_writes: partial('Only kinds of files that the sensor reports as written.'),
    file_reads: none('The sensor does not report reads of files.'),
    lookups: full(),
  },
  async open(access) {
    const client = createSourceClient(access);
    const { fields, secrets, settings } = access;
    const base = fields['base_url'] ?? '';
    const ask = await withToken(access, client, () =>
      clientCredentials(client, `${base}/oauth2/token`, {
        client_id: fields['client_id'] ?? '',
        client_secret: secrets['client_secret'] ?? '',
      }),
    );
    const jobs = `${base}/humio/api/v1/repositories/${encodeURIComponent(settings.repository)}/queryjobs`;
    const run = (query: string, from: Date, to: Date) => runJob({ client, ask, jobs }, { query, from, to });
    return {
      skewMs: client.skewMs,
      async *read(stream, from, to) {
        yield* inHalves(from, to, async (start, end) => {
          const answer = await run(queries[stream] ?? '', start, end);
          const name = stream === 'network' ? await namerFor(run, answer.rows, start, end) : undefined;
          return { ...answer, rows: answer.rows.map((row) => asOcsf(toldOf(stream, row, name))) };
        });
      },
    };
  },
};

type Run = (query: string, from: Date, to: Date) => Promise<WindowAnswer<Fields>>;
type Namer = ReturnType<typeof createNamer>;

/** The look-ups before the connections; without rows there is nothing to name. */
async function namerFor(run: Run, rows: readonly Fields[], from: Date, to: Date): Promise<Namer | undefined> {
  if (rows.length === 0) return undefined;
  const start = new Date(from.getTime() - lookUpMs);
  const read = () => inHalves(start, to, (first, last) => run(lookUpQuery, first, last));
  return createNamer(await readLookUps(read, lookUpOf));
}

const lookUpOf = (row: Fields): LookUp => ({
  device: textOf(row, 'aid') ?? '',
  process: processUid(row) ?? '',
  atMs: Number(timeOf(row)),
  host: textOf(row, 'DomainName') ?? '',
  addresses: [...addressesIn(textOf(row, 'IP4Records')), ...addressesIn(textOf(row, 'IP6Records'))],
});

interface Place {
  readonly client: SourceClient;
  readonly ask: (url: string, question: Question) => Promise<Answer>;
  readonly jobs: string;
}

interface Job {
  readonly query: string;
  readonly from: Date;
  readonly to: Date;
}

async function runJob(place: Place, job: Job): Promise<WindowAnswer<Fields>> {
  for (let starts = 1; ; starts += 1) {
    const rows = await oneJob(place, job);
    if (rows !== 'expired') return rows;
    if (starts >= mostStarts) throw bad(`A query job expired ${starts} times before its answer was read.`);
  }
}

async function oneJob(
  { client, ask, jobs }: Place,
  { query, from, to }: Job,
): Promise<WindowAnswer<Fields> | 'expired'> {
  const body = {
    queryString: `${query} | tail(${mostRows})`,
    start: from.getTime(),
    end: to.getTime(),
    useIngestTime: true,
    isLive: false,
    timeZone: 'UTC',
  };
  const started = await ask(jobs, { method: 'POST', body, needs });
  const id = textOf(started.json, 'id');
  if (id === undefined) throw bad('The query job has no id; the form of the source may have changed.');
  const url = `${jobs}/${encodeURIComponent(id)}`;
  const rows: Fields[] = [];
  for (;;) {
    const { status, json } = await ask(`${url}?paginationLimit=${pageRows}&paginationOffset=${rows.length}`, {
      accepts: [404],
      needs,
    });
    if (status === 404) return 'expired';
    const meta = fieldsOf(json['metaData']);
    if (json['cancelled'] === true) return 'expired';
    if (json['done'] !== true) {
      await client.pause(Math.min(longestPollMs, Math.max(10, Number(meta['pollAfter'] ?? 1000))));
      continue;
    }
    const page = json['events'];
    if (!Array.isArray(page))
      throw bad('The query job has no events; the form of the source may have changed.');
    rows.push(...page.filter(isFields));
    const more = String(fieldsOf(meta['extraData'])['hasMoreEvents']) === 'true';
    if (more && page.length > 0) continue;
    await ask(url, { method: 'DELETE', accepts: [204, 404], needs });
    return { rows, newestMs: newestOf(rows.map(ingestedMs)), ...completeness(rows.length, meta['warnings']) };
  }
}

function completeness(rows: number, warnings: unknown): Pick<WindowAnswer, 'complete' | 'because'> {
  if (rows >= mostRows) return { complete: false, because: `${mostRows} rows or more` };
  if (Array.isArray(warnings) && warnings.length > 0)
    return { complete: false, because: `the source warns: ${JSON.stringify(warnings[0]).slice(0, 200)}` };
  return { complete: true };
}

const timeOf = (row: Fields) => anyText(row, 'timestamp', '@timestamp', 'ContextTimeStamp');
const ingestedMs = (row: Fields): number =>
  Number(anyText(row, '@ingesttimestamp', '@timestamp', 'timestamp'));
const processUid = (row: Fields) => anyText(row, 'ContextProcessId', 'SourceProcessId', 'TargetProcessId');

function toldOf(stream: string, row: Fields, name: Namer | undefined): Told {
  const common = {
    at: Number(timeOf(row)),
    id: textOf(row, 'id'),
    device: {
      uid: textOf(row, 'aid'),
      name: textOf(row, 'ComputerName'),
      os: textOf(row, 'event_platform'),
    },
  };
  if (stream === 'process') return { ...common, dimension: 'process', ...startOf(row) };
  const process = {
    uid: processUid(row),
    image: textOf(row, 'ContextBaseFileName'),
    user: textOf(row, 'UserName'),
  };
  if (stream === 'dns') return { ...common, dimension: 'dns', process, host: textOf(row, 'DomainName') };
  if (stream === 'file') return { ...common, dimension: 'file', process, ...writeOf(row) };
  return { ...common, dimension: 'network', process, ...connectionOf(row, name) };
}

const eventName = (row: Fields): string => anyText(row, '#event_simpleName', 'event_simpleName') ?? '';

const startOf = (row: Fields) => ({
  process: {
    uid: textOf(row, 'TargetProcessId'),
    image: anyText(row, 'ImageFileName', 'FileName'),
    commandLine: textOf(row, 'CommandLine'),
    user: textOf(row, 'UserName'),
  },
  parent: { uid: textOf(row, 'ParentProcessId'), image: textOf(row, 'ParentBaseFileName') },
});

const writeOf = (row: Fields) => ({
  filePath: textOf(row, 'TargetFileName'),
  action: /^New\w*Written$/.test(eventName(row)) ? 'Create' : 'Update',
});

function connectionOf(row: Fields, name: Namer | undefined) {
  const ip = anyText(row, 'RemoteAddressIP4', 'RemoteAddressIP6');
  if (textOf(row, 'ConnectionDirection') === '1' || eventName(row).startsWith('NetworkReceiveAccept'))
    return { inbound: true, ip, port: textOf(row, 'LocalPort') };
  const asked = {
    device: textOf(row, 'aid') ?? '',
    process: processUid(row) ?? '',
    atMs: Number(timeOf(row)),
    ip: ip ?? '',
  };
  return { ip, host: textOf(row, 'DomainName') ?? name?.(asked), port: textOf(row, 'RemotePort') };
}
