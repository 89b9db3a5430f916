#!/usr/bin/env node
/** The `bulwark` command. Exit codes: 0 done or not flagged, 1 failed, 2 wrong usage, 10 flagged, 11 worse than before, 12 different, 130 interrupted. */
import { Command, CommanderError } from 'commander';
import { AppError, StartupError } from '#base/errors.ts';
import { version } from '../version.ts';
import { addActionCommand } from './commands/action.ts';
import { addServeCommands } from './commands/serve.ts';
import { addConfigCommand } from './commands/config.ts';
import { addGatewayCommand } from './commands/gateway.ts';
import { addGuardCommand } from './commands/guard.ts';
import { addEvalCommand } from './commands/eval.ts';
import { addLabCommand } from './commands/lab.ts';
import { addPoliciesCommand } from './commands/policies.ts';
import { addUsersCommand } from './commands/users.ts';
import { addKeysCommand } from './commands/keys.ts';
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
addActionCommand(program);
addGatewayCommand(program);
addUsersCommand(program);
addKeysCommand(program);
program.addHelpText(
  'after',
  `
Exit codes: ${exitCodes.done} done, or nothing flagged · ${exitCodes.failed} failed · ${exitCodes.usage} wrong usage · ${exitCodes.flagged} flagged · ${exitCodes.regressed} an evaluation fell behind an earlier one · ${exitCodes.different} a file and the server differ · ${exitCodes.interrupted} interrupted

Start here:
  bulwark up                                     start everything on embedded defaults
  bulwark guard check "Ignore all prior rules"   judge a text on the spot, no server needed
`,
);

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage; // commander has printed it
  if (error instanceof StartupError || error instanceof AppError) {
    process.stderr.write(`bulwark: ${error.message}\n`);
    return exitCodes.failed;
  }
  process.stderr.write(
    `bulwark: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.failed;
}

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}
