import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Engine, EvalOptions } from '../eval/eval-text.ts';
import { exitCodes } from '../exit-codes.ts';
import { contextOption, strictnessOption, thresholdOption } from '../judging-options.ts';
import { numberFrom } from '../number-option.ts';
import { addEvalActionsCommand } from './eval-actions.ts';
import { addEvalRepliesCommand } from './eval-replies.ts';
import { WrongUsage } from '../wrong-usage.ts';

const engines: readonly Engine[] = ['embedded', 'llm', 'cascade'];

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

/** `bulwark eval text`, `bulwark eval actions` and `bulwark eval replies`. */
export function addEvalCommand(program: Command): void {
  const evaluation = program
    .command('eval')
    .description('measure how well texts, actions and replies are judged');
  evaluation
    .command('text')
    .description('judge labelled rows, and print how well each detector separates them')
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
        'engine to use; several are compared (llm and cascade need BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL)',
      )
        .argParser(enginesFrom)
        .default(['embedded'], 'embedded')
        .conflicts('guard'),
    )
    .option('--resume <file.jsonl>', 'store each judged row there, and skip rows that are already stored')
    .addOption(
      new Option('--policies <file.yaml>', 'policies to measure; labels go by their names').conflicts(
        'guard',
      ),
    )
    .addOption(thresholdOption())
    .addOption(strictnessOption())
    .addOption(contextOption())
    .option('--split <name>', 'rows of this split, and rows without one; all takes every row', 'eval')
    .option('--sources <a,b>', 'only rows of these sources', list)
    .option('--limit <n>', 'maximum rows per source; the same sample in every run', numberFrom(1, 1e9, true))
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
        'find the uncertainty band in which a cascade should ask a language model, for the budgets',
      ).conflicts('guard'),
    )
    .option('--write-bands <file>', 'with --choose-band: write the bands, as data/models/text.bands.json')
    .option(
      '--miss-budget <share>',
      'share of the positives that may be missed without asking the model',
      numberFrom(0, 0.5, false),
      0.01,
    )
    .option(
      '--alarm-budget <share>',
      'share of the negatives that may be flagged without asking the model',
      numberFrom(0, 0.5, false),
      0.01,
    )
    .option('--json <file>', 'write all metrics, for a later --compare')
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
        throw new WrongUsage('--fail-on-regression needs --compare <earlier.json>.');
      if (options.chooseBand === true && (options.strictness !== 'medium' || options.policies !== undefined))
        throw new WrongUsage(
          '--choose-band is for the built-in detectors at medium strictness: a band holds for all.',
        );
      if (options.writeBands !== undefined && options.chooseBand !== true)
        throw new WrongUsage('--write-bands needs --choose-band.');
      if (options.chooseBand === true && options.engine.join() !== 'embedded')
        throw new WrongUsage('--choose-band uses the embedded engine; omit --engine.');
      const { evalText } = await import('../eval/eval-text.ts');
      await evalText(path, options);
    });
  addEvalActionsCommand(evaluation);
  addEvalRepliesCommand(evaluation);
}
