/** Which module brings which commands: each is loaded when it is asked for, as most bring the contract of a service. */
import type { Command } from 'commander';

type Add = (program: Command) => void;

interface CommandGroup {
  names: readonly string[];
  load: () => Promise<Add>;
}

/** In the order in which the help lists them. */
export const commandGroups: readonly CommandGroup[] = [
  { names: ['up', 'serve'], load: async () => (await import('./commands/serve.ts')).addServeCommands },
  { names: ['check-config'], load: async () => (await import('./commands/config.ts')).addConfigCommand },
  { names: ['guard'], load: async () => (await import('./commands/guard.ts')).addGuardCommand },
  { names: ['policies'], load: async () => (await import('./commands/policies.ts')).addPoliciesCommand },
  { names: ['eval'], load: async () => (await import('./commands/eval.ts')).addEvalCommand },
  { names: ['lab'], load: async () => (await import('./commands/lab.ts')).addLabCommand },
  { names: ['judge'], load: async () => (await import('./commands/judge.ts')).addJudgeCommand },
  { names: ['action'], load: async () => (await import('./commands/action.ts')).addActionCommand },
  { names: ['gateway'], load: async () => (await import('./commands/gateway.ts')).addGatewayCommand },
  { names: ['scan'], load: async () => (await import('./commands/scan.ts')).addScanCommand },
  { names: ['model'], load: async () => (await import('./commands/model.ts')).addModelCommand },
  { names: ['video'], load: async () => (await import('./commands/video.ts')).addVideoCommand },
  { names: ['red-team'], load: async () => (await import('./commands/red-team.ts')).addRedTeamCommand },
  { names: ['shadow-ai'], load: async () => (await import('./commands/shadow-ai.ts')).addShadowAiCommand },
  { names: ['alerts'], load: async () => (await import('./commands/alerts.ts')).addAlertsCommand },
  { names: ['users'], load: async () => (await import('./commands/users.ts')).addUsersCommand },
  { names: ['keys'], load: async () => (await import('./commands/keys.ts')).addKeysCommand },
];

/** Adds the command of this name; all of them where there is none, so that the help and suggestions know them. */
export async function addCommands(program: Command, name: string | undefined): Promise<void> {
  const own = commandGroups.filter(({ names }) => name !== undefined && names.includes(name));
  for (const { load } of own.length > 0 ? own : commandGroups) (await load())(program);
}
