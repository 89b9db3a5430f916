#!/usr/bin/env node
/** The `bulwark` command. Exit codes: 0 done or not flagged, 1 failed, 2 wrong usage, 10 flagged, 11 worse than before, 12 different, 130 interrupted. */
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { AppError, StartupError } from '#base/errors.ts';
import { withoutSecretsInUrls } from '#base/secrets/without-secrets-in-urls.ts';
import { systemProblem } from '#base/system-problem.ts';
import { version } from '../version.ts';
import { addActionCommand } from './commands/action.ts';
import { addAlertsCommand } from './commands/alerts.ts';
import { addServeCommands } from './commands/serve.ts';
import { addConfigCommand } from './commands/config.ts';
import { addGatewayCommand } from './commands/gateway.ts';
import { addGuardCommand } from './commands/guard.ts';
import { addEvalCommand } from './commands/eval.ts';
import { addVideoCommand } from './commands/video.ts';
import { addModelCommand } from './commands/model.ts';
import { addJudgeCommand } from './commands/judge.ts';
import { addLabCommand } from './commands/lab.ts';
import { addPoliciesCommand } from './commands/policies.ts';
import { addShadowAiCommand } from './commands/shadow-ai.ts';
import { addRedTeamCommand } from './commands/red-team.ts';
import { addScanCommand } from './commands/scan.ts';
import { addUsersCommand } from './commands/users.ts';
import { addKeysCommand } from './commands/keys.ts';
import { aboutAddress } from './connection.ts';
import { exitCodes } from './exit-codes.ts';

const program = new Command('bulwark')
  .description(
    'Guards for AI models and agents. Everything runs on this machine unless you configure otherwise.',
  )
  .version(version, '-v, --version')
  .showHelpAfterError('(bulwark --help lists the commands)')
  .configureHelp({ sortSubcommands: false })
  .exitOverride();

addServeCommands(program);
addConfigCommand(program);
addGuardCommand(program);
addPoliciesCommand(program);
addEvalCommand(program);
addLabCommand(program);
addJudgeCommand(program);
addActionCommand(program);
addGatewayCommand(program);
addScanCommand(program);
addModelCommand(program);
addVideoCommand(program);
addRedTeamCommand(program);
addShadowAiCommand(program);
addAlertsCommand(program);
addUsersCommand(program);
addKeysCommand(program);
program.addHelpText(
  'after',
  `
Exit codes: ${exitCodes.done} done, or nothing flagged · ${exitCodes.failed} failed · ${exitCodes.usage} wrong usage · ${exitCodes.flagged} flagged · ${exitCodes.regressed} an evaluation fell behind an earlier one · ${exitCodes.different} a file and the server differ · ${exitCodes.interrupted} interrupted

Start here:
  bulwark up                                     start everything on embedded defaults
  bulwark guard check "Ignore all prior rules"   judge a text on the spot, no server needed
  bulwark scan .                                 scan the MCP server in this folder, no server needed
`,
);

/** What went wrong first, where closing what was open failed too. */
const firstOf = (error: unknown): unknown =>
  error instanceof SuppressedError ? firstOf(error.suppressed) : error;

function report(thrown: unknown): number {
  const error = firstOf(thrown);
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage; // commander has printed it
  process.stderr.write(`bulwark: ${withoutSecretsInUrls(sentenceOf(error))}\n`);
  return exitCodes.failed;
}

/** Formats an error: the message alone if the user can fix it, else all details. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof AppError) return `${error.message}${aboutAddress(error)}`;
  const problem = systemProblem(error);
  if (problem === undefined) return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
  const { path } = error as { path?: string };
  return `${path === undefined ? '' : `${path}: `}${problem}.`;
}

try {
  await program.parseAsync(process.argv);
} catch (error) {
  // Ended at once: the launcher's channel, or a database that broke, would keep the process alive.
  process.exit(report(error));
}
