/**
 * CrowdStrike Falcon without NG-SIEM (`edr-b`): no raw events. Processes come from alerts and from what applications
 * were last used; devices that asked a provider come host by host, without the program.
 */
import { createHash } from 'node:crypto';
import {
  anyText,
  bad,
  clientCredentials,
  createSourceClient,
  type Fields,
  fieldsOf,
  isFields,
  textOf,
  withToken,
  type Answer,
  type Question,
} from './client.ts';
import { asOcsf } from './rows.ts';
import { none, partial, type SourceBatch, type SourceKind } from './source.ts';
import { newestOf } from './windows.ts';

const pageRows = 1000;
const ranOnRows = 100;
/** In the place of a program that the source does not name; it is listed among programs that act for others. */
const unknownProgram = '(unknown)';

export const edrB: SourceKind = {
  streams: ['alerts', 'applications', 'providers'],
  coverage: {
    processes: partial('Only processes of alerts, and the last use of applications; edr-b-ngsiem has all.'),
    connections: partial('Which devices asked a provider, not which program; edr-b-ngsiem has programs.'),
    file_writes: none('Needs edr-b-ngsiem.'),
    file_reads: none('The sensor does not report reads of files.'),
    lookups: none('Needs edr-b-ngsiem.'),
  },
  slowestMs: { applications: 15 * 60_000, providers: 15 * 60_000 },
  async open(access) {
    const client = createSourceClient(access);
    const { fields, secrets } = access;
    const base = fields['base_url'] ?? '';
    const ask = await withToken(access, client, () =>
      clientCredentials(client, `${base}/oauth2/token`, {
        client_id: fields['client_id'] ?? '',
        client_secret: secrets['client_secret'] ?? '',
      }),
    );
    const place = { ask, base };
    return {
      skewMs: client.skewMs,
      async *read(stream, from, to) {
        if (stream === 'alerts') yield* readAlerts(place, from, to);
        else if (stream === 'applications') yield* readApplications(place, from, to);
        else yield* readProviders(place, access.apiHosts, { from, to });
      },
    };
  },
};

interface Place {
  readonly ask: (url: string, question: Question) => Promise<Answer>;
  readonly base: string;
}

/** @throws AppError 502 where there are none, or the answer says that something failed. */
function resourcesOf({ json }: Answer): Fields[] {
  const errors = json['errors'];
  if (Array.isArray(errors) && errors.length > 0)
    throw bad(
      `The source answered in part: ${(textOf(fieldsOf(errors[0]), 'message') ?? 'no reason').slice(0, 200)}.`,
    );
  const { resources } = json;
  if (!Array.isArray(resources))
    throw bad('The answer has no resources; the form of the source may have changed.');
  return resources.filter(isFields);
}

const afterOf = ({ json }: Answer): string | undefined => {
  const pagination = fieldsOf(fieldsOf(json['meta'])['pagination']);
  return textOf(pagination, 'after');
};

async function* readAlerts({ ask, base }: Place, from: Date, to: Date): AsyncGenerator<SourceBatch> {
  const filter = `created_timestamp:>='${from.toISOString()}'+created_timestamp:<'${to.toISOString()}'`;
  for (let after: string | undefined; ;) {
    const answer = await ask(`${base}/alerts/combined/alerts/v1`, {
      method: 'POST',
      body: { filter, sort: 'created_timestamp|asc', limit: pageRows, ...(after !== undefined && { after }) },
      needs: 'the credentials and the scope Alerts:read',
    });
    const alerts = resourcesOf(answer);
    // Alerts without a process, such as those of identities, tell nothing of programs.
    yield {
      rows: alerts.filter((alert) => anyText(alert, 'filename', 'cmdline') !== undefined).map(asAlert),
      newestMs: newestOf(alerts.map((alert) => Date.parse(textOf(alert, 'created_timestamp') ?? ''))),
    };
    after = afterOf(answer);
    if (after === undefined || alerts.length === 0) return;
  }
}

function asAlert(alert: Fields): object {
  const device = fieldsOf(alert['device']);
  const parent = fieldsOf(alert['parent_details']);
  const started = Number(textOf(alert, 'process_start_time') ?? Number.NaN);
  return asOcsf({
    dimension: 'process',
    // Of the start of the process; the alert came later.
    at: Number.isFinite(started) ? started * (started < 1e11 ? 1000 : 1) : textOf(alert, 'timestamp'),
    id: `alert:${textOf(alert, 'process_id') ?? textOf(alert, 'composite_id') ?? ''}`,
    device: {
      uid: textOf(device, 'device_id'),
      name: textOf(device, 'hostname'),
      os: textOf(device, 'platform_name'),
    },
    process: {
      uid: textOf(alert, 'process_id'),
      image: anyText(alert, 'filepath', 'filename'),
      commandLine: textOf(alert, 'cmdline'),
      user: textOf(alert, 'user_name'),
    },
    parent: {
      uid: textOf(parent, 'process_id'),
      image: anyText(parent, 'filepath', 'filename'),
      commandLine: textOf(parent, 'cmdline'),
    },
  });
}

async function* readApplications({ ask, base }: Place, from: Date, to: Date): AsyncGenerator<SourceBatch> {
  const filter = `last_used_timestamp:>='${from.toISOString()}'+last_used_timestamp:<'${to.toISOString()}'`;
  for (let after: string | undefined; ;) {
    const query = new URLSearchParams({ filter, limit: String(pageRows), sort: 'last_used_timestamp|asc' });
    query.append('facet', 'host_info');
    query.append('facet', 'install_usage');
    if (after !== undefined) query.set('after', after);
    const answer = await ask(`${base}/discover/combined/applications/v1?${query.toString()}`, {
      needs: 'the credentials and the scope Assets:read',
    });
    const applications = resourcesOf(answer);
    yield {
      rows: applications.filter((each) => textOf(each, 'last_used_file_name') !== undefined).map(asUse),
      newestMs: undefined,
    };
    after = afterOf(answer);
    if (after === undefined || applications.length === 0) return;
  }
}

/** The last use of an application, as the start of its program. */
function asUse(application: Fields): object {
  const host = fieldsOf(application['host']);
  const file = textOf(application, 'last_used_file_name');
  const at = textOf(application, 'last_used_timestamp');
  return asOcsf({
    dimension: 'process',
    at,
    id: `use:${textOf(application, 'id') ?? ''}:${at ?? ''}`,
    device: {
      uid: anyText(host, 'aid', 'id'),
      name: textOf(host, 'hostname'),
      os: textOf(host, 'platform_name'),
    },
    process: {
      uid: `use:${textOf(application, 'id') ?? file ?? ''}:${at ?? ''}`,
      image: file,
      user: textOf(application, 'last_used_user_name'),
    },
  });
}

/** Devices by the hosts that they asked. An answer has no window: those of the window are taken. */
async function* readProviders(
  { ask, base }: Place,
  hosts: readonly string[],
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<SourceBatch> {
  for (const host of hosts)
    for (let offset: string | undefined; ;) {
      const query = new URLSearchParams({ type: 'domain', value: host, limit: String(ranOnRows) });
      if (offset !== undefined) query.set('offset', offset);
      const answer = await ask(`${base}/threatgraph/combined/ran-on/v1?${query.toString()}`, {
        needs: 'the credentials and the scope Threatgraph:read',
      });
      const seen = resourcesOf(answer);
      const rows = seen.filter((row) => {
        const ms = Date.parse(textOf(row, 'timestamp') ?? '');
        return ms >= from.getTime() && ms < to.getTime();
      });
      if (rows.length > 0) yield { rows: rows.map((row) => asConnection(row, host)), newestMs: undefined };
      const next = textOf(fieldsOf(fieldsOf(answer.json['meta'])['pagination']), 'offset');
      if (next === undefined || next === offset || seen.length === 0) break;
      offset = next;
    }
}

function asConnection(row: Fields, host: string): object {
  const device = textOf(row, 'device_id');
  const at = textOf(row, 'timestamp');
  const id = createHash('sha256')
    .update(JSON.stringify([device, host, at]))
    .digest('base64url');
  return asOcsf({
    dimension: 'network',
    at,
    id: `ran-on:${id}`,
    device: { uid: device, name: textOf(row, 'hostname'), os: textOf(row, 'platform_name') },
    process: { uid: unknownProgram, image: unknownProgram },
    host,
  });
}
