import { actionGuard, type LogEntry } from '../../api/action-guard.ts';
import { agentGateway } from '../../api/agent-gateway.ts';
import { monitoring } from '../../api/monitoring.ts';
import { shadowAi } from '../../api/shadow-ai.ts';
import { ofAction, ofCall, ofDetection, ofText, type Entry, type Kind, type Verdict } from './entry.ts';
import type { SourcePage } from './merge.ts';

export interface Range {
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
}

interface Source {
  readonly kind: Kind;
  readonly service: 'policy-guard' | 'action-guard' | 'agent-gateway' | 'shadow-ai';
  /** The verdicts that its entries can have. */
  readonly verdicts: readonly Verdict[];
  readonly read: (range: Range, verdict: Verdict | undefined) => Promise<SourcePage<Entry>>;
}

const pageSize = 60;
/** The action guard's log has no filter for verdicts: this many of its pages are searched for one page of ours. */
const mostLogPages = 5;
const logPageSize = 400;

const pageOf = (items: readonly Entry[], read: number): SourcePage<Entry> => ({
  items,
  hasMore: read >= pageSize,
});

const textOutcomes = { stopped: 'flagged', noticed: 'observed' } as const;

async function readTexts(range: Range, verdict: Verdict | undefined): Promise<SourcePage<Entry>> {
  const read = async (outcome?: 'flagged' | 'observed' | 'passed') =>
    (
      await monitoring.listQueries({ query: { ...range, limit: pageSize, ...(outcome && { outcome }) } })
    ).queries.map(ofText);
  const items = await read(
    verdict === undefined ? undefined : verdict === 'let through' ? 'passed' : textOutcomes[verdict],
  );
  return pageOf(items, items.length);
}

/** The end of the action guard's window is inclusive. */
const before = (end: string) => new Date(Date.parse(end) - 1).toISOString();

/** Actions at a gateway are listed as its calls, for those who may see these. */
async function readActions(
  { start, end }: Range,
  verdict: Verdict | undefined,
  isListedAsCall: (entry: LogEntry) => boolean,
): Promise<SourcePage<Entry>> {
  const items: Entry[] = [];
  const limit = verdict === undefined ? pageSize : logPageSize;
  let readUntil: string | undefined;
  for (let page = 0; page < mostLogPages; page++) {
    const { logs = [] } = await actionGuard.listLogs({
      query: { start_date: start, end_date: before(end), limit, offset: page * limit },
    });
    readUntil = logs.at(-1)?.timestamp ?? readUntil;
    items.push(
      ...logs
        .filter((entry) => !isListedAsCall(entry))
        .map(ofAction)
        .filter((entry) => verdict === undefined || entry.verdict === verdict),
    );
    if (logs.length < limit) return { items, hasMore: false };
    if (items.length >= pageSize) break;
  }
  return { items, hasMore: true, ...(readUntil !== undefined && { readUntil }) };
}

async function readCalls(range: Range, verdict: Verdict | undefined): Promise<SourcePage<Entry>> {
  const { calls } = await agentGateway.listAllCalls({
    query: {
      ...range,
      limit: pageSize,
      ...(verdict !== undefined && { allowed: verdict === 'let through' ? 'true' : 'false' }),
    },
  });
  return pageOf(calls.map(ofCall), calls.length);
}

type ToolName = (ruleId: string) => string;

async function readDetections({ start, end }: Range, toolName: ToolName): Promise<SourcePage<Entry>> {
  const { events } = await shadowAi.listDetections({
    query: { start_date: start, end_date: before(end), limit: pageSize },
  });
  const items = events
    .map((event) => ofDetection(event, toolName))
    .toSorted((a, b) => b.at.localeCompare(a.at));
  return pageOf(items, events.length);
}

/** The logs of all services. */
export const sources = (
  isListedAsCall: (entry: LogEntry) => boolean,
  toolName: ToolName,
): readonly Source[] => [
  {
    kind: 'text',
    service: 'policy-guard',
    verdicts: ['stopped', 'noticed', 'let through'],
    read: readTexts,
  },
  {
    kind: 'action',
    service: 'action-guard',
    verdicts: ['stopped', 'noticed', 'let through'],
    read: (range, verdict) => readActions(range, verdict, isListedAsCall),
  },
  { kind: 'tool call', service: 'agent-gateway', verdicts: ['stopped', 'let through'], read: readCalls },
  {
    kind: 'AI tool',
    service: 'shadow-ai',
    verdicts: ['noticed'],
    read: (range) => readDetections(range, toolName),
  },
];
