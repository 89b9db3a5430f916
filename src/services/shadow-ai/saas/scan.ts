import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { type SaasTable, saasTables } from './tables.ts';

export interface Instance {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

export interface Finding {
  readonly resourceType: string;
  readonly resourceId: string;
  readonly resourceName: string;
  readonly scope: string;
  readonly createdBy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type Row = Readonly<Record<string, unknown>>;

const atOnce = 4;
const tableTimeoutMs = 10_000;
const scanTimeoutMs = 60_000;
const pageRows = 500;
const mostRows = 20_000;
const answerLimitBytes = 16 * 1024 * 1024;

/**
 * Everything of AI on an instance, as far as it can be read: each table that cannot is a finding of type `coverage`.
 * @throws AppError 502 where the instance refuses the credentials or cannot be reached at all
 */
export async function scanInstance(
  outbound: Outbound,
  instance: Instance,
  matcher: Matcher,
): Promise<Finding[]> {
  const whole = AbortSignal.timeout(scanTimeoutMs);
  const left = [...saasTables];
  const found = new Map<SaasTable, Finding[]>();
  const work = async () => {
    for (let table = left.shift(); table !== undefined; table = left.shift())
      found.set(table, await scanTable({ outbound, instance, matcher, whole }, table));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return saasTables.flatMap((table) => found.get(table) ?? []);
}

interface Scan {
  readonly outbound: Outbound;
  readonly instance: Instance;
  readonly matcher: Matcher;
  readonly whole: AbortSignal;
}

async function scanTable(scan: Scan, table: SaasTable): Promise<Finding[]> {
  const findings: Finding[] = [];
  const signal = AbortSignal.any([scan.whole, AbortSignal.timeout(tableTimeoutMs)]);
  let last = '';
  try {
    for (let rows = 0; ;) {
      const page = await readPage(scan, table, { last, signal });
      // A page may be short, since rights are checked after the limit; only an empty one is the end.
      if (page.length === 0) return findings;
      rows += page.length;
      findings.push(...page.flatMap((row) => findingOf(row, table, scan.matcher)));
      const next = textOf(page.at(-1)?.['sys_id']);
      if (next <= last)
        return [...findings, gap(table, 'The instance does not answer in the order of its ids.')];
      if (rows >= mostRows) return [...findings, gap(table, `Only the first ${rows} records were read.`)];
      last = next;
    }
  } catch (error) {
    if (signal.aborted) return [...findings, gap(table, 'It did not answer within the time for a scan.')];
    if (error instanceof TableProblem) return [...findings, gap(table, error.message)];
    throw error;
  }
}

/** Why a table cannot be read. */
class TableProblem extends Error {
  override readonly name = 'TableProblem';
}

async function readPage(
  { outbound, instance }: Scan,
  { table, columns, filter }: SaasTable,
  { last, signal }: { last: string; signal: AbortSignal },
): Promise<Row[]> {
  const query = [...(filter === undefined ? [] : [filter]), `sys_id>${last}`, 'ORDERBYsys_id'].join('^');
  const search = new URLSearchParams({
    sysparm_query: query,
    sysparm_fields: ['sys_id', 'sys_scope', 'sys_created_by', ...columns].join(','),
    sysparm_limit: String(pageRows),
    sysparm_exclude_reference_link: 'true',
    sysparm_no_count: 'true',
  });
  const credentials = Buffer.from(`${instance.user}:${instance.password}`).toString('base64');
  const answer = await outbound.exchange(
    `${instance.url}/api/now/table/${table}?${search.toString()}`,
    { headers: { accept: 'application/json', authorization: `Basic ${credentials}` }, signal },
    answerLimitBytes,
  );
  if (!('text' in answer)) {
    answer.body.destroy();
    if (answer.status === 401)
      throw new AppError(502, 'upstream_refused', `${instance.url} refuses the user or the password.`);
    throw new TableProblem(reasonOf(answer.status));
  }
  return rowsIn(answer.text);
}

const reasonOf = (status: number): string => {
  if (status === 403) return 'The user has no right to read it.';
  if (status === 400 || status === 404)
    return 'There is no such table, or nothing in it that the user may see.';
  if (status === 429) return 'The instance asks to wait: too many requests.';
  return `The instance answered ${status}.`;
};

function rowsIn(body: string): Row[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new TableProblem('The instance answered with broken JSON.');
  }
  const result = (parsed as { result?: unknown } | null)?.result;
  if (!Array.isArray(result)) throw new TableProblem('The answer has no result; its form may have changed.');
  return result.filter((row): row is Row => typeof row === 'object' && row !== null);
}

/** A reference comes as its value, or as link and value where the instance does not do what was asked. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'value' in value) return textOf(value.value);
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function findingOf(row: Row, { type, table, columns }: SaasTable, matcher: Matcher): Finding[] {
  const details: Record<string, unknown> = { table };
  for (const column of columns)
    if (textOf(row[column]) !== '') details[column] = textOf(row[column]).slice(0, 1000);
  if (type === 'external_ai_integration') {
    const endpoint = textOf(row['rest_endpoint']);
    const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : undefined;
    const provider = host === undefined ? undefined : matcher.findProvider(host);
    if (provider === undefined) return [];
    Object.assign(details, {
      provider_id: provider.id,
      provider_name: provider.name,
      confidence: 0.9,
      evidence: host,
    });
    details['rest_endpoint'] = `https://${host}`;
  }
  return [
    {
      resourceType: type,
      resourceId: textOf(row['sys_id']),
      resourceName: textOf(row['name']),
      scope: textOf(row['sys_scope']),
      createdBy: textOf(row['sys_created_by']),
      details,
    },
  ];
}

const gap = ({ type, table }: SaasTable, reason: string): Finding => ({
  resourceType: 'coverage',
  resourceId: table,
  resourceName: table,
  scope: '',
  createdBy: '',
  details: { coverage: 'not_read', of: type, table, reason },
});
