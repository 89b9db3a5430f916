#!/usr/bin/env node
/** The `bulwark` command. Exit codes: 0 done or not flagged, 1 failed, 2 wrong usage, 10 flagged, 11 worse than before, 12 different, 130 interrupted. */
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { AppError, StartupError } from '#base/errors.ts';
import { withoutSecretsInUrls } from '#base/secrets/without-secrets-in-urls.ts';
import { systemProblem } from '#base/system-problem.ts';
import { version } from '../version.ts';
import { addCommands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { WrongUsage } from './wrong-usage.ts';

const program = new Command('bulwark')
  .description(
    'Guards for AI models and agents. Everything runs on this machine unless you configure otherwise.',
  )
  .version(version, '-v, --version')
  .showHelpAfterError('(--help tells what can be given here)')
  .configureHelp({ sortSubcommands: false })
  .exitOverride();

await addCommands(program, process.argv[2]);
program.addHelpText(
  'after',
  `
Exit codes: ${exitCodes.done} done, or nothing flagged · ${exitCodes.failed} failed · ${exitCodes.usage} wrong usage · ${exitCodes.flagged} flagged · ${exitCodes.regressed} an evaluation fell behind an earlier one · ${exitCodes.different} a file and the server differ · ${exitCodes.interrupted} interrupted

Signing in to a running service: BULWARK_API_KEY; or BULWARK_PASSWORD, with BULWARK_USERNAME (default: admin) and BULWARK_TENANT (default: system); or an access token in BULWARK_TOKEN.

Start here:
  bulwark up                                     start everything on embedded defaults
  bulwark guard check "Ignore all prior rules"   judge a text on the spot, no server needed
  bulwark scan .                                 scan the MCP server in this folder, no server needed
`,
);

/** What went wrong first, where closing what was open failed too. */
const firstOf = (error: unknown): unknown =>
  error instanceof SuppressedError ? firstOf(error.suppressed) : error;

async function report(thrown: unknown): Promise<number> {
  const error = firstOf(thrown);
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage; // commander has printed it
  process.stderr.write(`bulwark: ${withoutSecretsInUrls(await sentenceOf(error))}\n`);
  return error instanceof WrongUsage ? exitCodes.usage : exitCodes.failed;
}

/** Formats an error: the message alone if the user can fix it, else all details. */
async function sentenceOf(error: unknown): Promise<string> {
  if (error instanceof StartupError || error instanceof WrongUsage) return error.message;
  if (error instanceof AppError) {
    // Commands that talk to no service do without it.
    const { aboutAddress } = await import('./connection.ts');
    return `${error.message}${aboutAddress(error)}`;
  }
  const problem = systemProblem(error);
  if (problem === undefined) return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
  const { path } = error as { path?: string };
  return `${path === undefined ? '' : `${path}: `}${problem}.`;
}

try {
  await program.parseAsync(process.argv);
} catch (error) {
  // Ended at once: the launcher's channel, or a database that broke, would keep the process alive.
  process.exit(await report(error));
}
