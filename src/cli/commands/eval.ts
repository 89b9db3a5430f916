import { createHash } from 'node:crypto';
import { join, parse } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { invalid } from '#base/errors.ts';
import { apiKey, baseUrlOf, type ConnectionOptions } from '../connection.ts';
import { bandsFile, chooseBands, printedBands } from '../eval/choose-band.ts';
import { compare } from '../eval/compare.ts';
import { evaluate } from '../eval/evaluate.ts';
import { interrupted } from '../eval/judge-rows.ts';
import { enginesTable } from '../eval/engines-table.ts';
import { keepingRows } from '../eval/kept-rows.ts';
import { modelJudge } from '../eval/judge-model.ts';
import { embeddedJudge } from '../eval/judge-embedded.ts';
import { guardJudge } from '../eval/judge-guard.ts';
import { printed, warningsOf } from '../eval/print.ts';
import { reliabilityPlot } from '../eval/reliability-plot.ts';
import { readReport } from '../eval/read-report.ts';
import { refuseNothing } from '../eval/refuse-nothing.ts';
import { reportOf } from '../eval/report.ts';
import { Report } from '../eval/report-schema.ts';
import type { RowJudge } from '../eval/row-judge.ts';
import { exitCodes } from '../exit-codes.ts';
import { readText, refuseUnwritable, write } from '../files.ts';
import { strictnessOption, thresholdOption } from '../judging-options.ts';
import { numberFrom } from '../number-option.ts';
import { readPolicies } from '../policies-file.ts';
import { addEvalActionsCommand } from './eval-actions.ts';

const engines = ['embedded', 'llm', 'cascade'] as const;
type Engine = (typeof engines)[number];

interface EvalOptions extends ConnectionOptions {
  guard?: string;
  engine: Engine[];
  resume?: string;
  policies?: string;
  threshold: number;
  strictness: 'low' | 'medium' | 'high';
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

const list = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

const enginesFrom = (value: string): Engine[] => {
  const named = [...new Set(list(value))];
  const known = named.filter((each): each is Engine => (engines as readonly string[]).includes(each));
  if (known.length === 0 || known.length < named.length)
    throw new InvalidArgumentError(`One of ${engines.join(', ')}, or several with commas between them.`);
  return known;
};

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
    });
  const policies = policiesText === undefined ? undefined : readPolicies(policiesText);
  return engine === 'embedded'
    ? embeddedJudge({ ...options, policies })
    : modelJudge({ ...options, engine, policies });
}

function settingsOf(options: EvalOptions, policies: string | undefined): Report['settings'] {
  const byGuard = options.guard !== undefined;
  return {
    threshold: byGuard ? null : options.threshold,
    strictness: byGuard ? null : options.strictness,
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
    const judge = resume === undefined ? asked : keepingRows(asked, resume, policies);
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

async function evalText(path: string, options: EvalOptions): Promise<void> {
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

/** `bulwark eval text` and `bulwark eval actions`. */
export function addEvalCommand(program: Command): void {
  const evaluation = program.command('eval').description('measure how well texts and actions are judged');
  evaluation
    .command('text')
    .description('judge labelled rows, and print how well each detector tells them apart')
    .argument('<path>', 'a .jsonl or .jsonl.gz file, or a folder of them')
    .addOption(new Option('--guard <gd_…>', 'judge by a guard of a running service (key in BULWARK_API_KEY)'))
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)')
    .option(
      '--concurrency <n>',
      'how many rows to ask a guard or a language model about at once',
      numberFrom(1, 64, true),
      4,
    )
    .addOption(
      new Option(
        '--engine <embedded,llm,cascade>',
        'what judges in this process: one, or several that are compared (llm and cascade need BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL)',
      )
        .argParser(enginesFrom)
        .default(['embedded'], 'embedded')
        .conflicts('guard'),
    )
    .option('--resume <file.jsonl>', 'keep each judged row there, and ask about none that stands there')
    .addOption(
      new Option('--policies <file.yaml>', 'policies to measure; labels go by their names').conflicts(
        'guard',
      ),
    )
    .addOption(thresholdOption())
    .addOption(strictnessOption())
    .option('--split <name>', 'rows of this split, and rows without one; all takes every row', 'eval')
    .option('--sources <a,b>', 'only rows of these sources', list)
    .option(
      '--limit <n>',
      'at most so many rows of each source: the same draw at every run',
      numberFrom(1, 1e9, true),
    )
    .option(
      '--by <field,field>',
      'a table for each value of a field: source, category, lang, quality …',
      list,
      [],
    )
    .option('--harmless <path>', 'harmless rows, the negatives of sets that have none; labels may be missing')
    .option('--harmless-split <name>', 'rows of this split, and rows without one; or all', 'dev')
    .addOption(
      new Option(
        '--choose-band',
        'find where a cascade should ask a language model, for the budgets',
      ).conflicts('guard'),
    )
    .option('--write-bands <file>', 'with --choose-band: write the bands, as data/models/text.bands.json')
    .option(
      '--miss-budget <share>',
      'of the positives, how many may be decided wrongly without asking',
      numberFrom(0, 0.5, false),
      0.01,
    )
    .option(
      '--alarm-budget <share>',
      'of the negatives, how many may be decided wrongly without asking',
      numberFrom(0, 0.5, false),
      0.01,
    )
    .option('--json <file>', 'write all figures, to compare with later')
    .option('--plot <file.svg>', 'write a reliability plot')
    .option('--compare <file>', 'compare with an earlier --json, worst regression first')
    .addOption(
      new Option(
        '--fail-on-regression <points>',
        `exit with ${exitCodes.regressed} when AUPRC, AUROC or F1 of a set fell, or false alarms rose, by more`,
      ).argParser(numberFrom(0, 100, false)),
    )
    .addHelpText(
      'after',
      `
A row is a line of JSON; null or no label means not known:
  {"text": "how do I kill a process?", "labels": {"violence_abuse": 0, "hate_bias": null}}

Ctrl-C prints what was judged so far; with --resume the next run goes on from there. docs/guides/evaluating.md explains the figures.
`,
    )
    .action(async (path: string, options: EvalOptions) => {
      if (options.failOnRegression !== undefined && options.compare === undefined)
        throw invalid('--fail-on-regression needs --compare <earlier.json>.');
      if (options.chooseBand === true && (options.strictness !== 'medium' || options.policies !== undefined))
        throw invalid(
          '--choose-band is for the built-in detectors at medium strictness: a band holds for all.',
        );
      if (options.writeBands !== undefined && options.chooseBand !== true)
        throw invalid('--write-bands needs --choose-band.');
      if (options.chooseBand === true && options.engine.join() !== 'embedded')
        throw invalid('--choose-band looks at what the embedded engine says: leave --engine out.');
      await evalText(path, options);
    });
  addEvalActionsCommand(evaluation);
}
