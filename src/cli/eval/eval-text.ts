/** What `bulwark eval text` does: in a file of its own, so that commands that judge nothing load no engine. */
import { createHash } from 'node:crypto';
import { join, parse } from 'node:path';
import type { TextKind } from '#engine/text/types.ts';
import { apiKey, baseUrlOf, type ConnectionOptions } from '../connection.ts';
import { exitCodes } from '../exit-codes.ts';
import { readText, refuseUnwritable, write } from '../files.ts';
import { readPolicies } from '../policies-file.ts';
import { bandsFile, chooseBands, printedBands } from './choose-band.ts';
import { compare } from './compare.ts';
import { enginesTable } from './engines-table.ts';
import { evaluate } from './evaluate.ts';
import { embeddedJudge } from './judge-embedded.ts';
import { guardJudge } from './judge-guard.ts';
import { modelJudge } from './judge-model.ts';
import { interrupted } from './judge-rows.ts';
import { keepingRows } from './kept-rows.ts';
import { printed, warningsOf } from './print.ts';
import { readReport } from './read-report.ts';
import { refuseNothing } from './refuse-nothing.ts';
import { reliabilityPlot } from './reliability-plot.ts';
import { reportOf } from './report.ts';
import { Report } from './report-schema.ts';
import type { RowJudge } from './row-judge.ts';

export type Engine = 'embedded' | 'llm' | 'cascade';

export interface EvalOptions extends ConnectionOptions {
  guard?: string;
  engine: Engine[];
  resume?: string;
  policies?: string;
  threshold: number;
  strictness: 'low' | 'medium' | 'high';
  context?: TextKind;
  split: string;
  sources?: string[];
  limit?: number;
  by: string[];
  harmless?: string;
  harmlessSplit: string;
  concurrency: number;
  json?: string;
  plot?: string;
  compare?: string;
  failOnRegression?: number;
  chooseBand?: boolean;
  writeBands?: string;
  missBudget: number;
  alarmBudget: number;
}

async function judgeOf(
  options: EvalOptions,
  engine: Engine,
  policiesText: string | undefined,
): Promise<RowJudge> {
  if (options.guard !== undefined)
    return guardJudge({
      baseUrl: baseUrlOf(options),
      key: apiKey(),
      guardUuid: options.guard,
      concurrency: options.concurrency,
      context: options.context,
    });
  const policies = policiesText === undefined ? undefined : readPolicies(policiesText, options.policies);
  return engine === 'embedded'
    ? embeddedJudge({ ...options, policies })
    : modelJudge({ ...options, engine, policies });
}

function settingsOf(options: EvalOptions, policies: string | undefined): Report['settings'] {
  const byGuard = options.guard !== undefined;
  return {
    threshold: byGuard ? null : options.threshold,
    strictness: byGuard ? null : options.strictness,
    context: options.context ?? null,
    policies_sha256: policies === undefined ? null : createHash('sha256').update(policies).digest('hex'),
    split: options.split,
    harmless_split: options.harmless === undefined ? null : options.harmlessSplit,
    sources: options.sources ?? null,
    limit: options.limit ?? null,
    // Always there.
    by: options.by.filter((field) => field !== 'length'),
  };
}

function exitCodeOf({ stopped_by }: Report, fallPoints: number, mostPoints: number): number {
  if (stopped_by === interrupted) return exitCodes.interrupted;
  if (stopped_by !== null) return exitCodes.failed;
  return fallPoints > mostPoints ? exitCodes.regressed : exitCodes.done;
}

/** Of several engines each has a file of its own: `report.json` becomes `report.llm.json`. */
function fileOf(path: string | undefined, engine: Engine, among: readonly Engine[]): string | undefined {
  if (path === undefined || among.length === 1) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${engine}${ext}`);
}

/** Judges all rows by one engine, and prints and writes what came of it. */
async function evalBy(
  engine: Engine,
  path: string,
  { options, policies }: { options: EvalOptions; policies: string | undefined },
): Promise<Report> {
  const file = (name: string | undefined) => fileOf(name, engine, options.engine);
  const [json, plot, resume] = [options.json, options.plot, options.resume].map(file);
  // What can be wrong is found before the rows are judged.
  [json, plot, resume, options.writeBands].forEach(refuseUnwritable);
  const asked = await judgeOf(options, engine, policies);
  try {
    const judge =
      resume === undefined
        ? asked
        : keepingRows(asked, resume, { policies, strictness: options.strictness, context: options.context });
    const settings = settingsOf(options, policies);
    const evaluation = await evaluate(judge, { path, harmlessPath: options.harmless, settings });
    const bands = options.chooseBand === true ? chooseBands(evaluation, options) : undefined;
    const report = { ...reportOf(evaluation), ...(bands === undefined ? {} : { bands }) };
    for (const warning of warningsOf(report)) process.stderr.write(`${warning}\n`);
    refuseNothing(report, path);
    console.log(printed(report));
    if (bands !== undefined) console.log(`\n${printedBands(bands)}`);
    if (bands !== undefined && options.writeBands !== undefined)
      write(options.writeBands, `${JSON.stringify(bandsFile(report, bands), null, 2)}\n`);
    if (json !== undefined) write(json, `${JSON.stringify(report, null, 2)}\n`);
    if (plot !== undefined) write(plot, reliabilityPlot(report));
    return report;
  } finally {
    await asked.close?.();
  }
}

/** Judges the rows of a file or a folder, prints what came of it, and sets the exit status. */
export async function evalText(path: string, options: EvalOptions): Promise<void> {
  const before = options.compare === undefined ? undefined : readReport(options.compare, Report);
  const policies =
    options.policies === undefined ? undefined : readText(options.policies, 'file of policies');
  const reports: Report[] = [];
  for (const engine of options.engine) {
    if (reports.length > 0) console.log('');
    reports.push(await evalBy(engine, path, { options, policies }));
    if (reports.at(-1)?.stopped_by !== null) break;
  }
  if (reports.length > 1) console.log(`\n${enginesTable(reports)}`);
  const last = reports.at(-1);
  if (last === undefined) return;
  const comparison = before === undefined ? { worstPoints: 0, text: '' } : compare(last, before);
  if (before !== undefined) console.log(`\n${comparison.text}`);
  process.exitCode = exitCodeOf(last, comparison.worstPoints, options.failOnRegression ?? Infinity);
}
