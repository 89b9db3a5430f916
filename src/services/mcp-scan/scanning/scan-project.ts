/** A scan of source: an archive or a folder. */
import { runThread, ThreadLimitError } from '#base/processes/run-thread.ts';
import type { TextJudge } from '#engine/descriptions/check-tool.ts';
import type { Package } from '#engine/mcp-servers/dependencies/package.ts';
import type { Observation } from '#findings/finding.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { assemble } from './assemble.ts';
import { withOwnRemedy } from './capabilities.ts';
import { onePerCall } from './one-per-call.ts';
import { hashesOf } from './hashes.ts';
import { judgeTools } from './judge-tools.ts';
import { poisoningOnce } from './once.ts';
import type { ProjectLimits, ProjectSource } from './read-project.ts';
import type { DepsChecked, ScannedTool, ScanResult } from './result.ts';
import type { Refused, SourceOutcome, SourceStage, SourceTask } from './source-task.ts';

/** Looks packages up where known vulnerabilities are listed. */
export type Advisories = (
  packages: readonly Package[],
  signal: AbortSignal | undefined,
) => Promise<{
  observations: Observation[];
  checked: DepsChecked;
  /** How many of the entries were looked up. */
  lookedUp: number;
  notes: string[];
}>;

/** Who judges descriptions. */
export interface Judging {
  /** Undefined: the fixed signs decide alone. */
  judge: TextJudge | undefined;
  /** Named beside its verdicts. */
  model: string;
}

export interface ScanTools extends Judging {
  /** Asked about descriptions rather than the judge. */
  language?: LanguageModel | undefined;
  /** Undefined: nothing is looked up. */
  advisories: Advisories | undefined;
}

export interface ProjectScan extends Omit<ScanTools, keyof Judging> {
  name: string;
  /** Loaded, where it is not yet, once it is needed; of a small project while its source is read in its thread. */
  judging: Judging | (() => Promise<Judging>);
  source: ProjectSource;
  /** What is known besides the source, such as what the configuration of its server says. */
  besides?: readonly Observation[] | undefined;
  limits: ProjectLimits;
  /** For the whole thread; the analysis itself gets less. */
  timeoutMs: number;
  memoryBytes: number;
  signal?: AbortSignal | undefined;
  onStage?: ((stage: string, files?: { done: number; total: number }) => void) | undefined;
}

/** A scan that cannot be done, for a reason that its owner understands. */
export class ScanFailure extends Error {
  override readonly name = 'ScanFailure';
}

type SourceScan = Pick<ProjectScan, 'source' | 'limits' | 'timeoutMs' | 'memoryBytes' | 'signal' | 'onStage'>;

/** What is read from an archive is packed or thrown away at once. */
const youngBytes = 16 * 1024 * 1024;

async function runSource(scan: SourceScan): Promise<SourceOutcome> {
  const { source, limits, timeoutMs, memoryBytes, signal, onStage } = scan;
  const task: SourceTask = { source, limits, analyseMs: Math.max(1000, timeoutMs * 0.8), memoryBytes };
  const outcome = await runThread<SourceOutcome | Refused, SourceStage>(
    new URL('source-task.ts', import.meta.url),
    task,
    {
      timeoutMs,
      signal,
      memoryBytes: 2 * memoryBytes,
      youngBytes,
      ...(onStage && {
        onProgress: ({ step, done, total }: SourceStage) =>
          onStage(step, done === undefined || total === undefined ? undefined : { done, total }),
      }),
    },
  ).catch((error: unknown) => {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw new ScanFailure(
      error.limit === 'time'
        ? `The source could not be analysed within ${Math.round(timeoutMs / 1000)} s.`
        : `The source takes more memory to analyse than the limit of ${Math.round(memoryBytes / 1024 ** 2)} MiB.`,
      { cause: error },
    );
  });
  if ('refused' in outcome) throw new ScanFailure(outcome.refused);
  if (source.kind === 'archive' && outcome.coverage.files === 0)
    throw new ScanFailure('The archive has no files.');
  return outcome;
}

/** Tools, resources, prompts and instructions of the source; HTTP routes and exports are none. */
const toolsOf = ({ surface }: SourceOutcome): ScannedTool[] =>
  surface.flatMap(({ kind, path, line, ...said }) => {
    if (kind === 'http' || kind === 'exported') return [];
    const tool = { ...said, kind };
    return [{ ...tool, path, line, hashes: hashesOf(tool) }];
  });

const mostUnread = 20;

/** Descriptions that the source does not say as a whole. */
function unreadNotes(tools: readonly ScannedTool[]): string[] {
  const unread = tools.filter(({ isUnread }) => isUnread);
  const rest = unread.length - mostUnread;
  return [
    ...unread
      .slice(0, mostUnread)
      .map(
        ({ kind, name, description }) =>
          `The description of the ${kind} ${name || 'without a name'} could not be read${description === '' ? '' : ' as a whole'}: it is put together while the server runs. Scan the running server to have it judged.`,
      ),
    ...(rest > 0 ? [`The same holds for ${rest} more.`] : []),
  ];
}

/** Of a project with more files the judge is loaded when its source is done: together they take most memory. */
const manyFiles = 1_000;

/** What is in the source, and who judges its tools: nobody where there are none. */
async function readWithJudge(scan: ProjectScan): Promise<[SourceOutcome, Judging]> {
  const { judging, onStage } = scan;
  let loaded: Promise<Judging> | undefined;
  const load = () => (loaded ??= Promise.resolve(typeof judging === 'function' ? judging() : judging));
  const outcome = await runSource({
    ...scan,
    onStage(stage, files) {
      // Where it cannot be loaded, that is said once the source is done.
      if (files !== undefined && files.total <= manyFiles) load().catch(() => undefined);
      onStage?.(stage, files);
    },
  });
  const isNeeded = loaded !== undefined || toolsOf(outcome).length > 0;
  return [outcome, isNeeded ? await load() : { judge: undefined, model: '' }];
}

const notLookedUp: Awaited<ReturnType<Advisories>> = {
  observations: [],
  checked: 'none',
  lookedUp: 0,
  notes: [],
};

export async function scanProject(scan: ProjectScan): Promise<ScanResult> {
  const { signal, onStage, name, language, advisories, besides = [] } = scan;
  const [outcome, { judge, model }] = await readWithJudge(scan);
  const tools = toolsOf(outcome);
  onStage?.('checking descriptions');
  const judged = await judgeTools(tools, { judge, model, language, signal });
  onStage?.('checking dependencies');
  const known = (await advisories?.(outcome.packages, signal)) ?? notLookedUp;
  onStage?.('summarizing');
  return assemble({
    observations: [
      ...onePerCall(poisoningOnce(outcome.observations, judged.observations)).map(withOwnRemedy),
      ...known.observations,
      ...besides,
    ],
    tools,
    textguard: judged.textguard,
    packages: outcome.packages,
    depsChecked: known.checked,
    lookedUp: known.lookedUp,
    coverage: outcome.coverage,
    lines: outcome.lines,
    servers: outcome.servers,
    serverName: name,
    notSeen: outcome.notSeen,
    notes: [...unreadNotes(tools), ...outcome.notes, ...judged.notes, ...known.notes],
    usage: judged.usage,
    now: new Date(),
  });
}
