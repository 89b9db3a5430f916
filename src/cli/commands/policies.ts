import type { Command } from 'commander';
import { baseUrlOf, signInOrKey, type SignInOptions } from '../connection.ts';
import { exitCodes } from '../exit-codes.ts';
import { readTextOrInput, write } from '../files.ts';
import { applySteps } from '../policy-code/apply.ts';
import { readDocument, writeDocument } from '../policy-code/document.ts';
import { planOf, type Step } from '../policy-code/plan.ts';
import { connect, readServer } from '../policy-code/server-state.ts';

type Options = SignInOptions & {
  as?: string;
  out?: string;
  prune?: boolean;
  dryRun?: boolean;
  json?: boolean;
};

const open = async (options: Options) => {
  const signedIn = { ...options, ...(options.as === undefined ? {} : { username: options.as }) };
  return connect(baseUrlOf(options), await signInOrKey(signedIn));
};

const read = async (file: string) => readDocument(await readTextOrInput(file, 'file'));

const marks = { create: '+', change: '~', delete: '-' } as const;

function print({ action, kind, name, details }: Step): void {
  console.log(`${marks[action]} ${kind} ${JSON.stringify(name)}`);
  for (const detail of details) console.log(`    ${detail}`);
}

async function planned(file: string, options: Options) {
  const wanted = await read(file);
  const server = await open(options);
  const state = await readServer(server);
  return { server, wanted, state, steps: planOf(wanted, state.document, options.prune === true) };
}

const withConnection = (command: Command): Command =>
  command
    .option('--as <username>', 'whose policies (default: admin; password from BULWARK_PASSWORD)')
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)');

/** `bulwark policies export|import|diff`. */
export function addPoliciesCommand(program: Command): void {
  const policies = program
    .command('policies')
    .description('policy groups and guards as a file under version control');
  withConnection(policies.command('export'))
    .description('write your policy groups and guards as YAML')
    .option('--out <file>', 'where to (default: standard output)')
    .action(async (options: Options) => {
      const yaml = writeDocument((await readServer(await open(options))).document);
      if (options.out === undefined) process.stdout.write(yaml);
      else write(options.out, yaml);
    });
  withConnection(policies.command('diff'))
    .description('show what an import of the file would change')
    .argument('<file>', 'the YAML file; - for standard input')
    .option('--prune', 'also show what exists only on the server')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExits with ${exitCodes.different} when something differs, ${exitCodes.done} when nothing does.\n`,
    )
    .action(async (file: string, options: Options) => {
      const { steps } = await planned(file, options);
      if (options.json === true) console.log(JSON.stringify(steps, null, 2));
      else if (steps.length === 0) console.log('No differences.');
      else for (const step of steps) print(step);
      process.exitCode = steps.length === 0 ? exitCodes.done : exitCodes.different;
    });
  withConnection(policies.command('import'))
    .description('change the server to match the file')
    .argument('<file>', 'the YAML file; - for standard input')
    .option('--prune', 'delete your groups and guards that the file does not have')
    .option('--dry-run', 'only show what would be changed')
    .action(async (file: string, options: Options) => {
      const { server, ...plan } = await planned(file, options);
      if (options.dryRun === true) for (const step of plan.steps) print(step);
      else await applySteps(server, plan, print);
      const count = `${plan.steps.length} ${plan.steps.length === 1 ? 'change' : 'changes'}`;
      console.log(options.dryRun === true ? `${count} would be made.` : `${count} made.`);
    });
}
