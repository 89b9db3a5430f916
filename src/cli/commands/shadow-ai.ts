import { InvalidArgumentError, Option, type Command } from 'commander';
import { numberFrom } from '../number-option.ts';
import { plain } from '#base/log/plain.ts';
import { openShadowAi, type ShadowAiOptions, type ShadowAiService } from '../shadow-ai/open.ts';
import { type Overview, printDetections, printOverview, printRules } from '../shadow-ai/print.ts';
import { replay } from '../shadow-ai/replay.ts';
import {
  faultNames,
  personalities,
  scenarioNames,
  simulate,
  type SimulateOptions,
} from '../shadow-ai/simulate.ts';
import { exitCodes } from '../exit-codes.ts';
import { whoSignsIn } from '../sign-in-option.ts';

interface WindowOptions extends ShadowAiOptions {
  days: number;
}

const withAddress = (command: Command): Command =>
  command
    .option('--tenant <name>', 'the tenant to sign in at (default: system)')
    .option('--url <address>', 'shadow AI (default: BULWARK_SHADOW_AI_URL, else as configured)')
    .option('--json', 'print JSON');

const withConnection = (command: Command): Command =>
  withAddress(command).option('--as <username>', whoSignsIn);

const withWindow = (command: Command): Command =>
  withConnection(command).option('--days <number>', 'how far to look back', numberFrom(1, 3650, true), 14);

const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

function show<T>(options: ShadowAiOptions, answer: T, print: (answer: T) => void): void {
  if (options.json === true) console.log(JSON.stringify(answer, null, 2));
  else print(answer);
}

async function overviewOf(
  { connectors, detections, tools: found }: ShadowAiService,
  days: number,
): Promise<Overview> {
  const start_date = since(days);
  const [config, status, stats] = [
    await connectors.getConnectorConfig({ query: {} }),
    await connectors.getConnectorStatus({ query: {} }),
    await detections.getDetectionStats({ query: { start_date } }),
  ];
  const { tools } = await found.listTools({ query: { start_date } });
  return {
    kind: config?.edr_framework ?? null,
    status,
    stats,
    tools: tools.map((tool) => ({
      name: tool.agent_framework,
      detections: tool.detections,
      devices: tool.devices,
      people: tool.people,
    })),
  };
}

function addReading(shadowAi: Command): void {
  withWindow(shadowAi.command('status'))
    .description('how the connector is, and which tools were found')
    .action(async (options: WindowOptions) => {
      show(options, await overviewOf(await openShadowAi(options), options.days), printOverview);
    });
  withWindow(shadowAi.command('events'))
    .description('detections, the newest first')
    .option('--limit <number>', 'how many', numberFrom(1, 1000, true), 20)
    .option(
      '--os <name>',
      'only of devices with this system',
      (name: string, all: string[]) => [...all, name],
      [],
    )
    .action(async (options: WindowOptions & { limit: number; os: string[] }) => {
      const { detections } = await openShadowAi(options);
      const query = {
        start_date: since(options.days),
        limit: options.limit,
        ...(options.os.length > 0 && { device_os: options.os }),
      };
      show(options, await detections.listDetections({ query }), printDetections);
    });
  withConnection(shadowAi.command('rules'))
    .description('the catalogue, with what the tenant has changed')
    .option('--off', 'only rules that are switched off')
    .action(async (options: ShadowAiOptions & { off?: boolean }) => {
      const answer = await (await openShadowAi(options)).rules.listRules({ query: {} });
      const rules = answer.rules.filter(({ enabled }) => options.off !== true || !enabled);
      show(options, { ...answer, rules }, printRules);
    });
}

function addReplay(shadowAi: Command): void {
  withConnection(shadowAi.command('replay'))
    .description('send the telemetry of a file: a line of JSON (OCSF) for each event; again changes nothing')
    .argument('<file>', 'the file, perhaps .gz; - for standard input')
    .action(async (path: string, options: ShadowAiOptions) => {
      const replayed = await replay(await openShadowAi(options), path);
      show(options, replayed, ({ accepted, rejected, rejected_total: refused }) => {
        console.log(`${accepted} events were taken in, ${refused} refused.`);
        for (const { row, reason } of rejected) console.log(`  line ${row}: ${plain(reason)}`);
      });
      if (replayed.rejected_total > 0) process.exitCode = exitCodes.failed;
    });
}

function addSimulate(shadowAi: Command): void {
  withAddress(shadowAi.command('simulate'))
    .description('an endpoint security product to try things with, on this machine')
    .addOption(new Option('--as <kind>', 'which product').choices([...personalities]).default('edr-c'))
    .addOption(
      new Option('--scenario <name>', 'what its devices do').choices([...scenarioNames]).default('fleet'),
    )
    .addOption(
      new Option('--fault <name>', 'what goes wrong; repeatable')
        .choices([...faultNames])
        // A parser takes the place of the check of the choices.
        .argParser((name: string, all: string[] | undefined) => {
          if (!(faultNames as readonly string[]).includes(name))
            throw new InvalidArgumentError(`Allowed choices are ${faultNames.join(', ')}.`);
          return [...(all ?? []), name];
        }),
    )
    .option('--old', 'of edr-c: a console without long-running queries')
    .option('--port <number>', 'where it listens; 0 picks a free one', numberFrom(0, 65_535, true), 0)
    .option('--connect', 'make it the tenant’s source, and poll it')
    .option('--replace', 'also where another source is connected')
    .option('--once', 'end after the first poll')
    .addHelpText(
      'after',
      `
  bulwark shadow-ai simulate --as edr-c --scenario fleet --connect --once
  bulwark shadow-ai status
`,
    )
    .action(
      async ({
        as,
        fault = [],
        ...options
      }: Omit<SimulateOptions, 'kind' | 'as' | 'fault'> & {
        fault?: SimulateOptions['fault'];
        as: SimulateOptions['kind'];
      }) => simulate({ ...options, fault: fault ?? [], kind: as }),
    );
}

/** `bulwark shadow-ai …`. */
export function addShadowAiCommand(program: Command): void {
  const shadowAi = program
    .command('shadow-ai')
    .description('unsanctioned AI tools, found in what endpoints report');
  addReading(shadowAi);
  addReplay(shadowAi);
  addSimulate(shadowAi);
}
