import { Argument, type Command } from 'commander';
import { loadConfig } from '#base/config/load.ts';
import { readEnv } from '#base/config/read-env.ts';
import { isLoopback } from '#base/http/listen.ts';
import type { Bulwark, StartOptions } from '../../main.ts';
import { sections, serviceNames, type ServiceName } from '../../settings.ts';
import { keepAddresses } from '../addresses.ts';
import { firstSignIn, firstSteps, passwordNote, signInHint } from '../first-steps.ts';
import { stopSignal } from '../stop-signal.ts';

type FirstAdmin = Parameters<StartOptions['onFirstAdmin']>[0];

/** Wide enough for the longest name of a service. */
const nameWidth = 17;

function announce(bulwark: Bulwark, admin: FirstAdmin | undefined): void {
  const { config, services, startMs } = bulwark;
  console.log(`Bulwark is ready after ${(startMs / 1000).toFixed(1)} s.\n`);
  const dashboardFirst = services.toSorted(
    (a, b) => Number(b.name === 'dashboard') - Number(a.name === 'dashboard'),
  );
  const signIn = admin === undefined ? '' : `   ${signInHint(admin)}`;
  for (const { name, url, grpc } of dashboardFirst) {
    const what = name === 'dashboard' ? signIn : `   API documentation ${url}/docs`;
    console.log(`  ${name.padEnd(nameWidth)} ${url}${what}${grpc === undefined ? '' : `   gRPC ${grpc}`}`);
  }
  console.log(
    `  ${'data'.padEnd(nameWidth)} ${config.database.url === undefined ? config.dataDir : 'PostgreSQL'}`,
  );
  if (admin !== undefined) {
    // A deployment without the dashboard has no line of its address.
    if (!services.some(({ name }) => name === 'dashboard')) console.log(`\n${signInHint(admin)}`);
    console.log(passwordNote(admin));
  }
  if (config.environment === 'development' && config.allowPrivateNetwork.length === 0)
    console.log('\nDevelopment: URLs that users give may reach loopback addresses of this machine.');
  if (!config.auth.enabled)
    console.log(
      `\nAuthentication is off: every caller acts as an administrator${isLoopback(config.host) ? '' : ', and other machines can call'}.`,
    );
  console.log(firstSteps(bulwark));
}

interface ServeOptions {
  readonly newAdminPassword?: boolean;
}

async function serve(names: readonly ServiceName[], options: ServeOptions): Promise<void> {
  await serveUntilStopped(names, options);
  // Nothing is left to do: what still holds the process (a database that broke, say) must not keep it alive.
  process.exit();
}

async function serveUntilStopped(
  names: readonly ServiceName[],
  { newAdminPassword = false }: ServeOptions,
): Promise<void> {
  const stop = stopSignal();
  // Configuration errors are reported before the services are loaded.
  loadConfig(sections, readEnv());
  // Loaded here, so that the other commands start fast.
  const { startBulwark } = await import('../../main.ts');
  let admin: FirstAdmin | undefined;
  const start = async () =>
    startBulwark(names, readEnv(), {
      onFirstAdmin: (made) => (admin = made),
      renewAdminPassword: newAdminPassword,
    });
  await using bulwark = await start().catch((error: unknown) => {
    if (admin !== undefined) console.log(`${firstSignIn(admin)}\n`);
    throw error;
  });
  using _addresses = keepAddresses(bulwark.config.dataDir, bulwark.services);
  announce(bulwark, admin);
  const signal = await stop;
  process.stderr.write(`\n${signal}: answering what is in flight, then stopping …\n`);
}

const newPasswordOption = [
  '--new-admin-password',
  'reset the first administrator’s password and print the new one once',
] as const;

/** `bulwark up` and `bulwark serve`. */
export function addServeCommands(program: Command): void {
  program
    .command('up')
    .description('start every service in this process, on the embedded database unless one is configured')
    .option(...newPasswordOption)
    .action((options: ServeOptions) => serve(serviceNames, options));
  program
    .command('serve')
    .description('start only the services named, for a deployment of separate processes over one PostgreSQL')
    .addArgument(new Argument('<service...>', 'which services').choices(serviceNames))
    .option(...newPasswordOption)
    .action((names: ServiceName[], options: ServeOptions) =>
      serve(
        serviceNames.filter((name) => names.includes(name)),
        options,
      ),
    );
}
