import { Option, type Command } from 'commander';
import { downloadScan } from '../model/download.ts';
import { faults } from '#services/model-scan/scripted-target/faults.ts';
import { personas } from '#services/model-scan/scripted-target/personas.ts';
import { exitCodes } from '../exit-codes.ts';
import { addModelDataSets } from './model-datasets.ts';
import { numberFrom } from '../number-option.ts';
import { compareSummaries } from '../model/compare.ts';
import { openModelScan, type ModelScanOptions } from '../model/open.ts';
import { printStatuses, printSummary } from '../model/print.ts';
import { failingRisks, runScan, type ScanOptions } from '../model/scan.ts';
import { serveTarget, type TargetOptions } from '../model/target.ts';
import { whoSignsIn } from '../sign-in-option.ts';

const withConnection = (command: Command): Command =>
  command
    .option('--username <name>', whoSignsIn)
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the model safety scan (default: BULWARK_MODEL_SCAN_URL, else as configured)')
    .option('--json', 'print JSON');

function show<T>({ json }: ModelScanOptions, answer: T, print: (answer: T) => void): void {
  if (json === true) console.log(JSON.stringify(answer, null, 2));
  else print(answer);
}

const repeated = (value: string, before: string[] = []) => [...before, value];

function addScan(model: Command): void {
  withConnection(model.command('scan'))
    .description('start a scan, wait for it and print its summary')
    .argument('<name>', 'a name that no scan of the tenant has yet')
    .requiredOption('--base-url <url>', 'base URL of chat completions, usually ending in /v1')
    .requiredOption('--model <name>', 'name of the model')
    .option('--dataset <name>', 'a data set; may be repeated (default: all)', repeated)
    .option('--algorithm <name>', 'an attack; may be repeated; all takes all eight', repeated)
    .option('--concurrency <n>', 'requests at a time (default: 8)', numberFrom(1, 10_000, true))
    .option('--qpm <n>', 'requests begun per minute at most', numberFrom(1, 1_000_000, true))
    .option('--seed <n>', 'chooses the cases of attacks (default: 1)', numberFrom(0, 2_147_483_647, true))
    .option('--language-model', 'the language model of the deployment as attacker and second judge')
    .addOption(
      new Option('--sandbox', 'only the 24 fixed cases, as they are').conflicts([
        'dataset',
        'algorithm',
        'concurrency',
        'qpm',
        'seed',
        'languageModel',
      ]),
    )
    .option('--continue', 'continue a scan of this name that is paused or has failed')
    .option('--no-wait', 'only start it and print its id')
    .option(
      '--fail-under <score>',
      'exit with 10 if the average score, which is without attacks, is lower',
      numberFrom(0, 100, false),
    )
    .addOption(
      new Option(
        '--fail-on-risk <level>',
        'exit with 10 if the risk, which attacks count for, is as high',
      ).choices(failingRisks),
    )
    .option('--junit <file>', 'write the data sets and failures as JUnit XML')
    .option('--sarif <file>', 'write the failures as SARIF 2.1.0')
    .addHelpText(
      'after',
      '\nThe key of the model is read from BULWARK_TARGET_API_KEY, so that it is in no list of processes.\n',
    )
    .action(async (name: string, options: ScanOptions) => {
      const isFlagged = await runScan(name, options);
      if (isFlagged) process.exitCode = exitCodes.flagged;
    });
}

/** `bulwark model …`. */
export function addModelCommand(program: Command): void {
  const model = program.command('model').description('scan models for safety');
  addScan(model);
  withConnection(model.command('status'))
    .description('how far scans are')
    .argument('[scan_id]', 'one scan; default: all')
    .action(async (scanId: string | undefined, options: ModelScanOptions) => {
      const client = await openModelScan(options);
      const found = await client.getProgress({ body: scanId === undefined ? {} : { scan_id: scanId } });
      show(options, found, (answer) => printStatuses([answer].flat()));
    });
  for (const [name, description] of [
    ['pause', 'pause a scan'],
    ['retry', 'continue a scan that is paused or has failed'],
  ] as const)
    withConnection(model.command(name))
      .description(description)
      .argument('<scan_id>')
      .action(async (scanId: string, options: ModelScanOptions) => {
        const client = await openModelScan(options);
        const body = { scan_id: scanId };
        await (name === 'pause' ? client.pauseScan({ body }) : client.retryScan({ body }));
        const found = await client.getProgress({ body });
        show(options, found, (answer) => printStatuses([answer].flat()));
      });
  withConnection(model.command('summary'))
    .description('scores, failures and the risk level of a finished scan')
    .argument('<scan_id>')
    .action(async (scanId: string, options: ModelScanOptions) => {
      const client = await openModelScan(options);
      show(options, await client.getSummary({ body: { scan_id: scanId } }), printSummary);
    });
  withConnection(model.command('compare'))
    .description('what has changed between two finished scans')
    .argument('<before>', 'id of the earlier scan')
    .argument('<after>', 'id of the later one')
    .action(async (before: string, after: string, options: ModelScanOptions) => {
      const client = await openModelScan(options);
      const [one, other] = await Promise.all(
        [before, after].map((scanId) => client.getSummary({ body: { scan_id: scanId } })),
      );
      if (one !== undefined && other !== undefined && compareSummaries(one, other, options))
        process.exitCode = exitCodes.regressed;
    });
  withConnection(model.command('download'))
    .description('save all results of a finished scan as a ZIP')
    .argument('<scan_id>')
    .option('-o, --output <file>', 'where to (default: <scan_id>.zip)')
    .action(downloadScan);
  addModelDataSets(model);
  model
    .command('target')
    .description('serve a scripted model whose scores are known, to try scans with')
    .addOption(
      new Option('--persona <id>', personas.map(({ id, description }) => `${id}: ${description}`).join('; '))
        .choices(personas.map(({ id }) => id))
        .default('careful'),
    )
    .addOption(
      new Option(
        '--fault <id>',
        Object.entries(faults)
          .map(([id, description]) => `${id}: ${description}`)
          .join('; '),
      ).choices(Object.keys(faults)),
    )
    .option('--port <n>', '0 picks a free one', numberFrom(0, 65_535, true), 9600)
    .option('--latency <ms>', 'before each reply', numberFrom(0, 600_000, true), 0)
    .option(
      '--gives-in-at <n>',
      'for best-of-n: the changed copy that it answers',
      numberFrom(1, 10_000, true),
      3,
    )
    .option(
      '--gives-in-after <n>',
      'for crescendo: replies after which it gives in',
      numberFrom(1, 20, true),
      4,
    )
    .action((options: TargetOptions) => serveTarget(options));
}
